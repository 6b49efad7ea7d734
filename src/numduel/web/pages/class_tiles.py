"""The tiles of the wall: a board each, short enough to be read from the back row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numduel.board import Board
from numduel.rooms import Room
from numduel.wording import brief

_HOPS = 4
"""Numbers that a tile shows of the way so far."""
_LONG, _HUGE = 4, 9
"""Characters beyond which a tile's figures are smaller, and smaller still."""

_SIZES = ((4, "few"), (9, "some"), (20, ""))


@dataclass(frozen=True, slots=True)
class TileSeat:
    """One of the two players."""

    name: str
    to_move: bool
    won: bool


@dataclass(frozen=True, slots=True)
class Tile:
    """One board."""

    number: int
    """Boards are counted from 1."""
    code: str
    seats: tuple[TileSeat, TileSeat]
    text: str
    size: str
    """A class for the size of the figures: "", " long" or " huge"."""
    match: str
    """Which match of the two it is, after the first: "Match 2"."""
    score: str
    """And what they have won so far: "1:0"."""
    hops: str
    """The last numbers: "15 → 12 → 8"."""
    done: bool


def tiles_of(rooms: Sequence[Room]) -> list[Tile]:
    """A tile for each room."""
    return [tile_of(room, number) for number, room in enumerate(rooms, 1)]


def tile_of(room: Room, number: int) -> Tile:
    """The room as it stands."""
    text = _figures(room.board)
    way = [room.setup.board, *(turn.board for turn in room.turns)]
    first, second = (
        TileSeat(
            name=seat.name,
            to_move=not room.over and not room.is_open and room.player == at,
            won=room.over is not None and room.over.winner == at,
        )
        for at, seat in enumerate(room.seats)
    )
    return Tile(
        number=number,
        code=room.code,
        seats=(first, second),
        text=text,
        size="" if len(text) <= _LONG else " long" if len(text) <= _HUGE else " huge",
        match=f"Match {room.round}" if room.round > 1 else "",
        score=f"{room.wins[0]}:{room.wins[1]}" if room.round > 1 else "",
        hops=" → ".join(_figures(board) for board in way[-_HOPS:]) if room.turns else "",
        done=room.over is not None,
    )


def size_of(count: int) -> str:
    """A class for the columns of a wall with so many boards."""
    return next((name for most, name in _SIZES if count <= most), "many")


def _figures(board: Board) -> str:
    return "+".join(brief(number.value) for number in board.numbers)
