"""Values of Subtract a Prime from 0 on with numpy alone, where other proofs begin."""

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from numduel.arithmetic import is_prime, prime_flags
from numduel.errors import ClaimFails
from numduel.gpu.values import BEYOND, FIRST, U8, numbers_of
from numduel.known import EVEN, LOOK_BACK, NINES, ODD, TABLE, USUAL, by_definition

FARTHER: Final = 1 << 23
"""Numbers below serve as witnesses where those that a kernel knows do not do."""
_NINE: Final = 1 << 9
_MEX: Final = [next(v for v in range(13) if not m >> v & 1) for m in range(1 << 12)]


@cache
def low_values(limit: int) -> U8:
    """The values below `limit`: by definition up to LOOK_BACK, from there by the local rule."""
    prime, numbers = np.frombuffer(prime_flags(limit), dtype=bool), np.arange(limit)
    reached = np.array(USUAL[::-1])[numbers % 2] | ~np.isin(numbers % 30, NINES) * _NINE
    for odd, listed in enumerate((ODD, EVEN)):
        for v, few in listed.items():
            for e in few:
                meets = prime[2 : -e or None] & (numbers[e + 2 :] % 2 == odd)
                reached[e + 2 :] |= meets * (1 << v)
    fives = np.isin(numbers % 30, NINES[1:])
    values = list(by_definition(TABLE)[:LOOK_BACK])
    for mask, five in zip(reached[LOOK_BACK:].tolist(), fives[LOOK_BACK:].tolist(), strict=True):
        mask |= 1 << values[-2]
        if five and values[-5] == 9:
            mask |= _NINE
        values.append(_MEX[mask])
    return np.array(values[:limit], dtype=np.uint8)


@cache
def shown_values() -> U8:
    """Those below FIRST, shown: they keep their classes, and each is a mex over all moves.

    From how many moves a number reaches the value v is a convolution of the primes and the numbers
    of value v. Rounding changes it by less than 10^-6. Raises `ClaimFails` at a number that fails.
    """
    values = low_values(FIRST)
    wrong = (values > 11) | ((values == 9) & ~np.isin(np.arange(FIRST) % 30, NINES))
    for parity, listed in enumerate((EVEN, ODD)):
        for v, few in listed.items():
            wrong[parity::2] |= values[parity::2] == v
            wrong[list(few)] ^= True
    _none(wrong)
    primes = np.fft.rfft(np.frombuffer(prime_flags(FIRST), dtype=bool), 2 * FIRST)
    for v in range(12):
        level = values == v
        moves = np.fft.irfft(np.fft.rfft(level, 2 * FIRST) * primes)[:FIRST]
        wrong |= np.where(level, moves > 0.5, (values > v) & (moves < 0.5))
    _none(wrong)
    return values


def _none(wrong: npt.NDArray[np.bool_]) -> None:
    """Raise `ClaimFails` at the first number marked."""
    if wrong.any():
        raise ClaimFails(number=int(wrong.argmax()))


def has_witness(number: int, value: int) -> bool:
    """Does some prime lead from the number to a small number of this value?"""
    if value == BEYOND:
        return False
    return any(e < number and is_prime(number - e) for e in _witnesses(1 - number % 2, value))


@cache
def _witnesses(parity: int, value: int) -> list[int]:
    found: list[int] = numbers_of(low_values(FARTHER), parity, value).tolist()
    return found
