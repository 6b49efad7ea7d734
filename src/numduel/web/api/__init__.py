"""The API for programs: the same actions as the pages, as JSON.

rooms         play: open, look, take a seat, move, take back, play again, delete
questions     games, verdicts, maps, analysis, puzzles, tutorials
shapes        what is taken, and what rooms answer; what thinkers answer is beside the question
routes        how operations are added and answered, and the refusals that are documented
reference     /api, a page made from /openapi.json
"""

from __future__ import annotations

from fastapi import FastAPI

from numduel.web import live
from numduel.web.api import questions, reference, rooms


def add_api(app: FastAPI) -> None:
    """Add the API, its live news and its page to the application."""
    app.state.waits = live.Waits()
    for part in (rooms.router, questions.router, questions.puzzles):
        app.include_router(part)
    app.router.routes.extend(live.routes)
    reference.describe(app)
