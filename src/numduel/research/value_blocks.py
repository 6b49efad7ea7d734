"""The block kernel for the values of Subtract a Prime: a guess by the rule, a proof by witnesses.

The guess comes from the kernels of `numduel.ranges`, the proof from `witnesses`. What a block
proves: if the values below `start` are known, those of the LOOK_BACK numbers under it have the hash
`enters`, and values below keep their classes, then the values of the block are the ones
hashed, and they keep their classes too; `leaves` is the next block's `enters`. A run of blocks
from 0, each entering as the one before leaves, is an induction.
"""

from __future__ import annotations

import hashlib
from functools import cache
from math import isqrt
from typing import Final

import numpy as np

from numduel.arithmetic import is_prime
from numduel.errors import ClaimFails
from numduel.known.prime_values import LOOK_BACK
from numduel.ranges import grundy, grundy_segments
from numduel.ranges.kernel import I64, U8, kernel
from numduel.ranges.lines import small_primes
from numduel.research import witnesses
from numduel.research.blocks import HASH_DIGITS, Row, digest
from numduel.research.witnesses import BASE, known_values, stranger, tally, unproved

GAME: Final = "subtract-a-prime"
SEGMENT: Final = 2048 * 1920
FAR: Final = 1 << 20
"""Rare values are looked for among the numbers below, too: their places are listed."""
FARTHER: Final = 1 << 24
LISTED: Final = 2000
CHUNK: Final = 1 << 18
"""Flags that are sieved at a time, to stay in the cache."""
SMALL: Final = (3, 5, 7, 11, 13)
PERIOD: Final = 3 * 5 * 7 * 11 * 13


@cache
def places(limit: int, listed: int) -> tuple[I64, I64]:
    """Numbers below limit by parity and value, at most `listed` each, as `unproved` reads them.

    That they have these values is part of what a block takes from the blocks below.
    """
    values = grundy(GAME, 0, limit)
    rows = [
        2 * np.flatnonzero(values[parity::2] == v)[:listed] + parity
        for parity in range(2)
        for v in range(16)
    ]
    begin = np.cumsum([0] + [len(row) for row in rows]).astype(np.int64)
    return begin, np.concatenate(rows).astype(np.int64)


def has_witnesses(n: int, missing: int) -> bool:
    """Does n reach all values of the mask by a prime that leaves a number below FARTHER?"""
    begin, found = places(FARTHER, 50 * LISTED)
    for v in range(16):
        row = 16 * (1 - n % 2) + v
        if missing >> v & 1 and not any(
            e < n and is_prime(n - e) for e in found[begin[row] : begin[row + 1]].tolist()
        ):
            return False
    return True


class Ledger:
    """Counts, hash and last values of one block, whose values come segment by segment."""

    def __init__(self, start: int, stop: int) -> None:
        self.start, self.stop = start, stop
        self._counts: I64 = np.zeros((2, 16), dtype=np.int64)
        self._hash = hashlib.sha256()
        self._last = grundy(GAME, max(0, start - LOOK_BACK), start)
        self._enters = digest(self._last)

    def add(self, low: int, values: U8) -> None:
        """Take the values from low on; only those of the block count."""
        first = max(self.start - low, 0)
        inside = values[first : max(self.stop - low, 0)]
        tally(inside, self._counts, (low + first) % 2)
        self._hash.update(inside.data)
        self._last = np.concatenate((self._last, inside[-LOOK_BACK:]))[-LOOK_BACK:]

    def row(self) -> Row:
        """The row of the block."""
        return {
            "even": self._counts[0, :12].tolist(),
            "odd": self._counts[1, :12].tolist(),
            "hash": self._hash.hexdigest()[:HASH_DIGITS],
            "enters": self._enters,
            "leaves": digest(self._last),
        }


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


class OddFlags:
    """Prime flags of the odd numbers of any range below `limit`, a byte each, by a plain sieve.

    It shares nothing with the sieve of `numduel.ranges`, so that what is shown with it does not
    rest on the kernels that made the guess.
    """

    def __init__(self, limit: int) -> None:
        primes = small_primes(isqrt(limit) + 1)
        self._primes: I64 = primes[primes > SMALL[-1]].astype(np.int64)
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


class Prover:
    """Shows values right from an even number on, segment after segment; see `witnesses`."""

    def __init__(self, limit: int) -> None:
        self._sieve = OddFlags(limit)
        self._primes: I64 = small_primes(2000)[1:].astype(np.int64)
        self._pending: I64 = np.empty((1 << 12, 2), dtype=np.int64)

    def _flags(self, start: int, stop: int) -> U8:
        flags: U8 = np.empty((stop - start + 1) // 2, dtype=np.uint8)
        for at in range(0, len(flags), CHUNK):
            self._sieve.fill(flags[at : at + CHUNK], start + 2 * at)
        return flags

    def show(self, values: U8, low: int) -> None:
        """Show the values from low + LOOK_BACK on; low is even, and so is their number."""
        flags = self._flags(max(1, low - FAR + 1), low + len(values))
        wrong, many = unproved(
            values, flags, low, self._primes, witnesses.EXCEPTIONS, witnesses.CLASSES,
            witnesses.ALWAYS, witnesses.IF_FIVE, *places(FAR, LISTED), self._pending,
        )  # fmt: skip
        lacking = (n for n, mask in self._pending[:many].tolist() if not has_witnesses(n, mask))
        number = wrong if wrong >= 0 else next(lacking, -1)
        if number >= 0 or many == len(self._pending):
            raise ClaimFails(number=number if number >= 0 else low + LOOK_BACK)


def all_values(start: int, stop: int) -> Row:
    """Subtract a Prime: each value shown, and that it is usual for n or a listed exception.

    From LOOK_BACK on it also is what the local rule says.
    """
    ledger, prover = Ledger(start, stop), Prover(max(stop + 2, BASE))
    low, high = start - start % 2, stop + stop % 2
    window: U8 = np.empty(LOOK_BACK + SEGMENT, dtype=np.uint8)
    if low < BASE:
        values = known_values()
        number = stranger(values)
        if number is not None:
            raise ClaimFails(number=number)
        prover.show(values, 0)
        ledger.add(0, values)
        low, window[:LOOK_BACK] = BASE, values[-LOOK_BACK:]
    else:
        window[:LOOK_BACK] = grundy(GAME, low - LOOK_BACK, low)
    for first, last, values in grundy_segments(GAME, low, max(low, high), SEGMENT):
        size = last - first
        window[LOOK_BACK : LOOK_BACK + size] = values
        prover.show(window[: LOOK_BACK + size], first - LOOK_BACK)
        ledger.add(first, values)
        window[:LOOK_BACK] = window[size : size + LOOK_BACK].copy()
    return ledger.row()
