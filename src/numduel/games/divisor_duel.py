"""Divisor Duel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from numduel.arithmetic import count_divisors, divisors, divisors_up, factor, is_prime
from numduel.games.game import Fault, Game


class DivisorDuel(Game):
    """Subtract proper divisors; if you cannot, you lose.

    On your turn, choose a divisor of the current number N other than 1 and N
    itself, and subtract it. A prime number, and 1, have no such divisor: the
    player who faces one loses.

    Example: from 60, subtract 15 to leave 45. Play might go on 30, 15, 10, 5;
    5 is prime, so the player to move there has lost.
    """

    key = "divisor-duel"
    title = "Divisor Duel"
    default_start = 60
    least = 1
    variants: ClassVar = {"divisors": ("all", "even", "odd", "prime")}
    __slots__ = ()

    def _source(self, n: int) -> tuple[int, int] | None:
        """(k, m) when the allowed divisors of n are k times the divisors of m; 1 and n aside."""
        allowed = self.settings["divisors"]
        if allowed == "even":
            return None if n % 2 else (2, n // 2)
        return (1, n // (n & -n)) if allowed == "odd" else (1, n)

    def moves(self, n: int) -> Iterator[int]:
        if self.settings["divisors"] == "all":
            return divisors_up(n)
        if self.settings["divisors"] == "prime":
            return (p for p, _ in factor(n) if p < n)
        k, m = self._source(n) or (1, 1)
        return (k * d for d in divisors(m) if 1 < k * d < n)

    def moves_down(self, n: int) -> Iterator[int]:
        if self.settings["divisors"] == "all":
            return (n // d for d in divisors_up(n))
        if self.settings["divisors"] == "prime":
            return super().moves_down(n)
        k, m = self._source(n) or (1, 1)
        return (k * (m // d) for d in divisors(m) if 1 < k * (m // d) < n)

    def count(self, n: int) -> int | None:
        if self.settings["divisors"] == "prime":
            return super().count(n)
        k, m = self._source(n) or (1, 1)
        return count_divisors(m) - (k == 1) - (k * m == n > 1)

    def fault(self, n: int, amount: int) -> Fault | None:
        if amount < 2 or amount >= n:
            return Fault.NOT_PROPER
        if n % amount:
            return Fault.NOT_A_DIVISOR
        allowed = self.settings["divisors"]
        if allowed == "even" and amount % 2:
            return Fault.NOT_EVEN
        if allowed == "odd" and not amount % 2:
            return Fault.NOT_ODD
        return Fault.NOT_PRIME if allowed == "prime" and not is_prime(amount) else None

    def is_over(self, n: int) -> bool:
        """Settled without factoring, by parity and primality."""
        allowed = self.settings["divisors"]
        if allowed == "even":
            return n == 2 or n % 2 == 1
        if allowed == "odd" and n % 2 == 0:
            return n & (n - 1) == 0
        return n == 1 or is_prime(n)
