"""Where the matches of an environment start: from one number, or from one drawn each time."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from numduel.errors import InvalidSetup
from numduel.games import Game

_LOOKED_AT = 10_000
"""A range whose largest numbers cannot start a match is looked through so far down."""
_DRAWS = 1_000


class Starts(NamedTuple):
    """The numbers from `low` to `high` that a match of the game can start from."""

    game: Game
    low: int
    high: int

    @classmethod
    def of(cls, game: Game, given: int | Sequence[int] | None) -> Starts:
        """The game's usual start, one number, or a lowest and a highest.

        Raises `InvalidSetup` where no match can start, and for what is no range.
        """
        if isinstance(given, int | None):
            start = game.default_start if given is None else given
            return cls(game, start, cls(game, start, start).checked(start))
        if not isinstance(given, tuple | list) or len(given) != 2 or not 0 < given[0] <= given[1]:
            raise InvalidSetup(problem="starts", value=str(given))
        low, high = map(int, given)
        for start in range(high, max(low - 1, high - _LOOKED_AT), -1):
            if can_start(game, start):
                return cls(game, low, start)
        raise InvalidSetup("not a start", game=game, number=high)

    def checked(self, start: int) -> int:
        """The start, if a match can start there. Raises `InvalidSetup`."""
        if not can_start(self.game, start):
            raise InvalidSetup("not a start", game=self.game, number=start)
        if start > self.high:
            raise InvalidSetup(
                problem="too large", game=self.game.title, start=start, limit=self.high
            )
        return start

    def draw(self, random: Random) -> int:
        """One of them, all equally likely; the largest where a thousand draws find none."""
        for _ in range(_DRAWS if self.low < self.high else 0):
            start = random.randint(self.low, self.high)
            if can_start(self.game, start):
                return start
        return self.high


def can_start(game: Game, n: int) -> bool:
    """Can a match start at `n`, with a move for the first player?"""
    return game.is_start(n) and not game.is_over(n)
