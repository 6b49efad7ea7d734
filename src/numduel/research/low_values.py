"""Values of Subtract a Prime from 0 on with numpy alone, where a GPU's kernels do not begin yet.

Up to BASE by definition, from there by the local rule; then each is shown, as `witnesses` does it:
no prime leads to the value, and to every smaller one some prime does.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from numduel.errors import ClaimFails
from numduel.gpu.sieve import primes_to
from numduel.gpu.values import BELOW, FIRST, U8
from numduel.theory.prime_values import EVEN, ODD, by_definition

U16 = npt.NDArray[np.uint16]
BASE: Final = 1 << 16
_ALWAYS: Final = (0x58F, 0x70)
"""By parity: the values that the local rule puts into R(n) at once, as bits; 9 is apart."""
_COMMON: Final = (1 << 4 | 1 << 5 | 1 << 6 | 1 << 11, 0x58F)
"""By parity: the values that are usual; 9 is apart."""
_NINE: Final = 1 << 9
_MEX: Final = [next(v for v in range(13) if not m >> v & 1) for m in range(1 << 12)]


class _Ranges:
    """All numbers below a limit: primes, residues, what the exceptions bring into reach."""

    def __init__(self, limit: int) -> None:
        self.prime = np.zeros(limit, dtype=bool)
        self.prime[primes_to(limit - 1)] = True
        numbers = np.arange(limit)
        self.odd, self.mod = numbers % 2, numbers % 30
        self.reach: U16 = np.zeros(limit, dtype=np.uint16)
        for parity, few in ((1, EVEN), (0, ODD)):
            for v, places in few.items():
                for e in places:
                    mine = self.reach[e + 2 :]
                    mine |= (
                        self.prime[2 : -e or None] & (self.odd[e + 2 :] == parity)
                    ) * np.uint16(1 << v)
        self.five = np.isin(self.mod, (18, 23))
        self.rule = self.reach | np.array(_ALWAYS, dtype=np.uint16)[self.odd]
        self.rule |= ~np.isin(self.mod, (13, 18, 23)) * np.uint16(_NINE)


@cache
def low_values(limit: int) -> U8:
    """The values of the numbers below `limit`: by definition up to BASE, then by the local rule."""
    values = list(by_definition(BASE))
    ranges = _Ranges(limit)
    for mask, five in zip(ranges.rule[BASE:].tolist(), ranges.five[BASE:].tolist(), strict=True):
        mask |= 1 << values[-2]
        if five and values[-5] == 9:
            mask |= _NINE
        values.append(_MEX[mask])
    return np.array(values[:limit], dtype=np.uint8)


@cache
def shown_values() -> U8:
    """Those below FIRST, shown. Raises `ClaimFails` at a number that is not."""
    values = low_values(FIRST)
    ranges = _Ranges(FIRST)
    mask = np.uint16(1) << values.astype(np.uint16)
    usual = mask & np.array(_COMMON, dtype=np.uint16)[ranges.odd]
    usual |= mask & np.isin(ranges.mod, (13, 18, 23)) * np.uint16(_NINE)
    listed = [e for few in (EVEN, ODD) for places in few.values() for e in places]
    usual[listed] = 1
    _all_zero(usual == 0)
    exact = ranges.reach.copy()
    exact[2:] |= mask[:-2]
    exact[5:] |= mask[:-5] & ranges.five[5:] * np.uint16(_NINE)
    _all_zero(exact[BASE:] & mask[BASE:], BASE)
    missing = (mask - np.uint16(1)) & ~exact
    missing[:BASE] = 0
    for parity in range(2):
        for v in range(11):
            left = 2 * np.flatnonzero(missing[parity::2] >> v & 1) + parity
            for e in 2 * np.flatnonzero(values[1 - parity :: 2] == v) + 1 - parity:
                left = left[(left <= e) | ~ranges.prime[left - e]]
                if not len(left):
                    break
            if len(left):
                raise ClaimFails(number=int(left[0]))
    return values


@cache
def rule_holds_low() -> None:
    """Compare the values from BELOW to BASE with the local rule. Raises `ClaimFails`."""
    values, ranges = shown_values()[:BASE], _Ranges(BASE)
    mask = np.uint16(1) << values.astype(np.uint16)
    rule = ranges.rule
    rule[2:] |= mask[:-2]
    rule[5:] |= mask[:-5] & ranges.five[5:] * np.uint16(_NINE)
    _all_zero(np.array(_MEX)[rule[BELOW:]] != values[BELOW:], BELOW)


def _all_zero(flags: npt.NDArray[np.generic], first: int = 0) -> None:
    wrong = np.flatnonzero(flags)
    if len(wrong):
        raise ClaimFails(number=first + int(wrong[0]))
