"""What happens in a match, as the referee reports it. Players are 0 and 1; turns count from 1."""

from dataclasses import dataclass
from enum import StrEnum

from numduel.board import Board, Move
from numduel.errors import NumduelError
from numduel.match.setup import Setup


class Ending(StrEnum):
    NO_MOVE = "no-move"
    RESIGNED = "resigned"
    OVERSHOT = "overshot"
    FORFEITED = "forfeited"


@dataclass(frozen=True, slots=True)
class Began:
    setup: Setup


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A player who can move is to move."""

    turn: int
    player: int
    board: Board


@dataclass(frozen=True, slots=True)
class BadInput:
    """The player entered something that is no move here, for the `count`th time in a row."""

    player: int
    text: str
    error: NumduelError
    count: int
    board: Board


@dataclass(frozen=True, slots=True)
class Moved:
    turn: int
    player: int
    move: Move
    before: Board
    after: Board


@dataclass(frozen=True, slots=True)
class Passed:
    """The player lost the turn after `count` bad inputs in a row."""

    turn: int
    player: int
    count: int


@dataclass(frozen=True, slots=True)
class Undone:
    turns: int


@dataclass(frozen=True, slots=True)
class Over:
    """The match ended. `player` could not move, resigned, forfeited, or overshot with `move`."""

    turn: int
    player: int
    winner: int
    ending: Ending
    board: Board
    move: Move | None = None


Event = Began | TurnBegan | BadInput | Moved | Passed | Undone | Over
