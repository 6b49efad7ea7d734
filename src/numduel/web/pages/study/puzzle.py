"""Puzzles to train with: a series that rises until the first miss, or any near a rating; and the
daily duel, whose moves are in the address, and kept in the browser alone.
"""

from base64 import b64encode
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from itertools import islice
from secrets import token_hex
from typing import NamedTuple

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from numduel.board import Board
from numduel.errors import NumduelError
from numduel.games import load
from numduel.match import Turn
from numduel.running.puzzle_sheet import COUNT, MOST, STYLE
from numduel.solver import solve
from numduel.study.duels import FIRST_DAY, TRIES, Play, daily_duel, play_duel
from numduel.study.puzzles import CHOSEN, RATINGS, SEVERAL
from numduel.thinking.questions import learning
from numduel.web.pages.board import choices, lines_of, numbers, shown_move
from numduel.web.pages.errors import UNFIT, Trying
from numduel.web.pages.rendering import address, fields, page, router, whole
from numduel.web.state import base_of, thinkers_of
from numduel.wording.text import said_move
from numduel.wording.why import why

_NO_DAY = "There is no such day. Here is today's duel."
_FUTURE = "That day is still to come. Here is today's duel."
_NOT_PLAYED = "That was not played. It begins anew."
_MOVES = 18  # moves of three tries; nobody can play more

_BUTTONS = 24  # moves up to this many are buttons; more are typed
_SEED = 40
_NO_KIND = "There are no puzzles of that kind. Here is one of any kind."
_LONGEST = 99  # puzzles of a series: nobody gets so far
_LEVELS = [(600, "Easy"), (1200, "Medium"), (1600, "Hard")]

_HASH = b64encode(sha256(STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; img-src 'self'; form-action 'none';"
    " base-uri 'none'; frame-ancestors 'none'"
)


class Asked(NamedTuple):
    """Which puzzle: of a seed, near a rating or at a place of its series; about one game or any."""

    seed: str
    kind: str | None
    rating: int | None
    place: int | None

    def at(self, place: int | None) -> str:
        """The address; of a series, at this place."""
        if self.place is None:
            return address("/puzzle", rating=self.rating, seed=self.seed, kind=self.kind)
        return address("/puzzle", series=self.seed, at=place, kind=self.kind)


@router.get("/puzzle")
@router.post("/puzzle")
async def puzzle_page(request: Request) -> HTMLResponse:
    (asked, told), thinkers = _asked_for(request), thinkers_of(request)
    answer = (await fields(request)).get("answer", "") if request.method == "POST" else None
    puzzle = await thinkers.ask(learning.puzzle, *asked)
    board, asks_move = Board.parse(puzzle["board"]), puzzle["asks"] == "move"
    judged = None
    if answer is not None:
        with Trying(request):
            judged = await thinkers.ask(learning.answer, answer, *asked)
    moves = list(islice(board.moves(), _BUTTONS + 1)) if asks_move else []
    both = (answer, judged["solution"]) if answer and judged and asks_move else ()
    return page(
        request,
        "puzzle.html",
        UNFIT if told else 200,
        asked=asked,
        told=told,
        puzzle=puzzle,
        board=board,
        moves=[shown_move(board, move) for move in moves if len(moves) <= _BUTTONS],
        kinds=_kinds(asked.kind),
        levels=_LEVELS,
        answer=answer or "",
        said={text: said_move(board, board.parse_move(text)) for text in both},
        judged=judged,
    )


def _asked_for(request: Request) -> tuple[Asked, str]:
    """The puzzle that the address asks for, without a seed any; and what to say of it."""
    asked = request.query_params
    kind, told = asked.get("kind") or None, ""
    if kind is not None and kind not in CHOSEN:
        try:
            kind = load(kind.lower()).key
        except NumduelError:
            kind, told = None, _NO_KIND
    near = "rating" in asked
    seed = asked.get("seed" if near else "series", "")[:_SEED] or token_hex(4)
    rating = whole(asked["rating"], _LEVELS[0][0], *RATINGS) if near else None
    place = None if near else whole(asked.get("at"), 1, 1, _LONGEST)
    return Asked(seed, kind, rating, place), told


def _kinds(asked: str | None) -> list[tuple[str, str]]:
    kinds = dict.fromkeys([*CHOSEN, asked or SEVERAL])
    titles = [(kind, load(kind).title) for kind in kinds if kind != SEVERAL]
    return [("", "Any game"), *titles, (SEVERAL, "Several numbers")]


@router.get("/puzzle/sheet")
async def puzzle_sheet(request: Request) -> Response:
    asked = request.query_params
    kind = asked.get("kind") or None
    rating = whole(asked.get("rating"), 0, *RATINGS) or None
    count = whole(asked.get("count"), COUNT, 1, MOST)
    seed = asked.get("seed", "")[:_SEED]
    at = address("puzzle/sheet", kind=kind, rating=rating, count=count, seed=seed or token_hex(4))
    if not seed:
        return RedirectResponse(f"/{at}", 303)
    again = f"{base_of(request)}{at}"
    made = await thinkers_of(request).ask(learning.sheet, seed, kind, rating, count, again)
    return HTMLResponse(made["page"], headers={"Content-Security-Policy": _POLICY})


def today() -> date:
    """Days begin and end in UTC."""
    return datetime.now(UTC).date()


def _day(asked: str) -> tuple[date, str]:
    """The day that is asked for; or today, and what to say of it."""
    try:
        day = date.fromisoformat(asked) if asked else today()
    except ValueError:
        day = date.min
    if FIRST_DAY <= day <= today():
        return day, ""
    return today(), _FUTURE if day > today() else _NO_DAY


@router.get("/daily")
@router.post("/daily")
async def daily_page(request: Request) -> Response:
    """A day's duel after what was played, or a move in it. Its boards are small: no thinkers."""
    moves = request.method == "POST"
    asked = await fields(request) if moves else request.query_params
    (day, told), move = _day(asked.get("day", "")), asked.get("move", "")
    played = [one for one in asked.get("played", "").split(".")[:_MOVES] if one]
    duel = daily_duel(day)
    play = Play(duel, ())
    try:
        play = play_duel(duel, played)
    except NumduelError:
        told = told or ("" if moves else _NOT_PLAYED)
    if moves:
        with Trying(request, "move", asked):
            play = play_duel(duel, [*played, move])
            return RedirectResponse(address("/daily", day=day, played=play.played), 303)
    board, over = play.board, play.over
    shown = numbers(board) if over else await choices(board, thinkers_of(request), duel.board)
    ways = (left for turn in play.turns for left in (turn.left, turn.after))
    return page(
        request,
        "daily.html",
        UNFIT if told else 200,
        play=play,
        duel=duel,
        today=today(),
        told=told,
        numbers=shown,
        lines=lines_of(duel.board, [Turn(at % 2, None, left) for at, left in enumerate(ways)]),
        why=why(solve(duel.board), play.won_by) if over else [],
        tries=TRIES,
        before=day - timedelta(days=1) if day > FIRST_DAY else None,
        after=day + timedelta(days=1) if day < today() else None,
    )
