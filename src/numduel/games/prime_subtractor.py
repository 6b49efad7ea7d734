"""Prime Subtractor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from numduel.arithmetic import is_prime
from numduel.games.game import Fault, Game
from numduel.games.subtract_a_prime import SubtractAPrime


class PrimeSubtractor(SubtractAPrime):
    """Subtract primes, but never the starting total.

    On your turn, choose a prime number that is at most the current total, and
    subtract it. The list of primes is made when the match starts, from those
    below the starting total: so a prime starting total cannot be taken away
    in one move. Whoever makes the total exactly 0 wins; at 1 the player whose
    turn it is cannot move, and loses.

    Example: from 23, subtract 13 to leave 10. The reply 7 leaves 3, and
    subtracting 3 then wins.
    """

    key = "prime-subtractor"
    title = "Prime Subtractor"
    default_start = 23
    variants: ClassVar = {"opening": ("below", "any")}
    policies = frozenset({"overshoot"})
    __slots__ = ()

    def _barred(self, n: int) -> bool:
        """Is `n` itself a prime that the opening leaves out?"""
        return self.settings["opening"] == "below" and is_prime(n)

    def is_start(self, n: int) -> bool:
        return n > 0

    def moves(self, n: int) -> Iterator[int]:
        return super().moves(n - self._barred(n))

    def moves_down(self, n: int) -> Iterator[int]:
        return super().moves_down(n - self._barred(n))

    def count(self, n: int) -> int | None:
        return super().count(n - self._barred(n))

    def fault(self, n: int, amount: int) -> Fault | None:
        if amount == n and self._barred(n):
            return Fault.STARTING_TOTAL
        return super().fault(n, amount)

    def is_over(self, n: int) -> bool:
        return n < 2 or (n == 2 and self._barred(n))

    def after(self, n: int, amount: int) -> tuple[Game, int]:
        return self.having(opening="any"), n - amount

    def overshoots(self, n: int, amount: int) -> bool:
        return amount > n and is_prime(amount)
