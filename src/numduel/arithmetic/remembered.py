"""Primality, each number asked once."""

from __future__ import annotations

from numduel.arithmetic.primes import is_prime

MOST_REMEMBERED = 1 << 15
"""Once this much is known about a neighbourhood, all of it is forgotten.

Moves are listed for as long as they are asked for: without this, memory would grow with them.
"""


class RememberedPrimes:
    """Which numbers are prime: `m in primes`, as `is_prime(m)` answers, each tested once.

    For many questions about one neighbourhood of a large number, where the same
    few hundred numbers come up again and again.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[int, bool] = {}

    def __contains__(self, m: int) -> bool:
        known = self._known.get(m)
        if known is None:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            known = self._known[m] = is_prime(m)
        return known
