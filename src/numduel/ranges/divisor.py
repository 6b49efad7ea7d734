"""Divisor Duel over a range: the closed form, written down number by number."""

from __future__ import annotations

from typing import Final

from numduel.ranges.kernel import U8

SMALL_ODD: Final[dict[int, dict[int, int]]] = {
    1: {1: 0, 3: 2},
    2: {1: 1, 3: 3, 5: 3},
    3: {1: 0, 3: 4, 5: 4, 7: 4, 9: 4, 11: 4, 15: 4},
    4: {1: 2, 3: 3, 5: 3, 7: 5, 9: 5, 11: 5, 13: 5, 15: 5},
    5: {1: 0} | dict.fromkeys(range(3, 16, 2), 6),
}
"""Values of 2^k * m for k <= 5 and the odd m where they differ from k."""


def exception(k: int, m: int) -> int:
    """g(2^k * m) for odd m <= 15 and k >= 1."""
    if k <= 5:
        return SMALL_ODD[k].get(m, k)
    return {1: k - 1 if k % 2 == 0 else 0, 3: k - 2, 5: k + 2}.get(m, k + 1)


class DivisorDuel:
    """Values from a >= 1 on; each call of `write` takes the next len(out) numbers.

    Write n = 2^k * m with m odd: g(n) = k, but for m <= 15, where `exception` has it. The closed
    form was compared with plain mex up to 20 million; beyond, the values are a conjecture, while
    who wins is proved. Cost: one strided store for each factor 2, one a number in all.
    """

    def __init__(self, a: int) -> None:
        self._next = a

    def write(self, out: U8) -> None:
        """Values of the next len(out) numbers."""
        a, b = self._next, self._next + len(out)
        self._next = b
        out[:] = 0
        k = 1
        while 1 << k < b:
            out[-a % (1 << k) :: 1 << k] = k
            for m in range(1, 16, 2):
                if a <= m << k < b:
                    out[(m << k) - a] = exception(k, m)
            k += 1
