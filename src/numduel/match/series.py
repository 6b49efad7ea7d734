"""A series: several matches of the same board, with a tally."""

from __future__ import annotations

from dataclasses import dataclass, replace

from numduel.errors import InvalidSetup

MAX_MATCHES = 9999


@dataclass(frozen=True, slots=True)
class Series:
    """Best of `length` matches (odd), as it stands before a match that `first` begins.

    The players take turns to begin. It is over once it is decided.
    """

    length: int
    first: int = 0
    wins: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        if self.length < 1 or self.length % 2 == 0 or self.length > MAX_MATCHES:
            raise InvalidSetup(problem="series", value=self.length, limit=MAX_MATCHES)

    @property
    def played(self) -> int:
        """How many matches have ended."""
        return sum(self.wins)

    @property
    def winner(self) -> int | None:
        """Who has won the series; None while it is open."""
        for player in (0, 1):
            if self.wins[player] > self.length // 2:
                return player
        return None

    def count(self, winner: int) -> Series:
        """The series after one more match."""
        wins = (self.wins[0] + (winner == 0), self.wins[1] + (winner == 1))
        return replace(self, first=1 - self.first, wins=wins)
