"""Puzzles of the day, and by rating. Answers are kept in the browser alone, by `puzzle.js`."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from itertools import islice
from secrets import token_hex

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from numduel.board import Board
from numduel.errors import NumduelError
from numduel.games import load
from numduel.running.puzzle_sheet import COUNT, MOST, STYLE
from numduel.study.puzzles import DAILY, RATINGS, SEVERAL
from numduel.thinking.questions import learning
from numduel.web.pages.board import moves_of, numbers
from numduel.web.pages.errors import UNFIT, sentence, status_of
from numduel.web.pages.rendering import address, fields, page, router, whole
from numduel.web.state import base_of, thinkers_of
from numduel.wording.text import typed_move

_BUTTONS = 24
"""Moves up to this many are buttons; more are typed."""

_SEED = 40

_NO_DAY = "There is no such day. Here is today's puzzle."
_FUTURE = "That day is still to come. Here is today's puzzle."
_NO_KIND = "There are no puzzles of that kind. Here is one of any kind."

_LEVELS = (("Easy", 600), ("Medium", 1200), ("Hard", 1600))
_OTHERS = (("An easier one", -200), ("One like this", 0), ("A harder one", 200))

_HASH = b64encode(sha256(STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; img-src 'self'; form-action 'none';"
    " base-uri 'none'; frame-ancestors 'none'"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which puzzle: that of a day, or that of a seed near a rating; about one game, or any."""

    day: date
    kind: str | None = None
    seed: str | None = None
    rating: int = 0
    told: str = ""
    """What to say if the address asks for none."""

    @property
    def which(self) -> tuple[str | None, str | None, str | None, int | None]:
        """The day, the seed, the kind and the rating that the thinkers are asked with."""
        if self.seed is None:
            return self.day.isoformat(), None, self.kind, None
        return None, self.seed, self.kind, self.rating

    @property
    def address(self) -> str:
        if self.seed is None:
            return address("/puzzle", day=self.day, kind=self.kind)
        return address("/puzzle", rating=self.rating, seed=self.seed, kind=self.kind)


def today() -> date:
    """The day of the puzzle: days begin and end in UTC."""
    return datetime.now(UTC).date()


@router.get("/puzzle")
@router.post("/puzzle")
async def puzzle_page(request: Request) -> HTMLResponse:
    asked, thinkers = _asked_for(request), thinkers_of(request)
    answer = (await fields(request)).get("answer", "") if request.method == "POST" else None
    puzzle = await thinkers.ask(learning.puzzle, *asked.which)
    board = Board.parse(puzzle["board"])
    judged, wrong, status = None, "", UNFIT if asked.told else 200
    if answer is not None:
        try:
            judged = await thinkers.ask(learning.answer, answer, *asked.which)
        except NumduelError as error:
            wrong, status = sentence(error), status_of(error)
    moves = list(islice(board.moves(), _BUTTONS + 1)) if puzzle["asks"] == "move" else []
    day, typed = asked.day, {}
    if answer and judged and puzzle["asks"] == "move":
        said = (answer, judged["solution"])
        typed = {text: typed_move(board, board.parse_move(text)) for text in said}
    return page(
        request,
        "puzzle.html",
        status,
        asked=asked,
        puzzle=puzzle,
        shown=numbers(board),
        board=board,
        moves=moves_of(board, moves) if len(moves) <= _BUTTONS else [],
        is_today=asked.seed is None and day == today(),
        before=day - timedelta(days=1) if day > date.min else None,
        after=day + timedelta(days=1) if day < today() else None,
        kinds=_kinds(asked.kind),
        sheet_levels=[("", "Any level"), *((rating, words) for words, rating in _LEVELS)],
        levels=_LEVELS,
        others=[(words, puzzle["rating"] + harder) for words, harder in _OTHERS],
        link=f"{base_of(request)}{asked.address[1:]}",
        answer=answer or "",
        typed=typed,
        judged=judged,
        wrong=wrong,
    )


def _asked_for(request: Request) -> Asked:
    """The puzzle that the address asks for; any one near a rating that comes without a seed."""
    asked = request.query_params
    kind: str | None = asked.get("kind") or None
    told = ""
    if kind is not None and kind not in DAILY:
        kind = _game(kind)
        told = "" if kind else _NO_KIND
    if "rating" in asked:
        rating = whole(asked["rating"], _LEVELS[0][1], *RATINGS)
        return Asked(today(), kind, asked.get("seed", "")[:_SEED] or token_hex(4), rating, told)
    try:
        day = date.fromisoformat(asked.get("day") or today().isoformat())
    except ValueError:
        return Asked(today(), kind, told=_NO_DAY)
    return Asked(today(), kind, told=_FUTURE) if day > today() else Asked(day, kind, told=told)


def _game(kind: str) -> str | None:
    """The key of an own rule or of another game; None for anything else."""
    try:
        return load(kind.lower()).key
    except NumduelError:
        return None


def _kinds(asked: str | None) -> list[tuple[str, str]]:
    kinds = dict.fromkeys([*DAILY, asked or SEVERAL])
    titles = [(kind, load(kind).title) for kind in kinds if kind != SEVERAL]
    return [("", "Any game"), *titles, (SEVERAL, "Several numbers")]


@router.get("/puzzle/sheet")
async def puzzle_sheet(request: Request) -> Response:
    asked = request.query_params
    kind = asked.get("kind") or None
    rating = whole(asked.get("rating"), 0, *RATINGS) or None
    count = whole(asked.get("count"), COUNT, 1, MOST)
    seed = asked.get("seed", "")[:_SEED]
    given = seed or token_hex(4)
    at = address("puzzle/sheet", kind=kind, rating=rating, count=count, seed=given)
    if not seed:
        return RedirectResponse(f"/{at}", 303)
    again = f"{base_of(request)}{at}"
    made = await thinkers_of(request).ask(learning.sheet, seed, kind, rating, count, again)
    return HTMLResponse(made["page"], headers={"Content-Security-Policy": _POLICY})
