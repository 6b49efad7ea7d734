"""Losses and values where the same amounts are allowed at every number, by marking upwards.

Going up from 0, a number that reaches no loss is a loss itself, and bars every number that is
one amount above it. Among the rest, the numbers of value 1 are found in the same way, and so on:
a number has value v exactly when it is in no lower level and reaches no number of its own.

Small amounts are the bits of one integer, so that a loss bars all its numbers in one step. Few
numbers are left that they do not bar. For those the other amounts are looked up, and the losses
found so far, both by their remainder: primes, say, leave few remainders, and where losses
are many, no prime leads from the one to the other.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence

_CHUNK = 2048
"""Numbers that are looked at together."""
_ALL = (1 << _CHUNK) - 1
_NEAR = 1 << 17
"""Amounts below this are small."""
_MODULUS = 30
"""Remainders are those of dividing by this."""


def level(amounts: Sequence[int], taken: int, size: int) -> bytearray:
    """Going up, 1 for each number below `size` that is not taken and reaches none of those before.

    The amounts rise.
    """
    found = bytearray(size)
    near = _as_bits((amount for amount in amounts if amount < _NEAR), min(size, _NEAR))
    nearest = near & _ALL
    far = [amount for amount in amounts if amount >= _NEAR]
    rows: list[list[int]] = [[] for _ in range(_MODULUS)]
    is_barred = _far_bar(far, found, rows)
    barred = 0
    for base in range(0, size, _CHUNK):
        free = ~(barred | taken >> base) & _ALL
        while free:
            lowest = free & -free
            place = lowest.bit_length() - 1
            n = base + place
            if n >= size:
                break
            free ^= lowest
            if far and is_barred(n):
                continue
            found[n] = 1
            rows[n % _MODULUS].append(n)
            free &= ~(nearest << place)
            barred |= near << place
        barred >>= _CHUNK
    return found


def _far_bar(
    far: Sequence[int], found: bytearray, rows: Sequence[Sequence[int]]
) -> Callable[[int], bool]:
    """Whether one of these amounts leads from a number to one that was found; `rows` has those
    by their remainders.
    """
    size = len(found)
    allowed = bytearray(size)
    groups: dict[int, list[int]] = {}
    for amount in far:
        allowed[amount] = 1
        groups.setdefault(amount % _MODULUS, []).append(amount)

    def is_barred(n: int) -> bool:
        for remainder, group in groups.items():
            row = rows[(n - remainder) % _MODULUS]
            if len(row) < len(group):
                if any(allowed[n - left] for left in row):
                    return True
            else:
                for amount in group:
                    if amount > n:
                        break
                    if found[n - amount]:
                        return True
        return False

    return is_barred


def losses(amounts: Sequence[int], size: int) -> bytearray:
    """1 for each number below `size` that is lost, 0 for the others; amounts rise."""
    return level(amounts, 0, size)


def values(amounts: Sequence[int], size: int) -> array[int]:
    """The Grundy value of each number below `size`; amounts rise."""
    found = array("H", bytes(2 * size))
    taken, left, value = 0, size, 0
    while left:
        numbers = [n for n, one in enumerate(level(amounts, taken, size)) if one]
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
