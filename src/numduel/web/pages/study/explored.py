"""What was found out about an explored board, and the part of its map: shown, as CSV, as SVG."""

from __future__ import annotations

import csv
import io
from collections.abc import Awaitable
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Self, TypeVar

from fastapi import Request
from fastapi.responses import Response

from numduel.board import Board
from numduel.drawing import square as drawing
from numduel.errors import NumduelError, Unanswerable
from numduel.thinking.questions import position
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.board import ShownMove, after, shown_move
from numduel.web.pages.errors import sentence, status_of
from numduel.web.pages.rendering import address, download, router
from numduel.web.pages.square import Cell, cells_of
from numduel.web.state import thinkers_of
from numduel.wording import brief

A = TypeVar("A")

SIZES = (100, 200, 500, 1000)
_COLUMNS = 10


@dataclass(frozen=True, slots=True)
class MapPart:
    board: Board
    to: int | None
    """From 1 to here; None for the numbers around that of the board."""
    values: bool

    @classmethod
    def asked_for(cls, request: Request, board: Board) -> Self:
        """What the address asks for; else the first hundred, or those around a larger number."""
        asked = request.query_params
        to = {str(size): size for size in SIZES}.get(asked.get("to", ""))
        if "to" not in asked and board.numbers[0].value <= SIZES[0]:
            to = SIZES[0]
        return cls(board, to, asked.get("values") == "1" and not board.misere)

    def file(self, kind: str) -> str:
        to, values = self.to or "around", "1" if self.values else ""
        return address(f"/explore/map.{kind}", board=self.board, to=to, values=values)

    def ask(self, thinkers: Thinkers) -> Awaitable[position.TitledMap]:
        board = str(self.board)
        return thinkers.ask(position.map_of, board=board, to=self.to, values=self.values)


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
        """The answer; None, with a sentence, where there is none."""
        try:
            return await asked if asked else None
        except NumduelError as error:
            self.wrong[what] = sentence(error)
            if what == "verdict" and not isinstance(error, Unanswerable):
                self.status = status_of(error)
            return None

    @property
    def is_over(self) -> bool:
        return self.moves is not None and self.moves["complete"] and not self.moves["moves"]

    @property
    def moves_to_show(self) -> list[tuple[ShownMove, str, bool | None]]:
        """All moves where they are few, else those that win.

        Each with the board after it, and whether it wins: None where that is not known.
        """
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
    def cells(self) -> list[Cell]:
        drawn, here = self.map, self.board.numbers[0].value
        if drawn is None:
            return []
        told = drawn["numbers"], drawn["lost"], drawn["values"], drawn["unknown"]
        return cells_of(str(self.board), here, *told)


@router.get("/explore/map.csv")
async def map_csv(request: Request) -> Response:
    """A row for each number: whether the player to move wins or loses, and its Grundy value."""
    drawn = await _drawn(request)
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(["number", "outcome", "grundy"])
    rows.writerows(
        [cell.number, {True: "loss", False: "win", None: ""}[cell.lost], cell.value]
        for cell in _cells(drawn)
    )
    return download(written.getvalue(), "text/csv; charset=utf-8", f"{drawn['game']}.csv")


@router.get("/explore/map.svg")
async def map_svg(request: Request) -> Response:
    drawn = await _drawn(request)
    numbers = drawn["numbers"]
    title = f"{drawn['title']}, {brief(numbers[0])} to {brief(numbers[-1])}"
    draw = drawing.draw_values if drawn["values"] else drawing.draw_square
    picture = draw(title, _cells(drawn), _COLUMNS)
    return download(str(picture), "image/svg+xml", f"{drawn['game']}.svg")


async def _drawn(request: Request) -> position.TitledMap:
    board = Board.parse(request.query_params.get("board", "").strip().lower())
    return await MapPart.asked_for(request, board).ask(thinkers_of(request))


def _cells(drawn: position.TitledMap) -> list[drawing.Cell]:
    lost, unknown = set(drawn["lost"]), set(drawn["unknown"])
    return [
        drawing.Cell(n, None if n in unknown else n in lost, value)
        for n, value in zip_longest(drawn["numbers"], drawn["values"] or ())
    ]
