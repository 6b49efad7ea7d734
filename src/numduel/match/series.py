"""A series: several matches of the same board, with a tally."""

from __future__ import annotations

from numduel.errors import InvalidSetup

MAX_MATCHES = 9999


class Series:
    """Best of `length` matches (odd). The beginner alternates; over when decided."""

    def __init__(self, length: int, first: int = 0) -> None:
        if length < 1 or length % 2 == 0 or length > MAX_MATCHES:
            raise InvalidSetup(problem="series", value=length, limit=MAX_MATCHES)
        self.length = length
        self._first = first
        self.wins = [0, 0]

    @property
    def played(self) -> int:
        """How many matches have ended."""
        return sum(self.wins)

    @property
    def first(self) -> int:
        """Who begins the match to come."""
        return (self._first + self.played) % 2

    @property
    def winner(self) -> int | None:
        """Who has won the series; None while it is open."""
        for player in (0, 1):
            if self.wins[player] > self.length // 2:
                return player
        return None

    def count(self, winner: int) -> None:
        """Add a match to the tally."""
        self.wins[winner] += 1
