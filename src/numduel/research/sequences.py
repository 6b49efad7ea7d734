"""The kinds of sequences: what the terms are, and from which index they count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from numduel.errors import InvalidRange
from numduel.ranges.kernel import I64, U8
from numduel.research.sources import Source

COUNTED: Final = 10**12
"""Terms below the start of a list are counted up to here, to know the first index."""

Piece = tuple[int, list[int]]
"""Terms with consecutive indices, and the index of the first."""


def pieces(
    source: Source, kind: str, start: int | None, stop: int | None = None, numbers: int = 1
) -> Iterator[Piece]:
    """The terms from number `start` on, to a little beyond `stop`, or without end.

    `grundy`: g(n) at n. `P`, `N`, `misere-P`: the lost, won, and under misère lost numbers, the
    first of all at 1. `first`: at v, the first number of value v. `count`: at n, how many boards
    of `numbers` numbers up to n are lost.
    """
    start = source.first if start is None else start
    if start < source.first:
        raise InvalidRange(problem="empty", start=start, stop=start, least=source.first)
    if kind == "grundy":
        for low, values in source.values(start):
            yield low, values.tolist()
    elif kind == "first":
        yield from _first(source, start, stop)
    elif kind == "count":
        yield from _count(source, start, numbers)
    else:
        yield from _listed(source, kind, start, stop)


def _first(source: Source, start: int, stop: int | None) -> Iterator[Piece]:
    """First numbers of 0, 1, 2, ...: a value comes only after all smaller ones."""
    value = 0
    for low, values in source.values(source.first):
        if stop is not None and low > stop:
            return
        found: list[int] = []
        while len(places := np.flatnonzero(values == value + len(found))):
            found.append(low + int(places[0]))
        kept = [n for n in found if n >= start]
        if kept:
            yield value + len(found) - len(kept), kept
        value += len(found)


def _count(source: Source, start: int, numbers: int) -> Iterator[Piece]:
    boards = LostBoards(numbers)
    for low, values in source.values(source.first):
        many = min(max(start - low, 0), len(values))
        boards.add_all(values[:many])
        if many < len(values):
            yield low + many, [boards.add(value) for value in values[many:].tolist()]


def _listed(source: Source, kind: str, start: int, stop: int | None) -> Iterator[Piece]:
    misere, wanted = kind == "misere-P", 0 if kind == "N" else 1
    index = 1
    if start > COUNTED:
        raise InvalidRange(problem="index", start=start, stop=start, limit=COUNTED)
    for low, lost in source.lost(source.first, misere):
        if stop is not None and low > stop:
            return
        found = np.flatnonzero(lost == wanted)
        early = int(np.searchsorted(found, start - low)) if start > low else 0
        index += early
        terms = (found[early:] + low).tolist()
        yield index, terms
        index += len(terms)


def cut(
    source: Source,
    kind: str,
    start: int | None,
    stop: int | None,
    terms: int | None,
    numbers: int = 1,
) -> Iterator[Piece]:
    """The pieces up to the number `stop` (with it) or up to this many terms, whichever is first."""
    if stop is not None and stop < (source.first if start is None else start):
        least = source.first
        raise InvalidRange(problem="empty", start=start or least, stop=stop, least=least)
    left = terms
    for index, found in pieces(source, kind, start, stop, numbers):
        if stop is not None:
            if kind in ("grundy", "count"):
                found = found[: max(0, stop + 1 - index)]
                over = index + len(found) > stop
            else:
                many = len(found)
                found = [n for n in found if n <= stop]
                over = len(found) < many
        else:
            over = False
        if left is not None:
            found = found[:left]
            left -= len(found)
        yield index, found
        if over or left == 0:
            return


class LostBoards:
    """How many boards of k equal games are lost, for the numbers added so far; exact at any size.

    A board is lost when the XOR of its values is 0. With h(v) numbers of value v, the boards of
    k numbers by XOR are the k-fold XOR convolution of h; the Walsh-Hadamard transform H turns it
    into a power, so the lost ones are the mean of H(w)^k. One more number changes each H(w) by
    +1 or -1.
    """

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
