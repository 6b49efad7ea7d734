"""Lost numbers and values of Subtract a Prime as plainly as can be, with numpy alone."""

from __future__ import annotations

from functools import cache
from math import isqrt

import numpy as np
import numpy.typing as npt

EVEN_LOSSES = (0, 10, 34, 100, 310)
FAR = 8000
"""How far below a range the walk begins: a number that wins at once is always nearer."""


@cache
def primes_below(n: int) -> npt.NDArray[np.int64]:
    flags = np.ones(n, dtype=bool)
    flags[:2] = False
    for i in range(2, isqrt(n) + 1):
        if flags[i]:
            flags[i * i :: i] = False
    return np.flatnonzero(flags)


def prime_flags(low: int, high: int) -> npt.NDArray[np.bool_]:
    flags = np.ones(high - low, dtype=bool)
    primes = primes_below(isqrt(high) + 1)
    first = np.maximum(-low % primes, primes * primes - low)
    long = primes > high - low
    for p, at in zip(primes[~long].tolist(), first[~long].tolist(), strict=True):
        flags[at::p] = False
    hits = first[long]
    flags[hits[hits < high - low]] = False
    return flags


@cache
def lost_numbers(start: int, stop: int) -> npt.NDArray[np.uint64]:
    """The lost numbers of [start, stop), from 10^5 on."""
    low = start - FAR - start % 2
    prime = prime_flags(low - 310, stop)
    wins = np.zeros(stop - low, dtype=bool)
    for e in EVEN_LOSSES:
        wins |= prime[310 - e : 310 - e + stop - low]
    return walk(wins.tolist(), low, start)


def walk(wins: list[bool], low: int, start: int) -> npt.NDArray[np.uint64]:
    """The lost numbers from `start` on; wins[i]: some move leads from low + i, odd, to the five."""
    found, before = [], False
    for i in range(1 - low % 2, len(wins), 2):
        before = not (wins[i] or before)
        if before and low + i >= start:
            found.append(low + i)
    return np.array(found, dtype=np.uint64)


BROUGHT = {
    0: (0, 10, 34, 100, 310),
    1: (2, 12, 36, 102, 312),
    2: (4, 14, 38, 104, 314, 1574),
    3: (6, 16, 40, 106, 316, 1576, 1996, 5566),
    7: (24,),
    4: (17,),
    5: (19,),
    6: (21,),
}
"""The exceptions, as A014589 lists them."""


def values_by_rule(prime: npt.NDArray[np.bool_], low: int) -> npt.NDArray[np.uint8]:
    """Values by the local rule, prime[i] saying whether low + i is prime.

    The first 6000 are none, and those that follow depend on a guess, which is soon forgotten.
    """
    values = [4, 0] * 3000
    flags = prime.tolist()
    for i in range(6000, len(flags)):
        n = low + i
        reached = {4, 5, 6} if n % 2 else {0, 1, 2, 3, 7, 8, 10}
        reached |= {
            v for v, few in BROUGHT.items() for e in few if (n - e) % 2 and flags[i - e]
        } | {values[i - 2]}
        if n % 30 not in (13, 18, 23) or (n % 30 != 13 and values[i - 5] == 9):
            reached.add(9)
        values.append(next(v for v in range(13) if v not in reached))
    return np.array(values, dtype=np.uint8)
