"""The daily duel on its page. What was played is in the address, and kept in the browser alone.

The boards are small: a page of it takes a few milliseconds, without thinkers.
"""

from datetime import UTC, date, datetime, timedelta

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from numduel.errors import NumduelError
from numduel.match import Turn
from numduel.solver import solve
from numduel.study.daily import FIRST_DAY, TRIES, Play, daily_duel, play_duel
from numduel.web.pages.board import choices, numbers, what_is_allowed
from numduel.web.pages.errors import UNFIT, sentence, status_of
from numduel.web.pages.play.number_line import lines_of
from numduel.web.pages.play.table import NOTHING_TRIED, Attempt
from numduel.web.pages.rendering import address, fields, page, router
from numduel.web.state import base_of, thinkers_of
from numduel.wording.text import said_move
from numduel.wording.why import why

_NO_DAY = "There is no such day. Here is today's duel."
_FUTURE = "That day is still to come. Here is today's duel."
_MOVES = 18
"""Moves of three tries; nobody can play more."""


def today() -> date:
    """Days begin and end in UTC."""
    return datetime.now(UTC).date()


@router.get("/daily")
async def daily_page(request: Request) -> Response:
    day, told = _day(request.query_params.get("day", ""))
    played = request.query_params.get("played", "").split(".")
    try:
        play = play_duel(daily_duel(day), filter(None, played[:_MOVES]))
    except NumduelError:
        play, told = Play(daily_duel(day), ()), told or "That was not played. It begins anew."
    return await _page(request, play, told, status=UNFIT if told else 200)


@router.post("/daily")
async def daily_move(request: Request) -> Response:
    form = await fields(request)
    day, _ = _day(form.get("day", ""))
    played, move = form.get("played", "").split(".")[:_MOVES], form.get("move", "")
    play = Play(daily_duel(day), ())
    try:
        play = play_duel(play.duel, filter(None, played))
        play = play_duel(play.duel, [*filter(None, played), move])
    except NumduelError as error:
        attempt = Attempt(sentence(error), move, at_field=True)
        return await _page(request, play, "", attempt, status_of(error))
    return RedirectResponse(address("/daily", day=day, played=play.played), 303)


def _day(asked: str) -> tuple[date, str]:
    """The day that is asked for; or today, and what to say of it."""
    try:
        day = date.fromisoformat(asked) if asked else today()
    except ValueError:
        day = date.min
    if FIRST_DAY <= day <= today():
        return day, ""
    return today(), _FUTURE if day > today() else _NO_DAY


async def _page(
    request: Request, play: Play, told: str, attempt: Attempt = NOTHING_TRIED, status: int = 200
) -> Response:
    duel, board = play.duel, play.board
    shown = numbers(board) if play.over else await choices(board, thinkers_of(request), duel.board)
    ways = (left for turn in play.turns for left in (turn.left, turn.after))
    return page(
        request,
        "daily.html",
        status,
        play=play,
        duel=duel,
        board=board,
        today=today(),
        is_today=duel.day == today(),
        told=told,
        numbers=shown,
        lines=lines_of(duel.board, [Turn(at % 2, None, left) for at, left in enumerate(ways)]),
        last=play.last,
        said=said_move,
        why=why(solve(duel.board), play.won_by) if play.over else [],
        tries=TRIES,
        hidden=[("day", duel.day.isoformat()), ("played", play.played)],
        allowed="" if play.over else what_is_allowed(board, shown),
        attempt=attempt,
        before=duel.day - timedelta(days=1) if duel.day > FIRST_DAY else None,
        after=duel.day + timedelta(days=1) if duel.day < today() else None,
        link=f"{base_of(request)}{address('daily', day=duel.day)}",
    )
