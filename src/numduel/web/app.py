"""The application: its parts are put together here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from numduel import __version__
from numduel.classes import Classes, WrongCodes
from numduel.rooms import Bounds, Lobby
from numduel.thinking.rate import Budget
from numduel.thinking.thinkers import Thinkers
from numduel.web import qr
from numduel.web.api import add_api
from numduel.web.failures import Failures
from numduel.web.pages import play, privacy, school, study
from numduel.web.pages.errors import add_error_pages
from numduel.web.pages.rendering import STATIC, KeptFiles, router
from numduel.web.safety import Guard
from numduel.web.settings import Settings

PAGES = (play, study, school, privacy, qr)
"""Each has added its routes to the one router by being imported."""


def create_app(settings: Settings) -> FastAPI:
    """The application with its own lobby and thinkers; both begin and end with it."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        limits = settings.limits
        budget = Budget(limits.thinking_per_minute)
        thinkers = Thinkers(settings.thinkers, settings.seconds, budget=budget)
        bounds = Bounds(limits.digits, limits.numbers, limits.rooms, limits.room_days)
        lobby = Lobby(settings.database, thinkers, bounds, Failures().tell)
        await thinkers.start()
        try:
            await lobby.start()
            app.state.lobby = lobby
            app.state.classes = Classes(
                lobby,
                WrongCodes(limits.wrong_codes, limits.wrong_codes_per_minute),
                limits.tables_per_hour,
            )
            yield {"stopping": app.state.waits.end}
        finally:
            await lobby.close()
            await thinkers.close()

    app = FastAPI(
        title="numduel", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.state.settings = settings
    add_error_pages(app)
    app.add_middleware(Guard, limits=settings.limits, names=settings.names)
    add_api(app)  # first: routes are tried in order, and moves come most often
    app.mount("/static", KeptFiles(directory=STATIC), name="static")
    app.include_router(router)
    return app
