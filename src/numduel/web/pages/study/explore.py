"""Explore: who wins a board, why, by which moves; and the map around it, shown and as a file."""

import asyncio
import re
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, TypeVar

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from numduel.arithmetic.expressions import read_expression
from numduel.board import Board
from numduel.drawing import square as drawing
from numduel.errors import InvalidNumber, NumduelError, Unanswerable
from numduel.games import keys
from numduel.thinking.questions import position
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages import board as boards
from numduel.web.pages.board import after, shown_move
from numduel.web.pages.errors import Trying, sentence, status_of
from numduel.web.pages.form import games_with
from numduel.web.pages.rendering import address, download, page, router, table_file
from numduel.web.state import lobby_of, thinkers_of
from numduel.wording import brief

A = TypeVar("A")

SIZES = (100, 200, 500, 1000)
_COLUMNS = 10


def _part(asked: Mapping[str, str], board: Board) -> dict[str, Any]:
    """The part of the map that the address asks for, and whether with values; else the first
    hundred, or what is around a larger number: then it goes `to` no end of its own.
    """
    to = {str(size): size for size in SIZES}.get(asked.get("to", ""))
    if "to" not in asked and board.numbers[0].value <= SIZES[0]:
        to = SIZES[0]
    return {"to": to, "values": asked.get("values") == "1" and not board.misere}


@dataclass(slots=True)
class Found:
    """What the thinkers say about a board. What they could not find is None, with a sentence."""

    board: Board
    verdict: position.ExplainedVerdict | None = None
    moves: position.Moves | None = None
    map: position.TitledMap | None = None
    wrong: dict[str, str] = field(default_factory=dict)
    status: int = 200

    async def told(self, what: str, asked: Awaitable[A] | None) -> A | None:
        try:
            return await asked if asked else None
        except NumduelError as error:
            self.wrong[what] = sentence(error)
            if what == "verdict" and not isinstance(error, Unanswerable):
                self.status = status_of(error)
            return None

    @property
    def moves_to_show(self) -> list[tuple[boards.ShownMove, str, bool | None]]:
        """All moves if few, else those that win; each with its board, and if it wins."""
        texts = winning = self.verdict["winning_moves"] if self.verdict else []
        others = False if self.verdict is not None and self.verdict["complete"] else None
        if self.moves and self.moves["complete"]:
            texts = [one["move"] for one in self.moves["moves"]]
        return [
            (shown_move(self.board, move), str(after(self.board, move)), text in winning or others)
            for text in texts
            for move in [self.board.parse_move(text)]
        ]

    @property
    def cells(self) -> list[boards.Cell]:
        drawn, here = self.map, self.board.numbers[0].value
        if drawn is None:
            return []
        told = drawn["numbers"], drawn["lost"], drawn["values"], drawn["unknown"]
        return boards.cells_of(str(self.board), here, *told)


@router.get("/explore/map.csv")
@router.get("/explore/map.svg")
async def map_file(request: Request) -> Response:
    """The map as a picture; or as a table, a row for each number: whether the player to move wins
    or loses, and its Grundy value.
    """
    asked = request.query_params
    board = Board.parse(asked.get("board", "").strip().lower())
    ask, part = thinkers_of(request).ask, _part(asked, board)
    drawn = await ask(position.map_of, board=str(board), **part)
    numbers, lost, unknown = drawn["numbers"], set(drawn["lost"]), set(drawn["unknown"])
    cells = [
        drawing.Cell(n, None if n in unknown else n in lost, value)
        for n, value in zip_longest(numbers, drawn["values"] or ())
    ]
    if request.url.path.endswith(".csv"):
        outcomes = {True: "loss", False: "win", None: ""}
        rows = [(cell.number, outcomes[cell.lost], cell.value) for cell in cells]
        return table_file([("number", "outcome", "grundy"), *rows], f"{drawn['game']}.csv", "\n")
    title = f"{drawn['title']}, {brief(numbers[0])} to {brief(numbers[-1])}"
    draw = drawing.draw_values if drawn["values"] else drawing.draw_square
    picture = draw(title, cells, _COLUMNS)
    return download(str(picture), "image/svg+xml", f"{drawn['game']}.svg")


