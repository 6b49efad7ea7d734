"""Puzzles and tutorials for programs. No answer is kept."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Path, Query, Request, Response

from numduel.study.puzzles import AskedPuzzle
from numduel.thinking.questions import learning
from numduel.web.api import shapes
from numduel.web.api.room_json import json_response
from numduel.web.api.routes import Part
from numduel.web.state import thinkers_of

router = Part("puzzles and tutorials")

GameKey = Annotated[
    str, Path(max_length=shapes.WORD, description="A game's key.", examples=["divisor-duel"])
]
Word = Query(max_length=shapes.WORD)


@router.question(
    "/puzzle",
    AskedPuzzle,
    "The puzzle, without its solution.",
    "Give the puzzle of a day, or of a seed",
)
async def ask_puzzle(
    request: Request,
    day: Annotated[str | None, Word] = None,
    seed: Annotated[str | None, Word] = None,
    kind: Annotated[str | None, Word] = None,
    rating: Annotated[int | None, Query(ge=0, le=10_000)] = None,
) -> Response:
    """Of today (UTC) unless a day like 2026-11-15 or any seed is given.

    `kind` is a game's key or `several`. `rating`, with a seed, is how hard it should be.
    """
    day = _day(day, seed)
    return json_response(await thinkers_of(request).ask(learning.puzzle, day, seed, kind, rating))


@router.question(
    "/puzzle",
    learning.PuzzleSolution,
    "Whether it is right, and the solution.",
    "Answer a puzzle",
    "POST",
)
async def answer_puzzle(request: Request, given: shapes.PuzzleAnswer) -> Response:
    """Give the same day, seed, kind and rating as when you asked. Nothing is kept."""
    which = _day(given.day, given.seed), given.seed, given.kind, given.rating
    return json_response(await thinkers_of(request).ask(learning.answer, given.answer, *which))


@router.question("/learn/{game}", learning.Lesson, "The tutorial.", "Give a game's tutorial")
async def give_lesson(request: Request, game: GameKey) -> Response:
    """Its steps, each with a position to solve."""
    return json_response(await thinkers_of(request).ask(learning.lesson, game))


@router.question(
    "/learn/{game}/{step}",
    learning.StepSaid,
    "The reply to the answer.",
    "Answer a step of a tutorial",
    "POST",
)
async def answer_step(
    request: Request,
    game: GameKey,
    step: Annotated[int, Path(ge=1, le=99, description="The step's number.")],
    given: shapes.StepAnswer,
) -> Response:
    """Is it right, and what is there to say about it? Nothing is kept."""
    return json_response(await thinkers_of(request).ask(learning.step, game, step, given.answer))


def _day(day: str | None, seed: str | None) -> str | None:
    """Today, where neither a day nor a seed is given."""
    return datetime.now(UTC).date().isoformat() if day is None and seed is None else day
