"""Tables of rules whose amounts are the same at every number, from 0 up."""

from __future__ import annotations

import numpy as np

from numduel.ranges.kernel import I64, U8, kernel


@kernel("void(i8[:], u1[:])")
def _mark(amounts: I64, lost: U8) -> None:
    """Turn 1 into 0 wherever a loss is one of the rising amounts below."""
    size = len(lost)
    for n in range(size):
        if lost[n]:
            for amount in amounts:
                if n + amount >= size:
                    break
                lost[n + amount] = 0


@kernel("void(i8[:], u1[:])")
def _mex(amounts: I64, values: U8) -> None:
    """Grundy values below 256, by mex."""
    seen = np.full(257, -1, np.int64)
    for n in range(len(values)):
        for amount in amounts:
            if amount > n:
                break
            seen[values[n - amount]] = n
        value = 0
        while seen[value] == n:
            value += 1
        values[n] = value


def losses(amounts: list[int], size: int) -> U8:
    """1 for each number below `size` that is lost, 0 for the others; amounts rise."""
    lost = np.ones(size, np.uint8)
    _mark(np.array(amounts, np.int64), lost)
    return lost


def values(amounts: list[int], size: int) -> U8:
    """The Grundy values of the numbers below `size`, for at most 255 amounts, which rise."""
    found = np.zeros(size, np.uint8)
    _mex(np.array(amounts, np.int64), found)
    return found
