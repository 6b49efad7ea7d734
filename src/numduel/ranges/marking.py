"""Losses of rules whose amounts are the same at every number, from 0 up."""

import numpy as np

from numduel.ranges.kernel import I32, I64, U8, kernel

_MODULUS = 30
_MANY = 5_000
"""More amounts than this are looked up, as primes are; fewer are marked above each loss."""


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


@kernel("void(i8[:], i8[:], u1[:], i4[:, :], u1[:])")
def _look_up(amounts: I64, ends: I64, allowed: U8, rows: I32, lost: U8) -> None:
    """Turn 1 into 0 wherever an amount leads to a loss.

    The amounts with remainder c are those from ends[c] to ends[c+1]; the losses with remainder c
    are kept in rows[c]. For each number and remainder, the shorter of the two is looked through.
    """
    counts = np.zeros(_MODULUS, np.int64)
    for n in range(len(lost)):
        wins = False
        for c in range(_MODULUS):
            first, end, other = ends[c], ends[c + 1], (n - c) % _MODULUS
            if counts[other] < end - first:
                for i in range(counts[other] - 1, -1, -1):
                    if allowed[n - rows[other, i]]:
                        wins = True
                        break
            else:
                for i in range(first, end):
                    if amounts[i] > n:
                        break
                    if lost[n - amounts[i]]:
                        wins = True
                        break
            if wins:
                break
        if wins:
            lost[n] = 0
        else:
            rows[n % _MODULUS, counts[n % _MODULUS]] = n
            counts[n % _MODULUS] += 1


def losses(amounts: list[int], size: int) -> U8:
    """1 for each number below `size` that is lost, 0 for the others; amounts rise below it."""
    rising, lost = np.array(amounts, np.int64), np.ones(size, np.uint8)
    if len(amounts) <= _MANY:
        _mark(rising, lost)
        return lost
    allowed = np.zeros(size, np.uint8)
    allowed[rising] = 1
    remainders = rising % _MODULUS
    order = np.argsort(remainders, kind="stable")
    ends = np.searchsorted(remainders[order], np.arange(_MODULUS + 1))
    rows = np.empty((_MODULUS, size // _MODULUS + 1), np.int32)
    _look_up(rising[order], ends, allowed, rows, lost)
    return lost
