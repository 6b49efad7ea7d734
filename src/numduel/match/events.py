"""What happens in a match, as the referee reports it; and any such facts as JSON holds them.

Players are 0 and 1; turns count from 1. Programs are told of players 1 and 2.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, TypeVar, cast

from numduel.board import Board, Move
from numduel.errors import NumduelError
from numduel.match.setup import Setup

Facts = TypeVar("Facts")
PlayerNumber = Literal[1, 2]
NUMBERS: tuple[PlayerNumber, PlayerNumber] = (1, 2)
_PLAYERS = {"player", "winner", "first", "given_up"}


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


def facts(kind: type[Facts], thing: object, **other: object) -> Facts:
    """What a TypedDict names of the thing, in its order; `other` are values found elsewhere."""
    return cast("Facts", plain(kind.__annotations__, thing, **other))


def plain(names: Iterable[str], thing: object, **other: object) -> dict[str, Any]:
    """The same by these names: boards are text, rows are lists, players are counted from 1."""
    return {one: other[one] if one in other else _plain(one, getattr(thing, one)) for one in names}


def _plain(name: str, value: Any) -> Any:
    if name in _PLAYERS:
        return number_of(value)
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, Board) else value


def number_of(player: int | None) -> PlayerNumber | None:
    """The player counted from 1, as people do; None for nobody."""
    return None if player is None else NUMBERS[player]
