"""Power Play and Divisor Duel over a range, by theorems on the factors of a number.

Every move of Power Play takes one prime factor, so g(n) = Omega(n) mod 2, by a segmented sieve.
Divisor Duel's closed form is written down number by number.
"""

from itertools import chain
from math import isqrt
from typing import Final

import numpy as np

from numduel.known.divisor_values import value
from numduel.ranges.kernel import U8, U16, U32, Word, kernel
from numduel.ranges.lines import STORED, primes_between, small_primes

BLOCK: Final = 1 << 16
BASE: Final = 5040
"""2^4 * 3^2 * 5 * 7: the pattern of these prime powers repeats and is copied in."""
SKIPPED = np.array([0, 0, 16, 9, 0, 5, 0, 7], dtype=np.int64)
"""The highest power of 2, 3, 5, 7 that the pattern holds."""


@kernel("uint16(int64)")
def _weight(p: int) -> Word:
    """The odd number nearest to 512 * log2(p)."""
    return np.uint16(np.int64(512.0 * np.log2(float(p))) | 1)


PATTERN: Final[U16] = np.zeros(BASE, dtype=np.uint16)
for _prime, _power in ((2, 2), (2, 4), (2, 8), (2, 16), (3, 3), (3, 9), (5, 5), (7, 7)):
    PATTERN[::_power] += _weight(_prime)


@kernel("void(uint16[::1], int64, uint32[::1], int64, int64)")
def add_powers(sums: U16, a: int, primes: U32, low: int, high: int) -> None:
    """Add to its multiples the weight of every prime power from low on, below high.

    sums[i] belongs to a + i. What the pattern holds is left out.
    """
    for i in range(primes.shape[0]):
        p = int(primes[i])
        if p >= high:
            break
        more = _weight(p)
        q = p if p > 7 else SKIPPED[p] * p
        while q < low:
            q *= p
        while q < high:
            for at in range((q - a % q) % q, sums.shape[0], q):
                sums[at] += more
            if q > high // p:
                break
            q *= p


@kernel("void(uint16[::1], int64, uint8[::1])")
def read_parity(sums: U16, a: int, out: U8) -> None:
    """Omega(n) mod 2 from the sums: a last factor is missing where the sum falls short.

    The weights are odd, so the lowest bit of a sum is the parity of the factors found. A factor
    above the square root is missing exactly when the sum is below 512*log2(n) by 512 or more; the
    rounding of at most 60 factors, one each, and of log2 over 1024 numbers cannot hide it.
    """
    size = sums.shape[0]
    done = 0
    while done < size:
        end = min(done + (1024 if a + done >= 65536 else 1), size)
        least = np.uint16(max(512.0 * np.log2(float(max(a + done, 1))) - 256.0, 0.0))
        for i in range(done, end):
            out[i] = np.uint8(sums[i] & np.uint16(1)) ^ np.uint8(sums[i] < least)
        done = end


class PowerPlay:
    """Omega mod 2 from a on; each call of `write` takes the next len(out) numbers.

    Cost: about three additions a number, and a division for each prime up to sqrt(b) in every
    call; so make calls for at least sqrt(b) numbers.
    """

    def __init__(self, a: int, b: int) -> None:
        self._next = a
        self._top = isqrt(b)
        self._primes: U32 = small_primes(max(min(self._top, STORED), 7))

    def write(self, out: U8) -> None:
        a, size = self._next, len(out)
        self._next += size
        sums = np.resize(np.roll(PATTERN, -(a % BASE)), size)
        for done in range(0, size, BLOCK):  # so that the sums stay in the cache
            add_powers(sums[done : done + BLOCK], a + done, self._primes, 1, BLOCK)
        for primes in chain([self._primes], primes_between(STORED, isqrt(self._next))):
            add_powers(sums, a, primes, BLOCK, self._next + 1)
        read_parity(sums, a, out)


class DivisorDuel:
    """Values from a >= 1 on; each call of `write` takes the next len(out) numbers.

    Write n = 2^k * m with m odd: g(n) = k, but for m <= 15. Cost: one strided store for each
    factor 2, one a number in all.
    """

    def __init__(self, a: int) -> None:
        self._next = a

    def write(self, out: U8) -> None:
        a, b = self._next, self._next + len(out)
        self._next = b
        out[:] = 0
        k = 1
        while 1 << k < b:
            out[-a % (1 << k) :: 1 << k] = k
            for m in range(1, 16, 2):
                if a <= m << k < b:
                    out[(m << k) - a] = value(k, m)
            k += 1
