"""The other games over a range: exact, by theorems on factors and by digits; nothing is assumed.

Each class writes the values from `start` on; a call of `write` takes the next len(out) numbers.
"""

from itertools import chain
from math import isqrt
from typing import Final

import numpy as np

from numduel.known import divisor_value, nine_before
from numduel.ranges.kernel import ONE, U8, U16, U32, U64, Word, kernel
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
    """Omega(n) mod 2 by a segmented sieve: a division for each prime up to sqrt(b) in a call."""

    def __init__(self, a: int, b: int) -> None:
        self.start = self._next = a
        self._primes: U32 = small_primes(max(min(isqrt(b), STORED), 7))

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
    """With n = 2^k * m, m odd, g(n) = k, but for m <= 15: one strided store for each factor 2."""

    def __init__(self, a: int) -> None:
        self.start = self._next = a

    def write(self, out: U8) -> None:
        a, b = self._next, self._next + len(out)
        self._next = b
        out[:] = 0
        for k in range(1, b.bit_length()):
            out[-a % (1 << k) :: 1 << k] = k
            for m in range(1, 16, 2):
                if a <= m << k < b:
                    out[(m << k) - a] = divisor_value(k, m)


NINE = np.uint64(0xFFFFFFFFF)
FOUR, FIFTEEN = np.uint64(4), np.uint64(15)
SLOTS: Final = 1 << 18
DIGITS_OF = np.array(
    [sum(1 << int(d) for d in set(str(n)) - {"0"}) for n in range(1000)], dtype=np.uint64
)
"""Bit d is set when d is a nonzero digit of n."""


@kernel("uint64(uint64, uint64)")
def ten_values(digits: Word, before: Word) -> Word:
    """The next ten values, four bits each, the latest lowest, from the digits and nine values."""
    past = before
    for last in range(10):
        taken = digits | (ONE << np.uint64(last))
        seen = np.uint64(0)
        for d in range(1, 10):
            value = (past >> np.uint64(4 * d - 4)) & FIFTEEN
            seen |= ((taken >> np.uint64(d)) & ONE) << value
        mex = np.uint64(0)
        while (seen >> mex) & ONE:
            mex += ONE
        past = (past << FOUR) | mex
    return past & np.uint64(0xFFFFFFFFFF)


@kernel("uint64(uint8[::1], int64, uint64, uint64[:,::1])")
def write_tens(out: U8, ten: int, before: Word, memory: U64) -> Word:
    """Values of 10*ten and on into out (whole tens); returns the last nine, packed.

    memory has (digits and past, what follows) by a hash; a pair takes the place of another.
    """
    slots = np.uint64(memory.shape[0] - 1)
    high = -1
    above = np.uint64(0)
    for t in range(out.shape[0] // 10):
        if (ten + t) // 1000 != high:
            high = (ten + t) // 1000
            above = np.uint64(0)
            rest = high
            while rest:
                above |= DIGITS_OF[rest % 1000]
                rest //= 1000
        digits = above | DIGITS_OF[(ten + t) % 1000]
        key = (digits << np.uint64(36)) | before
        slot = ((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)) & slots
        if memory[slot, 0] != key:
            memory[slot, 0] = key
            memory[slot, 1] = ten_values(digits, before)
        values = memory[slot, 1]
        for i in range(10):
            out[10 * t + i] = np.uint8((values >> np.uint64(36 - 4 * i)) & FIFTEEN)
        before = values & NINE
    return before


class DigitDuel:
    """Ten numbers at a time, from a multiple of ten on, each remembered by what it follows from:
    the nonzero digits before the last one, and the nine values before. Few such pairs ever occur.
    """

    def __init__(self, a: int) -> None:
        self._ten = a // 10
        self.start = 10 * self._ten
        self._before = 0
        for one in nine_before(self._ten)[0]:
            self._before = self._before << 4 | one
        self._memory: U64 = np.full((SLOTS, 2), np.uint64(2**64 - 1), dtype=np.uint64)

    def write(self, out: U8) -> None:
        self._before = int(write_tens(out, self._ten, np.uint64(self._before), self._memory))
        self._ten += len(out) // 10
