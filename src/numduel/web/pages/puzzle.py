"""The puzzle of a day: the same for everybody, and nobody's answer is kept."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import islice

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from numduel.board import Board
from numduel.errors import NumduelError
from numduel.games import load
from numduel.study.puzzles import DAILY, SEVERAL
from numduel.thinking.questions import learning
from numduel.web.pages.board_view import moves_of, numbers
from numduel.web.pages.errors import sentence
from numduel.web.pages.forms import fields
from numduel.web.pages.rendering import encoded, page
from numduel.web.problems import status_of
from numduel.web.state import thinkers_of

router = APIRouter(include_in_schema=False)

_BUTTONS = 24
"""Moves up to this many are buttons; more are typed."""

_NO_DAY = "There is no such day. Here is the puzzle of today."
_FUTURE = "That day is still to come. Here is the puzzle of today."
_NO_KIND = "There are no puzzles of that kind. Here is one of any kind."


def today() -> date:
    """The day of the puzzle: days begin and end in UTC."""
    return datetime.now(UTC).date()


@router.get("/puzzle")
async def puzzle_page(request: Request) -> HTMLResponse:
    """The puzzle, as a question."""
    return await _page(request)


@router.post("/puzzle")
async def puzzle_answer(request: Request) -> HTMLResponse:
    """The puzzle again, with what is said to the answer."""
    return await _page(request, (await fields(request)).get("answer", ""))


async def _page(request: Request, answer: str | None = None) -> HTMLResponse:
    thinkers = thinkers_of(request)
    day, kind, told = _asked_for(request)
    puzzle = await thinkers.ask(learning.puzzle, day=day.isoformat(), kind=kind)
    board = Board.parse(puzzle["board"])
    judged, wrong, status = None, "", 422 if told else 200
    if answer is not None:
        try:
            judged = await thinkers.ask(
                learning.answer, text=answer, day=day.isoformat(), kind=kind
            )
        except NumduelError as error:
            wrong, status = sentence(error), status_of(error)
    moves = list(islice(board.moves(), _BUTTONS + 1)) if puzzle["asks"] == "move" else []
    return page(
        request,
        "puzzle.html",
        status,
        puzzle=puzzle,
        shown=numbers(board),
        moves=moves_of(board, moves) if len(moves) <= _BUTTONS else [],
        day=day,
        is_today=day == today(),
        before=day - timedelta(days=1) if day > date.min else None,
        after=day + timedelta(days=1) if day < today() else None,
        kind=kind or "",
        kinds=_kinds(),
        address=_address(day, kind),
        told=told,
        answer=answer or "",
        judged=judged,
        wrong=wrong,
    )


def _asked_for(request: Request) -> tuple[date, str | None, str]:
    """The day and the kind that the address asks for, and what is to be told of that."""
    kind: str | None = request.query_params.get("kind") or None
    told = ""
    if kind is not None and kind not in DAILY:
        kind, told = None, _NO_KIND
    written = request.query_params.get("day") or today().isoformat()
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return today(), kind, _NO_DAY
    return (today(), kind, _FUTURE) if day > today() else (day, kind, told)


def _kinds() -> list[tuple[str, str]]:
    titles = [(kind, load(kind).title) for kind in DAILY if kind != SEVERAL]
    return [("", "Any"), *titles, (SEVERAL, "Several numbers")]


def _address(day: date, kind: str | None) -> str:
    """Where the answer is sent."""
    return f"/puzzle?day={day.isoformat()}" + (f"&kind={encoded(kind)}" if kind else "")
