"""The block kernel for the values of Subtract a Prime: a guess by the rule, a proof by witnesses.

The guess comes from the kernels of `numduel.ranges`, the proof from `witnesses`. What a block
proves: if the values below `start` are known, those of the LOOK_BACK numbers under it have the hash
`enters`, and values below keep their classes, then the values of the block are the ones
hashed, and they keep their classes too; `leaves` is the next block's `enters`. A run of blocks
from 0, each entering as the one before leaves, is an induction.
"""

import hashlib
from collections.abc import Iterator
from functools import cache
from math import isqrt
from typing import Final

import numpy as np

from numduel.errors import ClaimFails
from numduel.gpu.values import FIRST
from numduel.known.prime_values import LOOK_BACK
from numduel.ranges import grundy, grundy_segments
from numduel.ranges.kernel import I64, U8, kernel
from numduel.ranges.lines import small_primes
from numduel.research import witnesses
from numduel.research.blocks import HASH_DIGITS, Row, digest
from numduel.research.low_values import has_witness, numbers_of, shown_values
from numduel.research.witnesses import unproved

GAME: Final = "subtract-a-prime"
SEGMENT: Final = 2048 * 1920
FAR: Final = 1 << 20
"""Rare values are looked for among the numbers below, too: their places are listed."""
LISTED: Final = 2000


@cache
def places() -> tuple[I64, I64]:
    """Numbers below FAR by parity and value, at most LISTED each, as `unproved` reads them.

    That they have these values is part of what a block takes from the blocks below.
    """
    values = grundy(GAME, 0, FAR)
    rows = [numbers_of(values, parity, v)[:LISTED] for parity in range(2) for v in range(16)]
    begin = np.cumsum([0] + [len(row) for row in rows]).astype(np.int64)
    return begin, np.concatenate(rows).astype(np.int64)


@kernel("void(uint8[::1], int64, int64[::1])")
def flag_primes(flags: U8, start: int, primes: I64) -> None:
    """flags[i] = 1 exactly when start + 2i is prime; start is odd, primes from 3 to the root."""
    flags[:] = 1
    flags[0] = start != 1
    for p in primes:
        m = max((start + p - 1) // p | 1, p)
        for i in range((p * m - start) >> 1, flags.shape[0], p):
            flags[i] = 0


class Prover:
    """Shows values right from an even number on, segment after segment; see `witnesses`.

    Its sieve, a byte an odd number, shares nothing with that of `numduel.ranges`, so that what is
    shown does not rest on the kernels that made the guess.
    """

    def __init__(self, limit: int) -> None:
        self._roots: I64 = small_primes(isqrt(limit) + 1)[1:].astype(np.int64)
        self._primes: I64 = small_primes(2000)[1:].astype(np.int64)
        self._pending: I64 = np.empty((1 << 12, 2), dtype=np.int64)

    def flags(self, start: int, stop: int) -> U8:
        """1 for each odd number from start (odd) to stop that is prime, else 0."""
        flags: U8 = np.empty((stop - start + 1) // 2, dtype=np.uint8)
        active = int(np.searchsorted(self._roots**2, stop + 1))
        flag_primes(flags, start, self._roots[:active])
        return flags

    def show(self, values: U8, low: int) -> None:
        """Show the values from low + LOOK_BACK on; low is even, and so is their number."""
        flags = self.flags(max(1, low - FAR + 1), low + len(values))
        wrong, many = unproved(
            values, flags, low, self._primes, witnesses.EXCEPTIONS, witnesses.CLASSES,
            witnesses.ALWAYS, witnesses.IF_FIVE, *places(), self._pending,
        )  # fmt: skip
        lacking = (
            n
            for n, missing in self._pending[:many].tolist()
            if not all(has_witness(n, v) for v in range(16) if missing >> v & 1)
        )
        number = wrong if wrong >= 0 else next(lacking, -1)
        if number >= 0 or many == len(self._pending):
            raise ClaimFails(number=number if number >= 0 else low + LOOK_BACK)


def _shown(low: int, high: int) -> Iterator[tuple[int, U8]]:
    """The values from low on to high (both even) in pieces, each with its first number: shown."""
    prover, window = Prover(high), np.empty(LOOK_BACK + SEGMENT, dtype=np.uint8)
    if low < FIRST:
        yield 0, shown_values()
        low, window[:LOOK_BACK] = FIRST, shown_values()[-LOOK_BACK:]
    else:
        window[:LOOK_BACK] = grundy(GAME, low - LOOK_BACK, low)
    for first, last, values in grundy_segments(GAME, low, max(low, high), SEGMENT):
        size = last - first
        window[LOOK_BACK : LOOK_BACK + size] = values
        prover.show(window[: LOOK_BACK + size], first - LOOK_BACK)
        yield first, values
        window[:LOOK_BACK] = window[size : size + LOOK_BACK].copy()


def all_values(start: int, stop: int) -> Row:
    """Subtract a Prime: each value shown, and that it is usual for n or a listed exception.

    From LOOK_BACK on it also is what the local rule says.
    """
    counts, hashed = np.zeros((2, 16), dtype=np.int64), hashlib.sha256()
    last = grundy(GAME, max(0, start - LOOK_BACK), start)
    enters = digest(last)
    for low, values in _shown(start - start % 2, stop + stop % 2):
        first = max(start, low)
        inside = values[first - low : max(stop - low, 0)]
        for parity in range(2):
            counts[(first + parity) % 2] += np.bincount(inside[parity::2], minlength=16)
        hashed.update(inside.data)
        last = np.concatenate((last, inside[-LOOK_BACK:]))[-LOOK_BACK:]
    return {
        "even": counts[0, :12].tolist(),
        "odd": counts[1, :12].tolist(),
        "hash": hashed.hexdigest()[:HASH_DIGITS],
        "enters": enters,
        "leaves": digest(last),
    }
