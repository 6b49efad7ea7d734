"""How many boards of k equal games are lost: a histogram of values and an XOR convolution.

A board is lost when the XOR of its values is 0. With h(v) numbers of value v, the boards of k
numbers by XOR are the k-fold XOR convolution of h; the Walsh-Hadamard transform H turns it into
a power, so the lost ones are the mean of H(w)^k. One more number changes each H(w) by +1 or -1.
"""

from __future__ import annotations

import numpy as np

from numduel.ranges.kernel import I64, U8


class LostBoards:
    """The count for the numbers added so far; exact at any size."""

    def __init__(self, numbers: int) -> None:
        self._numbers = numbers
        self._histogram: list[int] = [0]
        self._transform: list[int] = [0]

    def add_all(self, values: U8 | I64) -> None:
        """Add a number for each value."""
        if len(values):
            counts = np.bincount(values.astype(np.int64)).tolist()
            self._grow(len(counts) - 1)
            for value, count in enumerate(counts):
                self._histogram[value] += count
            self._transform = transformed(self._histogram)

    def add(self, value: int) -> int:
        """Add one number of this value; the lost boards from then on."""
        self._grow(value)
        self._histogram[value] += 1
        for w in range(len(self._transform)):
            self._transform[w] += -1 if (value & w).bit_count() & 1 else 1
        return self.lost()

    def lost(self) -> int:
        """How many boards of k numbers are lost, in each order of the numbers."""
        powers: int = sum(count**self._numbers for count in self._transform)
        return powers // len(self._transform)

    def _grow(self, value: int) -> None:
        if value >= len(self._histogram):
            size = 1 << value.bit_length()
            self._histogram += [0] * (size - len(self._histogram))
            self._transform = transformed(self._histogram)


def transformed(histogram: list[int]) -> list[int]:
    """The Walsh-Hadamard transform.

    >>> transformed([3, 1])
    [4, 2]
    """
    found = list(histogram)
    half = 1
    while half < len(found):
        for i in range(len(found)):
            if not i & half:
                a, b = found[i], found[i + half]
                found[i], found[i + half] = a + b, a - b
        half *= 2
    return found
