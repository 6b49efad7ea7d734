"""Puzzles to train with: a series that rises until the first miss, or any near a rating."""

from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from secrets import token_hex

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from numduel.board import Board
from numduel.errors import NumduelError
from numduel.games import load
from numduel.running.puzzle_sheet import COUNT, MOST, STYLE
from numduel.study.puzzles import CHOSEN, RATINGS, SEVERAL
from numduel.thinking.questions import learning
from numduel.web.pages.board import numbers, shown_move
from numduel.web.pages.errors import UNFIT, sentence, status_of
from numduel.web.pages.rendering import address, fields, page, router, whole
from numduel.web.state import base_of, thinkers_of
from numduel.wording.text import said_move

_BUTTONS = 24
"""Moves up to this many are buttons; more are typed."""

_SEED = 40

_NO_KIND = "There are no puzzles of that kind. Here is one of any kind."
_LONGEST = 99
"""Puzzles of a series: nobody gets so far."""

_LEVELS = (("Easy", 600), ("Medium", 1200), ("Hard", 1600))
_OTHERS = (("An easier one", -200), ("One like this", 0), ("A harder one", 200))

_HASH = b64encode(sha256(STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; img-src 'self'; form-action 'none';"
    " base-uri 'none'; frame-ancestors 'none'"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which puzzle: that of a seed near a rating, or at a place of its series; about one game, or
    any.
    """

    seed: str
    kind: str | None = None
    rating: int | None = None
    place: int | None = None
    told: str = ""
    """What to say if the address asks for none."""

    @property
    def which(self) -> tuple[str, str | None, int | None, int | None]:
        """What the thinkers are asked with."""
        return self.seed, self.kind, self.rating, self.place

    def at(self, place: int | None) -> str:
        """The address; of a series, at this place."""
        if self.place is None:
            return address("/puzzle", rating=self.rating, seed=self.seed, kind=self.kind)
        return address("/puzzle", series=self.seed, at=place, kind=self.kind)


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
    said = {}
    if answer and judged and puzzle["asks"] == "move":
        both = (answer, judged["solution"])
        said = {text: said_move(board, board.parse_move(text)) for text in both}
    return page(
        request,
        "puzzle.html",
        status,
        asked=asked,
        puzzle=puzzle,
        shown=numbers(board),
        board=board,
        moves=[shown_move(board, move) for move in moves if len(moves) <= _BUTTONS],
        kinds=_kinds(asked.kind),
        sheet_levels=[("", "Any level"), *((rating, words) for words, rating in _LEVELS)],
        levels=_LEVELS,
        others=[(words, puzzle["rating"] + harder) for words, harder in _OTHERS],
        link=f"{base_of(request)}{asked.at(None)[1:]}",
        answer=answer or "",
        said=said,
        judged=judged,
        wrong=wrong,
    )


def _asked_for(request: Request) -> Asked:
    """The puzzle that the address asks for: near a rating, or of a series; without a seed, any."""
    asked = request.query_params
    kind: str | None = asked.get("kind") or None
    told = ""
    if kind is not None and kind not in CHOSEN:
        try:
            kind = load(kind.lower()).key
        except NumduelError:
            kind, told = None, _NO_KIND
    if "rating" in asked:
        rating = whole(asked["rating"], _LEVELS[0][1], *RATINGS)
        return Asked(asked.get("seed", "")[:_SEED] or token_hex(4), kind, rating, told=told)
    place = whole(asked.get("at"), 1, 1, _LONGEST)
    return Asked(asked.get("series", "")[:_SEED] or token_hex(4), kind, place=place, told=told)


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
    given = seed or token_hex(4)
    at = address("puzzle/sheet", kind=kind, rating=rating, count=count, seed=given)
    if not seed:
        return RedirectResponse(f"/{at}", 303)
    again = f"{base_of(request)}{at}"
    made = await thinkers_of(request).ask(learning.sheet, seed, kind, rating, count, again)
    return HTMLResponse(made["page"], headers={"Content-Security-Policy": _POLICY})
