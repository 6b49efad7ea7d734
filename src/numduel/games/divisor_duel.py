"""Divisor Duel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from numduel.arithmetic import count_divisors, factor, is_prime, proper_divisors
from numduel.games.game import Fault, Game


class DivisorDuel(Game):
    """Subtract proper divisors from one shared number; whoever cannot move loses.

    On your turn, choose a divisor of the current number N other than 1 and N
    itself, and subtract it. A prime number, and 1, have no such divisor: the
    player who faces one loses.

    Example: from 60, subtract 15 to leave 45. Play might go on 30, 15, 10, 5;
    5 is prime, so the player to move there has lost.

    The variant divisors=even (or odd, or prime) allows only such divisors.
    """

    key = "divisor-duel"
    title = "Divisor Duel"
    default_start = 60
    least = 1
    variants: ClassVar = {"divisors": ("all", "even", "odd", "prime")}
    __slots__ = ()

    def _breach(self, amount: int) -> Fault | None:
        """Why the variant does not allow a proper divisor."""
        allowed = self.settings["divisors"]
        if allowed == "all":
            return None
        if allowed == "even" and amount % 2:
            return Fault.NOT_EVEN
        if allowed == "odd" and not amount % 2:
            return Fault.NOT_ODD
        return Fault.NOT_PRIME if allowed == "prime" and not is_prime(amount) else None

    def moves(self, n: int) -> Iterator[int]:
        if self.settings["divisors"] == "all":
            return proper_divisors(n)
        if self.settings["divisors"] == "prime":
            return (p for p, _ in factor(n) if p < n)
        return (d for d in proper_divisors(n) if not self._breach(d))

    def moves_down(self, n: int) -> Iterator[int]:
        if self.settings["divisors"] == "prime":
            return super().moves_down(n)
        return (n // d for d in proper_divisors(n) if not self._breach(n // d))

    def count(self, n: int) -> int | None:
        if self.settings["divisors"] == "all":
            return max(0, count_divisors(n) - 2)
        return super().count(n)

    def fault(self, n: int, amount: int) -> Fault | None:
        if amount < 2 or amount >= n:
            return Fault.NOT_PROPER
        return Fault.NOT_A_DIVISOR if n % amount else self._breach(amount)

    def is_over(self, n: int) -> bool:
        """Settled without factoring, by parity and primality."""
        allowed = self.settings["divisors"]
        if allowed == "even":
            return n == 2 or n % 2 == 1
        if allowed == "odd" and n % 2 == 0:
            return n & (n - 1) == 0
        return n == 1 or is_prime(n)
