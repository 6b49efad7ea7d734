"""What is agreed before a match begins, and a series: several matches with a tally."""

from dataclasses import dataclass, replace
from typing import Self

from numduel.board import Board
from numduel.errors import InvalidSetup

DEFAULT_NAMES = ("Player 1", "Player 2")
OVERSHOOT = ("again", "loses")
MAX_NAME = 40
MAX_PENALTY = 999
MAX_MATCHES = 9999
_TAKEN = {"1", "2", "random", "?", "help", "moves", "hint", "map", "undo", "resign", "quit"}
"""Words that cannot be names, since they mean something else at a prompt."""


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
        """Who has won the series; None while it is open."""
        for player in (0, 1):
            if self.wins[player] > self.length // 2:
                return player
        return None

    def count(self, winner: int) -> "Series":
        wins = (self.wins[0] + (winner == 0), self.wins[1] + (winner == 1))
        return replace(self, first=1 - self.first, wins=wins)
