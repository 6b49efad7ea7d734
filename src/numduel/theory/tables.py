"""Losses and values of a rule that allows the same amounts at every number, and their periods.

Amounts, and the numbers that a loss bars, are the bits of one integer: see docs/ALGORITHMS.md.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_CHUNK = 2048
_ALL = (1 << _CHUNK) - 1


def losses(amounts: Sequence[int], size: int, taken: int = 0) -> bytearray:
    """1 for each number below `size` that is lost, 0 for the others; amounts rise.

    Where some are taken (as bits), for those of the next level.
    """
    found, bars, barred = bytearray(size), _as_bits(amounts, size), 0
    for base in range(0, size, _CHUNK):
        bars &= (1 << size - base) - 1
        nearest = bars & _ALL
        free = ~(barred | taken >> base) & _ALL
        while free:
            lowest = free & -free
            place = lowest.bit_length() - 1
            if base + place >= size:
                break
            found[base + place] = 1
            free &= ~(nearest << place | lowest)
            barred |= bars << place
        barred >>= _CHUNK
    return found


def values(amounts: Sequence[int], size: int) -> array[int]:
    """The Grundy value of each number below `size`; amounts rise."""
    found = array("H", bytes(2 * size))
    taken, left, value = 0, size, 0
    while left:
        numbers = [n for n, one in enumerate(losses(amounts, size, taken)) if one]
        for n in numbers:
            found[n] = value
        taken |= _as_bits(numbers, size)
        left -= len(numbers)
        value += 1
    return found


def _as_bits(numbers: Iterable[int], size: int) -> int:
    """The set of these numbers below `size`."""
    flags = bytearray(size // 8 + 1)
    for number in numbers:
        flags[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(flags, "little")


class Period(NamedTuple):
    """g(n + length) = g(n) for every n >= start; for ever, or as far as was seen."""

    start: int
    length: int
    proved: bool

    def reduced(self, n: int) -> int:
        """The smallest number with the value of `n` that the period gives."""
        over = n - self.start
        return n if over < self.length else self.start + over % self.length


def proved_period(values: Sequence[int], reach: int) -> Period | None:
    """The period of values of which each follows from the `reach` values before it.

    Theorem: if the last `reach` values also stand p places earlier, the values repeat every p from
    there on, since every later value is computed from equal ones. The nearest such place gives the
    least period. It takes more than `reach` values: then p > 0, and start + p + reach is at most
    their count.

    >>> proved_period([5, 0, 1, 0, 1, 0], 1)
    Period(start=1, length=2, proved=True)
    """
    if not 0 < reach < len(values):
        return None
    text = "".join(map(chr, values))
    window = len(text) - reach
    earlier = text.rfind(text[window:], 0, len(text) - 1)
    if earlier < 0:
        return None
    length = window - earlier
    return Period(_agrees_from(text, length), length, proved=True)


def seen_period(values: Sequence[int], turns: int = 3) -> Period | None:
    """The shortest period that the values end in, seen so often: it may end beyond them.

    >>> seen_period([5, 0, 1, 0, 1, 0, 1])
    Period(start=1, length=2, proved=False)
    """
    text = "".join(map(chr, values))
    for length in range(1, len(text) // turns + 1):
        if text[-(turns - 1) * length :] == text[-turns * length : -length]:
            return Period(_agrees_from(text, length), length, proved=False)
    return None


def _agrees_from(text: str, length: int) -> int:
    """The least number from which on every letter agrees with the one `length` later."""
    low, high = 0, len(text) - length
    while low < high:
        middle = (low + high) // 2
        if text[middle:-length] == text[middle + length :]:
            high = middle
        else:
            low = middle + 1
    return high
