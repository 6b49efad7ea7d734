"""Lost numbers of Subtract a Prime as plainly as can be, with numpy alone."""

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