_SIGNS = r"0-9 _'^*\u2212\u00d7\u00b7\u00a0\u202f-"
_BARE = re.compile(rf"[0-9][,+{_SIGNS}]*", re.ASCII)
_NUMBER = re.compile(
    rf":\s*+([0-9](?:[{_SIGNS}]|[,+](?!\s*[a-z]))*+)\s*+(?=[,+]\s*[a-z]|~|$)", re.ASCII
)
"""A game's number. No part gives back what it took (`*+`): strangers' text is gone through once."""

_FEW, _FEWER = 40, 10  # moves that are listed; of numbers beyond `_SHORT` digits, fewer
_SHORT = 60

EXAMPLES = (
    # The page opens with the first.
    ("divisor-duel:60", "Divisor Duel from 60"),
    ("subtract-a-prime:20~misere", "Subtract a Prime from 20, misère"),
    ("subtract-a-prime:20+divisor-duel:60", "Two numbers at once"),
    ("digit-subtraction-duel:2^89-1", "Digit Subtraction Duel from 2^89-1"),
    (f"digit-subtraction-duel:{'9876543210' * 40}", "A number of 400 digits"),
)


def read_board(text: str, game: str) -> Board:
    """The board; a number alone is one of this game. Raises what cannot be read as a board."""
    lowered = text.strip().lower()
    if _BARE.fullmatch(lowered):
        return Board.parse(f"{game}:{read_expression(lowered)}")
    return Board.parse(_NUMBER.sub(_in_digits, lowered))


def _in_digits(found: re.Match[str]) -> str:
    try:
        return f":{read_expression(found[1])}"
    except InvalidNumber:
        return found[0]  # the sentence about the board says so


@router.get("/explore")
async def explore(request: Request) -> Response:
    asked, board, part, found = request.query_params, None, None, None
    picks = not asked.get("board") and bool(asked.get("game"))
    text = "" if picks else asked.get("board", "").strip() or EXAMPLES[0][0]
    with Trying(request):
        if picks:
            return RedirectResponse(address("/explore", board=_picked(asked)), 303)
        board = read_board(text, keys()[0])
    if board is not None:
        part = _part(asked, board)
        found = await _find(thinkers_of(request), board, part)
        text = str(board)
    first = board.numbers[0] if board and len(board.numbers) == 1 else None
    game = first.game.key if first else asked.get("game", "")
    return page(
        request,
        "explore.html",
        found.status if found else 200,
        text=text,
        picks=picks,
        games=games_with([game]),
        game=game,
        first=first,
        asked=asked,
        examples=EXAMPLES,
        board=board,
        is_example=not asked.get("board") and not picks,
        found=found,
        fits=board is not None and boards.is_playable(board, lobby_of(request).bounds),
        part=part,
        sizes=SIZES,
    )


def _picked(asked: Mapping[str, str]) -> Board:
    """The board that the pickers make up. Raises what does not fit."""
    value = read_expression(asked.get("number", "").strip())
    board = Board.parse(f"{asked['game']}:{value}{'~misere' if asked.get('misere') else ''}")
    variants = board.numbers[0].game.variants
    return board.having(**{name: asked[name] for name in variants if asked.get(name)})


async def _find(thinkers: Thinkers, board: Board, part: dict[str, Any]) -> Found:
    """Ask for everything at once; a question without an answer does not spoil the rest."""
    text, found, count = str(board), Found(board), len(board.numbers)
    few = _FEW if len(text) <= _SHORT * count else _FEWER
    found.verdict, found.moves, found.map = await asyncio.gather(
        found.told("verdict", thinkers.ask(position.verdict, board=text, most=few)),
        found.told("moves", thinkers.ask(position.moves, board=text, most=few)),
        found.told("map", thinkers.ask(position.map_of, text, **part) if count == 1 else None),
    )
    return found
