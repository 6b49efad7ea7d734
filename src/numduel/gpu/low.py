"""The numbers below those that the kernels take, settled with numpy alone."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from numduel.gpu.fingerprint import fingerprint
from numduel.gpu.game import EVEN_LOSSES
from numduel.gpu.machine import FIRST, Settled
from numduel.gpu.sieve import primes_to


def settle_low(start: int, stop: int) -> Settled:
    """Settle [start, stop) below `FIRST`."""
    lost, open_ = _lost()
    inside = lost[(lost >= start) & (lost < stop)]
    left = tuple(n for n in open_ if start <= n < stop)
    return Settled(len(inside), fingerprint(inside), left)


@cache
def _lost() -> tuple[npt.NDArray[np.uint64], tuple[int, ...]]:
    """The lost numbers below `FIRST`, and even ones that no prime is found for."""
    primes = primes_to(FIRST)
    prime = np.zeros(FIRST, dtype=bool)
    prime[primes] = True
    wins = np.zeros(FIRST, dtype=bool)
    for e in EVEN_LOSSES:
        wins[e:] |= prime[: FIRST - e]
    lost = np.zeros(FIRST, dtype=bool)
    lost[list(EVEN_LOSSES)] = True
    lost[1] = True
    for n in range(3, FIRST, 2):
        lost[n] = not (wins[n] or lost[n - 2])
    for_evens = lost.copy()
    for p in map(int, primes):
        for_evens[p:] |= lost[: FIRST - p]
        if p > FIRST // 2 or for_evens[::2].all():
            break
    left = 2 * np.flatnonzero(~for_evens[::2])
    return np.flatnonzero(lost).astype(np.uint64), tuple(map(int, left))
