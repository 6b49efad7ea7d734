"""What is agreed before a match, and what happens in it, as the referee reports it.

Players are 0 and 1; turns count from 1. Programs are told of players 1 and 2, by `facts`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Literal, Self, TypeVar, cast

from numduel.board import Board, Move
from numduel.errors import InvalidSetup, NumduelError

Facts = TypeVar("Facts")
PlayerNumber = Literal[1, 2]
NUMBERS: tuple[PlayerNumber, PlayerNumber] = (1, 2)
DEFAULT_NAMES = ("Player 1", "Player 2")
OVERSHOOT = ("again", "loses")
MAX_NAME = 40
MAX_PENALTY = 999
MAX_MATCHES = 9999
_TAKEN = {"1", "2", "random", "?", "help", "moves", "hint", "map", "undo", "resign", "quit"}
"""Words that cannot be names, since they mean something else at a prompt."""
_PLAYERS = {"player", "winner", "first", "given_up"}


@dataclass(frozen=True, slots=True)
class Setup:
    """Board, names, who begins (0 or 1), and the referee's policies for bad input.

    `overshoot`: what a prime above the total does in Prime Subtractor, "again" or "loses".
    `penalty`: bad inputs in a row that cost the turn in Power Play, or None. Raises `InvalidSetup`.
    """

    board: Board
    names: tuple[str, str] = DEFAULT_NAMES
    first: int = 0
    overshoot: str = "again"
    penalty: int | None = None

    def __post_init__(self) -> None:
        check_names(self.names)
        policies = frozenset().union(*(number.game.policies for number in self.board.numbers))
        if self.overshoot not in OVERSHOOT:
            raise InvalidSetup(problem="overshoot", value=self.overshoot)
        if self.overshoot != "again" and "overshoot" not in policies:
            raise InvalidSetup(problem="no overshoot", board=self.board)
        if self.penalty is not None and "penalty" not in policies:
            raise InvalidSetup(problem="no penalty", board=self.board)
        if self.penalty is not None and not 1 <= self.penalty <= MAX_PENALTY:
            raise InvalidSetup(problem="penalty", value=self.penalty, limit=MAX_PENALTY)

    def beginning_with(self, first: int) -> Self:
        return replace(self, first=first)


def check_names(names: tuple[str, str]) -> None:
    """Raise `InvalidSetup` for names that two players cannot have."""
    for seat, name in enumerate(names):
        if not name or name != name.strip():
            raise InvalidSetup(problem="empty name", seat=seat + 1)
        if len(name) > MAX_NAME:
            raise InvalidSetup(problem="long name", name=name, limit=MAX_NAME)
        if "," in name or not name.isprintable():
            raise InvalidSetup(problem="name character", name=name)
        if name.casefold() in {*_TAKEN, DEFAULT_NAMES[1 - seat].casefold()}:
            raise InvalidSetup(problem="misleading name", name=name)
    if names[0].casefold() == names[1].casefold():
        raise InvalidSetup(problem="same names", name=names[0])


@dataclass(frozen=True, slots=True)
class Series:
    """Best of `length` matches (odd), over once it is decided; the players take turns to begin."""

    length: int
    first: int = 0
    wins: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        if self.length < 1 or self.length % 2 == 0 or self.length > MAX_MATCHES:
            raise InvalidSetup(problem="series", value=self.length, limit=MAX_MATCHES)

    @property
    def played(self) -> int:
        return sum(self.wins)

    @property
    def winner(self) -> int | None:
        return next((one for one in (0, 1) if self.wins[one] > self.length // 2), None)

    def count(self, winner: int) -> "Series":
        wins = (self.wins[0] + (winner == 0), self.wins[1] + (winner == 1))
        return replace(self, first=1 - self.first, wins=wins)


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


def facts(kind: type[Facts], thing: object, /, **other: object) -> Facts:
    """What a TypedDict names of the thing, in its order; `other` are values found elsewhere."""
    return cast("Facts", plain(kind.__annotations__, thing, **other))


def plain(names: Iterable[str], thing: object, /, **other: object) -> dict[str, Any]:
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
