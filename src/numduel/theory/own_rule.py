"""Own rules with the same amounts at every number: periods with proof, and tables."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from numduel.board import Board
from numduel.errors import TooLarge
from numduel.extras import COMPILED, is_installed
from numduel.games import OwnRule
from numduel.theory import marking
from numduel.theory.periods import Period, proved_period
from numduel.theory.theory import Basis, Theory

SOUGHT = 200_000
"""Periods are sought among the numbers below this."""
TABLED, COMPILED_TO = 1_000_000, 10_000_000
"""Losses are listed below this, and below that with the compiled kernels of the extra `ranges`."""
VALUED = 100_000
"""Values of rules without end (squares, primes, ...) are listed below this."""

_FIRST = 256
"""The first table reaches so far; a larger one is made when it is needed."""


class FixedRule(Theory):
    """Every number allows the same amounts, but for those that are too large for it.

    Ferguson's pairing (proved in `numduel.theory.subtract_a_prime`) holds for
    any such set, with its least amount a in the place of 2: a number has value
    1 exactly when the number a below it is lost. So the game is tame, and a
    number is lost under misère exactly when the number a below it is lost in
    normal play.
    """

    tame = True
    game: OwnRule
    __slots__ = ("_finite", "_least", "_lost", "_lost_period", "_values", "_values_period")

    def __init__(self, game: OwnRule) -> None:
        super().__init__(game)
        self._finite = not game.rule.words
        self._least = next(game.moves(1000))
        self._lost: Sequence[int] = b""
        self._lost_period: Period | None = None
        self._values: array[int] = array("H")
        self._values_period: Period | None = None

    def reaches(self, n: int) -> bool:
        return n <= self._largest() or (self._finite and self.lost_period() is not None)

    @property
    def searched_beyond(self) -> bool:
        return False

    def largest(self) -> int | None:
        return None if self._finite and self.lost_period() is not None else self._largest()

    def _largest(self) -> int:
        return (COMPILED_TO if is_installed(*COMPILED[1:]) else TABLED) - 1

    def lost_period(self, misere: bool = False) -> Period | None:
        size = 4 * max(self.game.amounts, default=0) + _FIRST
        while self._finite and self._lost_period is None and len(self._lost) < SOUGHT:
            self._list_losses(min(SOUGHT, max(size, 4 * len(self._lost))))
        found = self._lost_period
        if found is None or not misere:
            return found
        start = found.start + self._least
        while start and self.lost_misere(start - 1) == self.lost_misere(start - 1 + found.length):
            start -= 1
        return found._replace(start=start)

    def values_period(self) -> Period | None:
        """The proved period of the values; None where none is proved."""
        size = 4 * max(self.game.amounts, default=0) + _FIRST
        while self._finite and self._values_period is None and len(self._values) < SOUGHT:
            self._list_values(min(SOUGHT, max(size, 4 * len(self._values))))
        return self._values_period

    def lost(self, n: int) -> bool:
        if len(self._lost) <= n < _FIRST:
            self._list_losses(_FIRST)
        if n >= len(self._lost) and (period := self.lost_period()) is not None:
            n = period.reduced(n)
        if n >= len(self._lost):
            if n > (largest := self._largest()):
                raise TooLarge(
                    "to solve", board=Board.of(self.game, n), misere=False, limit=largest
                )
            self._list_losses(min(TABLED if n < TABLED else largest + 1, max(_FIRST, 4 * n)))
        return bool(self._lost[n])

    def basis(self, n: int) -> Basis:
        if self.values_period() is not None:
            return self.grundy_basis(n)
        return _basis("losses", self.lost_period())

    def grundy(self, n: int) -> int:
        if n >= len(self._values) and (period := self.values_period()) is not None:
            n = period.reduced(n)
        if n >= len(self._values):
            if n >= VALUED:
                raise TooLarge("to solve", board=Board.of(self.game, n), misere=False, limit=VALUED)
            self._list_values(min(VALUED, max(_FIRST, 4 * n)))
        return self._values[n]

    def grundy_basis(self, n: int) -> Basis:
        return _basis("values", self.values_period())

    def moves_to(self, n: int, value: int) -> Iterator[int]:
        if value == 1:
            return (amount for amount in self.game.moves(n) if self.lost_misere(n - amount))
        return super().moves_to(n, value)

    def lost_misere(self, n: int) -> bool:
        return n >= self._least and self.lost(n - self._least)

    def _list_losses(self, size: int) -> None:
        amounts = list(self.game.moves(size - 1))
        if size > TABLED:
            from numduel.ranges import marking as compiled

            self._lost = compiled.losses(amounts, size).tobytes()
        else:
            self._lost = marking.losses(amounts, size)
        if self._finite:
            self._lost_period = proved_period(self._lost, self.game.amounts[-1])

    def _list_values(self, size: int) -> None:
        self._values = marking.values(list(self.game.moves(size - 1)), size)
        if self._finite:
            self._values_period = proved_period(self._values, self.game.amounts[-1])


def _basis(what: str, period: Period | None) -> Basis:
    if period is None:
        return Basis("table", "Computed here from the rule, number by number.")
    return Basis("theorem", f"{what} repeat every {period.length} from {period.start} on.")
