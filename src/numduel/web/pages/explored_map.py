"""The map of an explored number: which part is shown, and the same as CSV and SVG."""

from __future__ import annotations

import csv
import io
from collections.abc import Awaitable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Self

from fastapi import APIRouter, Request
from fastapi.responses import Response

from numduel.board import Board
from numduel.drawing.square import Cell, draw_square, draw_values
from numduel.thinking.questions import position
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.rendering import encoded
from numduel.web.state import thinkers_of
from numduel.wording import brief

router = APIRouter(include_in_schema=False)

SIZES = (100, 200, 500, 1000)
_COLUMNS = 10


@dataclass(frozen=True, slots=True)
class MapPart:
    """The part of a map that is asked for."""

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

    @property
    def query(self) -> str:
        """The same as the end of an address."""
        values = "&values=1" if self.values else ""
        return f"board={encoded(self.board)}&to={self.to or 'around'}{values}"

    def ask(self, thinkers: Thinkers) -> Awaitable[position.TitledMap]:
        """The map, from a thinker."""
        board = str(self.board)
        return thinkers.ask(position.map_of, board=board, to=self.to, values=self.values)


@router.get("/explore/map.csv")
async def map_csv(request: Request) -> Response:
    """A row for each number: whether the player to move wins or loses, and its Grundy value."""
    drawn = await _drawn(request)
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(["number", "outcome", "grundy"])
    rows.writerows(
        [cell.number, {True: "loss", False: "win", None: ""}[cell.lost], _shown(cell.value)]
        for cell in _cells(drawn)
    )
    return _download(written.getvalue(), "text/csv; charset=utf-8", f"{drawn['game']}.csv")


@router.get("/explore/map.svg")
async def map_svg(request: Request) -> Response:
    """The map as a picture."""
    drawn = await _drawn(request)
    numbers = drawn["numbers"]
    title = f"{drawn['title']}, {brief(numbers[0])} to {brief(numbers[-1])}"
    draw = draw_values if drawn["values"] else draw_square
    picture = draw(title, _cells(drawn), _COLUMNS)
    return _download(str(picture), "image/svg+xml", f"{drawn['game']}.svg")


async def _drawn(request: Request) -> position.TitledMap:
    board = Board.parse(request.query_params.get("board", "").strip().lower())
    return await MapPart.asked_for(request, board).ask(thinkers_of(request))


def _cells(drawn: position.TitledMap) -> list[Cell]:
    lost, unknown = set(drawn["lost"]), set(drawn["unknown"])
    return [
        Cell(n, None if n in unknown else n in lost, value)
        for n, value in zip_longest(drawn["numbers"], drawn["values"] or ())
    ]


def _shown(value: int | None) -> str:
    return "" if value is None else str(value)


def _download(text: str, kind: str, name: str) -> Response:
    kept = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=kind, headers=kept)
