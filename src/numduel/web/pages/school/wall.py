"""The wall: all boards of a round at once, and each of them large."""

from dataclasses import dataclass

from fastapi import Request
from fastapi.responses import Response

from numduel.board import Board
from numduel.classes import Wall
from numduel.errors import UnknownRoom
from numduel.rooms import Room
from numduel.web.pages.board import last_turns, numbers, size_of
from numduel.web.pages.play.number_line import lines_of
from numduel.web.pages.rendering import router, whole
from numduel.web.pages.school.page import round_of, show, wall_for
from numduel.web.state import lobby_of
from numduel.wording import brief

_WALL = "/class/{code}/wall"
_HOPS = 4
"""Numbers that a tile shows of the way so far."""
_LONG, _HUGE = 4, 9
"""Characters beyond which a tile's figures are smaller, and smaller still."""
_COLUMNS = ((4, "few"), (9, "some"), (20, ""))
"""Classes for walls of up to this many boards."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One board, short enough to be read from the back row."""

    room: Room
    away: tuple[int, ...] = ()
    """Seats of pupils who are away."""

    @property
    def text(self) -> str:
        return _figures(self.room.board)

    @property
    def size(self) -> str:
        return size_of(self.text, _LONG, _HUGE)

    @property
    def mover(self) -> int | None:
        """The seat to move; None where nobody is."""
        return None if self.room.over or self.room.is_open else self.room.player

    @property
    def winner(self) -> int | None:
        return self.room.over.winner if self.room.over else None

    @property
    def way(self) -> str:
        """The last numbers, after the first match with its number: "Match 2: 15 → 12 → 8"."""
        turns = self.room.turns[-_HOPS:]
        start = [self.room.setup.board] if len(turns) < _HOPS else []
        boards = [*start, *(turn.board for turn in turns)]
        match = f"Match {self.room.round}" if self.room.round > 1 else ""
        hops = " → ".join(map(_figures, boards)) if self.room.turns else ""
        return ": ".join(filter(None, (match, hops)))


def tiles_of(wall: Wall) -> list[Tile]:
    return [
        Tile(wall.rooms[one.room], tuple(at for at in (0, 1) if one.pupils[at] in wall.away))
        for one in wall.school_class.tables
        if one.room in wall.rooms
    ]


def columns_of(wall: Wall) -> str:
    """A class for the columns of so many boards."""
    return next((name for most, name in _COLUMNS if len(wall.rooms) <= most), "many")


def _figures(board: Board) -> str:
    return "+".join(brief(number.value) for number in board.numbers)


@router.get(_WALL)
async def wall_page(request: Request, code: str) -> Response:
    wall = await wall_for(request, code)
    current, names = round_of(wall), wall.school_class.names
    return show(
        request,
        "class_wall.html",
        wall,
        heading=current.title if current else "The wall",
        round=current,
        tiles=tiles_of(wall),
        size=columns_of(wall),
        names=names,
    )


@router.get(_WALL + "/{room_code}")
async def board_page(request: Request, code: str, room_code: str) -> Response:
    wall = await wall_for(request, code, boards=False)
    codes = [table.room for table in wall.school_class.tables]
    if room_code not in codes:
        raise UnknownRoom(code=room_code)
    at, names = codes.index(room_code), wall.school_class.names
    room = await lobby_of(request).look(room_code)
    turn = whole(request.query_params.get("turn"), room.ply, 0, room.ply)
    turns, start = room.turns[:turn], room.setup.board
    board = turns[-1].board if turns else start
    called = room.setup.names if names else ("A", "B")
    ended = room.over if turn == room.ply else None
    mover = None if ended or room.is_open else (room.setup.first + turn) % 2
    return show(
        request,
        "class_board.html",
        wall,
        number=at + 1,
        names=names,
        seats=room.seats,
        says=f"Turn {turn} of {room.ply}." if room.ply else "No moves yet.",
        to_move="" if mover is None else called[mover],
        won=called[ended.winner] if ended else "",
        numbers=numbers(board, start),
        lines=lines_of(start, turns),
        turn=turn,
        count=room.ply,
        turns=last_turns(start, room.turns),
        here_at=f"/class/{code}/wall/{room_code}?",
        board=board,
        playable=not board.is_over,
    )
