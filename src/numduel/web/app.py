"""The application: its parts are put together here, and its failures go to the log."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

from fastapi import FastAPI

from numduel import __version__
from numduel.classes import Classes, WrongCodes
from numduel.errors import StoreError
from numduel.rooms import Bounds, Lobby
from numduel.thinking.meter import Meter, Quota, of_limited, with_address
from numduel.thinking.thinkers import Thinkers
from numduel.web import live
from numduel.web.api import questions as api_questions
from numduel.web.api import reference, rooms
from numduel.web.pages.errors import add_error_pages
from numduel.web.pages.play import room
from numduel.web.pages.rendering import compile_templates, router
from numduel.web.pages.school import learned, pupil, questions, teacher, wall
from numduel.web.pages.study import explore, learn, make, puzzle, replay
from numduel.web.safety.guard import Guard
from numduel.web.settings import Settings
from numduel.wording import quoted
from numduel.wording.problems import STORE_PROBLEMS

PAGES = (room, explore, learn, make, puzzle, replay)
PAGES_OF_A_CLASS = (learned, pupil, questions, teacher, wall)  # importing them adds their routes

_AGAIN_AFTER = 600.0

_log = logging.getLogger("numduel")


def failure(error: StoreError) -> str:
    place = quoted(str(error.place), 100)
    return f"The rooms cannot be kept in {place}: {STORE_PROBLEMS[error.problem]}."


def create_app(settings: Settings) -> FastAPI:
    """The application with its own lobby and thinkers; both begin and end with it."""
    limits, told = settings.limits, dict[str, float]()
    meter = Meter(
        limits.work_per_minute / 60,
        limits.thinking_per_minute,
        limits.requests_at_once,
        limits.classes_per_client,
    )

    def tell(error: StoreError) -> None:
        """Write a failure of the database into the log, each kind once in ten minutes."""
        if monotonic() > told.get(error.problem, 0.0):
            told[error.problem] = monotonic() + _AGAIN_AFTER
            _log.error(failure(error))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        thinkers = Thinkers(settings.thinkers, settings.seconds)
        bounds = Bounds(limits.digits, limits.numbers, limits.rooms, limits.room_days)
        opening = Quota(
            "rooms",
            *with_address(of_limited, limits.rooms_per_minute, 60, limits.rooms_per_minute),
            *with_address(of_limited, limits.rooms_per_day, 86_400, limits.rooms_per_day),
        )
        lobby = Lobby(settings.database, thinkers, bounds, tell, opening)
        await thinkers.start()
        try:
            await lobby.start()
            compile_templates()
            app.state.lobby = lobby
            app.state.classes = Classes(
                lobby,
                WrongCodes(limits.wrong_codes, limits.wrong_codes_per_minute),
                limits.tables_per_hour,
                limits.classes_per_hour,
                limits.joins_at_once,
            )
            yield {"stopping": app.state.stopping.set, "meter": meter}
        finally:
            await lobby.close()
            await thinkers.close()

    app = FastAPI(
        title="numduel",
        version=__version__,
        description=reference.ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.settings = settings
    add_error_pages(app)
    app.add_middleware(pupil.kept_secret)
    app.add_middleware(Guard, limits=limits, meter=meter, names=settings.names)
    app.state.stopping = asyncio.Event()
    # Routes are tried in order, and moves come most often. FastAPI would match in each of the
    # routers that are included, and again in the one that it found.
    for part in (rooms.router, api_questions.router, api_questions.puzzles):
        app.router.routes.extend(part.routes)
    app.router.routes.extend(live.routes)
    app.router.routes.extend(router.routes)
    app.openapi()["components"]["securitySchemes"] = reference.SCHEME  # the schema is kept
    return app
