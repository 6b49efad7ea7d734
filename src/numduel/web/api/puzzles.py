"""Puzzles and tutorials for programs. Nobody's answer is kept."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from numduel.web.api import study_shapes
from numduel.web.api.answers import json_response
from numduel.web.api.routes import CHANGE, Operation, problems

router = APIRouter(prefix="/api", tags=["puzzles and tutorials"], route_class=Operation)

GameKey = Annotated[
    str, Path(max_length=study_shapes.WORD, description="A game's key.", examples=["divisor-duel"])
]
Word = Query(max_length=study_shapes.WORD)
_QUESTION = problems(422, 503)


@router.get(
    "/puzzle",
    response_model=study_shapes.Puzzle,
    responses=_QUESTION,
    response_description="The puzzle, without its solution.",
    operation_id="ask_puzzle",
    summary="Give the puzzle of a day, or of a seed",
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
    puzzle = await _ask(request, "puzzle", **_which(day, seed, kind, rating))
    del puzzle["solution"]
    return json_response(puzzle)


@router.post(
    "/puzzle",
    response_model=study_shapes.PuzzleSolution,
    responses=problems(*CHANGE, 503),
    response_description="Whether it is right, and the solution.",
    operation_id="answer_puzzle",
    summary="Answer a puzzle",
)
async def answer_puzzle(request: Request, given: study_shapes.PuzzleAnswer) -> Response:
    """Say the same day, seed, kind and rating that you asked with. Nothing is kept."""
    which = _which(given.day, given.seed, given.kind, given.rating)
    return json_response(await _ask(request, "answer", text=given.answer, **which))


@router.get(
    "/learn/{game}",
    response_model=study_shapes.Lesson,
    responses=_QUESTION,
    response_description="The tutorial.",
    operation_id="give_lesson",
    summary="Give a game's tutorial",
)
async def give_lesson(request: Request, game: GameKey) -> Response:
    """Its steps, each with a position to solve."""
    lesson = await _ask(request, "lesson", game=game)
    for step in lesson["steps"]:
        del step["learnt"]
    return json_response(lesson)


@router.post(
    "/learn/{game}/{step}",
    response_model=study_shapes.StepSaid,
    responses=problems(*CHANGE, 503),
    response_description="What is said to the answer.",
    operation_id="answer_step",
    summary="Answer a step of a tutorial",
)
async def answer_step(
    request: Request,
    game: GameKey,
    step: Annotated[int, Path(ge=1, le=99, description="The step's number.")],
    given: study_shapes.StepAnswer,
) -> Response:
    """Is it right, and what is to be said of it? Nothing is kept."""
    return json_response(await _ask(request, "step", game=game, step=step, text=given.answer))


async def _ask(request: Request, question: str, **values: str | int | None) -> dict[str, Any]:
    answer: dict[str, Any] = await request.app.state.thinkers.ask(question, **values)
    return answer


def _which(
    day: str | None, seed: str | None, kind: str | None, rating: int | None
) -> dict[str, str | int | None]:
    today = datetime.now(UTC).date().isoformat()
    return {
        "day": day if day is not None or seed is not None else today,
        "seed": seed,
        "kind": kind,
        "rating": rating,
    }
