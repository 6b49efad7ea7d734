"""Values of Subtract a Prime from 0 on with numpy alone, where other proofs begin.

Up to BASE by definition, from there by the local rule; then each is shown, as `witnesses` does it:
no prime leads to the value, and to every smaller one some prime does.
"""

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from numduel.arithmetic import is_prime, prime_flags
from numduel.errors import ClaimFails
from numduel.gpu.values import BEYOND, FIRST, U8
from numduel.known.prime_values import EVEN, LOOK_BACK, NINES, ODD, USUAL, by_definition

U16 = npt.NDArray[np.uint16]
BASE: Final = 1 << 16
FARTHER: Final = 1 << 23
"""Numbers below serve as witnesses where those that a kernel knows do not do."""
_NINE: Final = np.uint16(1 << 9)
_MEX: Final = [next(v for v in range(13) if not m >> v & 1) for m in range(1 << 12)]


class _Reach:
    """All numbers below a limit: primes, what exceptions and the local rule bring into reach."""

    def __init__(self, limit: int) -> None:
        self.prime = np.frombuffer(prime_flags(limit), dtype=bool)
        numbers = np.arange(limit)
        self.odd, self.nines = numbers % 2, np.isin(numbers % 30, NINES)
        self.few: U16 = np.zeros(limit, dtype=np.uint16)
        for parity, listed in ((1, EVEN), (0, ODD)):
            for v, places in listed.items():
                for e in places:
                    meets = self.prime[2 : -e or None] & (self.odd[e + 2 :] == parity)
                    self.few[e + 2 :] |= meets * np.uint16(1 << v)
        self.five = np.isin(numbers % 30, NINES[1:])
        self.rule = self.few | np.array(USUAL[::-1], dtype=np.uint16)[self.odd]
        self.rule |= ~self.nines * _NINE

    def besides(self, reached: U16, mask: U16) -> U16:
        """What is reached, and what g(n-2) and g(n-5) bring; `mask` has the values as bits."""
        found = reached[: len(mask)].copy()
        found[2:] |= mask[:-2]
        found[5:] |= mask[:-5] & self.five[5 : len(mask)] * _NINE
        return found


@cache
def low_values(limit: int) -> U8:
    """The values of the numbers below `limit`: by definition up to BASE, then by the local rule."""
    values = list(by_definition(BASE))
    reach = _Reach(limit)
    for mask, five in zip(reach.rule[BASE:].tolist(), reach.five[BASE:].tolist(), strict=True):
        mask |= 1 << values[-2]
        if five and values[-5] == 9:
            mask |= int(_NINE)
        values.append(_MEX[mask])
    return np.array(values[:limit], dtype=np.uint8)


@cache
def shown_values() -> U8:
    """Those below FIRST, shown, and what the local rule says from LOOK_BACK on.

    Raises `ClaimFails` at a number that is not.
    """
    values, reach = low_values(FIRST), _Reach(FIRST)
    mask = np.uint16(1) << values.astype(np.uint16)
    usual = mask & np.array(USUAL, dtype=np.uint16)[reach.odd]
    usual |= mask & reach.nines * _NINE
    usual[[e for listed in (EVEN, ODD) for places in listed.values() for e in places]] = 1
    _none(usual == 0)
    by_rule = np.array(_MEX)[reach.besides(reach.rule, mask[:BASE])]
    _none(by_rule[LOOK_BACK:] != values[LOOK_BACK:BASE], LOOK_BACK)
    exact = reach.besides(reach.few, mask)
    _none(exact[BASE:] & mask[BASE:], BASE)
    missing = (mask - np.uint16(1)) & ~exact
    missing[:BASE] = 0
    for parity in range(2):
        for v in range(11):
            left = 2 * np.flatnonzero(missing[parity::2] >> v & 1) + parity
            for e in numbers_of(values, 1 - parity, v):
                left = left[(left <= e) | ~reach.prime[left - e]]
                if not len(left):
                    break
            if len(left):
                raise ClaimFails(number=int(left[0]))
    return values


def has_witness(number: int, value: int) -> bool:
    """Does some prime lead from the number to a small number of this value?"""
    if value == BEYOND:
        return False
    return any(e < number and is_prime(number - e) for e in _witnesses(1 - number % 2, value))


@cache
def _witnesses(parity: int, value: int) -> list[int]:
    found: list[int] = numbers_of(low_values(FARTHER), parity, value).tolist()
    return found


def numbers_of(values: U8, parity: int, value: int) -> npt.NDArray[np.int64]:
    """The numbers of this parity and value, the values being those from 0 on."""
    return 2 * np.flatnonzero(values[parity::2] == value) + parity


def _none(wrong: npt.NDArray[np.generic], first: int = 0) -> None:
    """Raise `ClaimFails` at the first number marked; numbers go from `first` on."""
    found = np.flatnonzero(wrong)
    if len(found):
        raise ClaimFails(number=first + int(found[0]))
