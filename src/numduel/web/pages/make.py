"""Make your own: pick what a turn may do, and play it, see its map, send it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from numduel.board import Board
from numduel.errors import InvalidRule, NumduelError
from numduel.games import Game, OwnRule, all_games, keys, load
from numduel.games.own import own_rule
from numduel.games.own.text import in_grammar
from numduel.study.puzzles import CHOICES
from numduel.thinking.questions import position
from numduel.web.links import base_of, only_here
from numduel.web.pages.explored_board import Found
from numduel.web.pages.new_room_form import Form, Row, Unfit
from numduel.web.pages.picked_rule import AMOUNTS, DIVISORS, Picked, words
from numduel.web.pages.rendering import encoded, page
from numduel.web.pages.rules import lesson
from numduel.web.qr import qr_picture
from numduel.web.state import thinkers_of
from numduel.wording.rule_in_short import rule_in_short

router = APIRouter(include_in_schema=False)

_FIRST = ("subtract-1-3-4", "21")
"""The rule that the page begins with."""
_CELLS = 50
_QR_SECONDS = 0.1
"""What drawing a long address as a QR code costs."""
_NOTHING = "Choose at least one thing that a turn may do."
_UNFIT = 422


class Known(NamedTuple):
    """A known game to start from."""

    name: str
    rule: str
    number: str
    says: str


GALLERY = (
    Known("21", "subtract-1-to-3", "21", "Take 1, 2 or 3. Most people's first strategy game."),
    Known("A Nim heap", "subtract-any", "21", "Take as much as you like. Two heaps make Nim."),
    Known("Bachet's game", "subtract-1-to-10", "100", "Take 1 to 10 from 100. In print in 1612."),
    Known("Take 1, 3 or 4", "subtract-1-3-4", "21", "Three amounts, and a pattern to find."),
    Known("Subtract a square", "subtract-square", "60", "Take 1, 4, 9, 16 and so on. Can you"
          " find a pattern in its traps?"),
    Known("Halve or take 1", "halve-or-subtract-1", "50", "Even numbers can be cut in half."),
    Known("Fibonacci numbers", "subtract-fibonacci", "60", "Take 1, 2, 3, 5, 8, 13 and so on."),
    Known("Powers of 2", "subtract-power-of-2", "50", "Take 1, 2, 4, 8 and so on."),
    Known("Triangular numbers", "subtract-triangular", "60", "Take 1, 3, 6, 10 and so on."),
    Known("A smaller divisor", "subtract-proper-divisor", "60", "Down to 1, where nothing is left"
          " to take."),
    Known("A digit or a divisor", "subtract-digit-or-subtract-proper-divisor", "60", "Two rules in"
          " one. The divisor is smaller than the number."),
    Known("Halves and thirds", "divide-by-2-3-or-subtract-1", "100", "Large steps or small ones."),
)  # fmt: skip
"""Known games under their own names."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for: what was picked, the rule as text, number and ending."""

    picked: Picked
    rule: str
    number: str
    misere: bool

    @classmethod
    def of(cls, request: Request) -> Asked:
        """The text counts where it differs from what its field showed, else what was picked."""
        asked = request.query_params
        picked = Picked.of(asked.multi_items())
        typed = in_grammar(asked.get("rule", ""))
        number = asked.get("number", "").strip()
        if typed == in_grammar(asked.get("was", "")):
            typed = picked.text
        if not asked:
            typed, number = _FIRST
        typed, colon, told = typed.partition(":")
        return cls(picked, typed, told if colon else number, bool(asked.get("misere")))

    def board(self, request: Request) -> Board:
        """The board. Raises `Unfit`."""
        try:
            game = load(self.rule) if self.rule in keys() else own_rule(self.rule)
        except NumduelError as error:
            raise Unfit("rule", error, None if self.rule else _NOTHING) from error
        form = Form(rows=(Row(game.key, self.number),), misere=self.misere)
        return form.terms(request.app.state.settings.limits).board


@router.get("/make")
async def make(request: Request) -> Response:
    """The tiles, and all about the rule that they make."""
    asked = Asked.of(request)
    try:
        board = asked.board(request)
    except Unfit as unfit:
        return _page(request, asked, unfit=unfit)
    told = _fields(board)
    if request.query_params and request.query_params.multi_items() != told:
        return RedirectResponse(f"/make?{urlencode(told)}", 303)
    game, number = board.numbers[0]
    if isinstance(game, OwnRule):
        asked = Asked(Picked.of_rule(game.rule), game.key, str(number), board.misere)
    least = str(Board.of(game, max(1, game.least), board.misere))  # the answers fit any number
    found = Found()
    seen = thinkers_of(request).ask(position.overview, board=least, to=_CELLS)
    drawn = await found.told("map", seen)
    found.map = drawn
    return _page(request, asked, board, found=found, pattern=drawn and drawn["pattern"])


@router.get("/make/qr.svg")
async def made_picture(request: Request) -> Response:
    """The address at which the game can be played, as a QR code."""
    try:
        board = Asked.of(request).board(request)
    except Unfit as unfit:
        raise unfit.error from unfit
    thinkers_of(request).pay(_QR_SECONDS)
    return await qr_picture(_link(request, board))


def _known(game: Game) -> Known:
    """One of the built-in games."""
    rule = rule_in_short(Board.of(game, game.default_start))[0]
    return Known(game.title, game.key, str(game.default_start), rule)


def _fields(board: Board) -> list[tuple[str, str]]:
    """The fields of the page's own address for this board."""
    game, number = board.numbers[0]
    misere = [("misere", "1")] if board.misere else []
    return [("rule", game.key), ("number", str(number)), *misere]


def _link(request: Request, board: Board) -> str:
    return f"{base_of(request)}?board={encoded(board)}"


def _page(
    request: Request,
    asked: Asked,
    board: Board | None = None,
    *,
    unfit: Unfit | None = None,
    found: Found | None = None,
    pattern: str | None = None,
) -> Response:
    wrong = defaultdict(str, {unfit.where: unfit.said} if unfit else {})
    error = unfit.error if unfit else None
    return page(
        request,
        "make.html",
        _UNFIT if unfit else 200,
        asked=asked,
        picked=asked.picked,
        amounts=AMOUNTS,
        divisors=DIVISORS,
        words=words(),
        board=board,
        says=rule_in_short(board) if board else [],
        square=found.square(board) if board and found else None,
        map_wrong=found.wrong.get("map") if found else None,
        pattern=pattern,
        query=urlencode(_fields(board)) if board else "",
        only_here=only_here(request),
        link=_link(request, board) if board else "",
        wrong=wrong,
        has_puzzle=board is not None and _has_puzzle(board.numbers[0].game),
        has_lesson=board is not None and bool(lesson(board.numbers[0].game)),
        nearest=error.nearest if isinstance(error, InvalidRule) else None,
        gallery=[*GALLERY, *map(_known, all_games())],
    )


def _has_puzzle(game: Game) -> bool:
    """Does the rule ever allow as many moves as a puzzle needs?"""
    if not isinstance(game, OwnRule) or game.rule.words:
        return True
    return len(game.amounts) + len(game.divisors) >= CHOICES
