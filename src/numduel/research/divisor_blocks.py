"""The block kernel for Divisor Duel's closed form: mex over all divisors, by a sieve of divisors.

What a block proves: if the closed form holds below `start`, it holds in the block. A move from
n leads to n - d for a divisor d, where the closed form is evaluated; the moves of a whole block
are found by passing over it with every d up to the root, each with its partner n/d.
"""

from __future__ import annotations

import hashlib
from functools import cache
from math import isqrt
from typing import Final

import numpy as np

from numduel.errors import ClaimFails
from numduel.ranges import grundy_segments
from numduel.ranges.divisor import exception
from numduel.ranges.kernel import I64, U8, U64, kernel
from numduel.research.blocks import HASH_DIGITS, Row

GAME: Final = "divisor-duel"
PIECE: Final = 1 << 20


@cache
def small_odd_parts() -> U8:
    """g(2^k * m) for odd m up to 15, in row k and column m."""
    table = np.zeros((64, 16), dtype=np.uint8)
    for k in range(1, 61):
        for m in range(1, 16, 2):
            table[k, m] = exception(k, m)
    return table


@kernel("int64(int64, uint8[:,::1])")
def closed_form(n: int, table: U8) -> int:
    """The value of n by the closed form."""
    k = 0
    while not n & 1:
        n >>= 1
        k += 1
    if n > 15:
        return k
    return int(table[k, n])


@kernel("void(uint64[::1], int64, int64, uint8[:,::1])")
def reach(reached: U64, low: int, root: int, table: U8) -> None:
    """Set bit g(n-d) in reached[n - low], for every proper divisor d > 1 of every n."""
    high = low + reached.shape[0]
    for d in range(2, root + 1):
        q = max((low + d - 1) // d, d)
        for n in range(d * q, high, d):
            reached[n - low] |= np.uint64(1) << np.uint64(closed_form(n - d, table))
            reached[n - low] |= np.uint64(1) << np.uint64(closed_form(n - q, table))
            q += 1


@kernel("int64(uint64[::1], uint8[::1], int64[::1])")
def compare(reached: U64, values: U8, counts: I64) -> int:
    """The first place where the mex is not the value, -1 if none; values are counted."""
    for i in range(values.shape[0]):
        v = np.uint64(values[i])
        counts[values[i]] += 1
        below = (np.uint64(1) << v) - np.uint64(1)
        if (reached[i] >> v) & np.uint64(1) or (reached[i] & below) != below:
            return i
    return -1


def divisor_grundy(start: int, stop: int) -> Row:
    """Divisor Duel: the closed form is the mex over all moves."""
    counts: I64 = np.zeros(64, dtype=np.int64)
    hashed, table = hashlib.sha256(), small_odd_parts()
    for low, high, values in grundy_segments(GAME, start, stop, PIECE):
        reached: U64 = np.zeros(high - low, dtype=np.uint64)
        reach(reached, low, isqrt(high - 1), table)
        wrong = compare(reached, values, counts)
        if wrong >= 0:
            raise ClaimFails(number=low + wrong)
        hashed.update(values.data)
    most = int(np.flatnonzero(counts)[-1]) + 1 if counts.any() else 0
    return {"values": counts[:most].tolist(), "hash": hashed.hexdigest()[:HASH_DIGITS]}
