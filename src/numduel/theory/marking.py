"""Losses and values where the same amounts are allowed at every number, by marking upwards.

Going up from 0, a number that reaches no loss is a loss itself, and bars every number that is
one amount above it. Among the rest, the numbers of value 1 are found in the same way, and so on:
a number has value v exactly when it is in no lower level and reaches no number of its own.
Sets of numbers are the bits of one integer, so that a loss bars all its numbers in one step.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

_CHUNK = 2048
"""Numbers that are looked at together."""
_ALL = (1 << _CHUNK) - 1


def as_bits(numbers: Iterable[int], size: int) -> int:
    """The set of these numbers below `size`."""
    flags = bytearray(size // 8 + 1)
    for number in numbers:
        flags[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(flags, "little")


def level(amounts: int, taken: int, size: int) -> list[int]:
    """Going up, the numbers below `size` that are not taken and reach none of those before."""
    found: list[int] = []
    near = amounts & _ALL
    barred = taken
    for base in range(0, size, _CHUNK):
        free = ~(barred >> base) & _ALL
        bars = 0
        while free:
            lowest = free & -free
            place = lowest.bit_length() - 1
            found.append(base + place)
            bars |= amounts << place
            free &= ~(near << place) ^ lowest
        barred |= bars << base
    while found and found[-1] >= size:
        found.pop()
    return found


def losses(amounts: int, size: int) -> bytearray:
    """1 for each number below `size` that is lost, 0 for the others."""
    lost = bytearray(size)
    for n in level(amounts, 0, size):
        lost[n] = 1
    return lost


def values(amounts: int, size: int) -> array[int]:
    """The Grundy value of each number below `size`."""
    found = array("H", bytes(2 * size))
    taken, left, value = 0, size, 0
    while left:
        numbers = level(amounts, taken, size)
        for n in numbers:
            found[n] = value
        taken |= as_bits(numbers, size)
        left -= len(numbers)
        value += 1
    return found
