"""A plain sieve of the odd numbers, a byte each: the checks' own primes.

It shares nothing with the sieve of `numduel.ranges`, so that what is shown with it does not
rest on the kernels that are being checked.
"""

from __future__ import annotations

from math import isqrt
from typing import Final

import numpy as np

from numduel.ranges.kernel import I64, U8, kernel

PERIOD: Final = 3 * 5 * 7 * 11 * 13
SMALL: Final = (3, 5, 7, 11, 13)


@kernel("void(uint8[::1], int64, int64[::1], uint8[::1])")
def flag_primes(flags: U8, start: int, primes: I64, pattern: U8) -> None:
    """flags[i] = 1 exactly when start + 2i is prime; start is odd, primes from 17 to the root."""
    size = flags.shape[0]
    j = (start >> 1) % pattern.shape[0]
    done = 0
    while done < size:
        part = min(size - done, pattern.shape[0] - j)
        flags[done : done + part] = pattern[j : j + part]
        done += part
        j = 0
    for at in range(primes.shape[0]):
        p = primes[at]
        m = (start + p - 1) // p
        m += 1 - (m & 1)
        m = max(m, p)
        for i in range((p * m - start) >> 1, size, p):
            flags[i] = 0
    if start <= 13:
        for p in (3, 5, 7, 11, 13):
            if p >= start:
                flags[(p - start) >> 1] = 1
        if start == 1:
            flags[0] = 0


def plain_primes(limit: int) -> I64:
    """The odd primes up to limit, by the sieve of Eratosthenes."""
    odd = np.ones(limit // 2 + 1, dtype=np.bool_)
    odd[0] = False
    for p in range(3, isqrt(max(limit, 0)) + 1, 2):
        if odd[p // 2]:
            odd[p * p // 2 :: p] = False
    found = 2 * np.flatnonzero(odd) + 1
    return found[found <= limit].astype(np.int64)


class OddFlags:
    """Prime flags of the odd numbers of any range below `limit`."""

    def __init__(self, limit: int) -> None:
        primes = plain_primes(isqrt(limit) + 1)
        self._primes: I64 = primes[primes > SMALL[-1]]
        self._roots = self._primes**2
        pattern = np.ones(PERIOD, dtype=np.uint8)
        for p in SMALL:
            pattern[p // 2 :: p] = 0
        self._pattern = pattern

    def fill(self, flags: U8, start: int) -> None:
        """Write the flags of start, start + 2, ...; start is odd."""
        top = start + 2 * len(flags)
        active = int(np.searchsorted(self._roots, top))
        flag_primes(flags, start, self._primes[:active], self._pattern)
