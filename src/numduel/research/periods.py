"""Periods of the values of heap games: proved for octal games, seen for others."""

from __future__ import annotations

from typing import NamedTuple


class Period(NamedTuple):
    """g(n + length) = g(n) for every n >= start; for ever, or as far as was seen."""

    start: int
    length: int
    proved: bool


def seen_period(values: list[int]) -> Period | None:
    """The shortest period that the values end in, seen at least three times over.

    >>> seen_period([5, 0, 1, 0, 1, 0, 1])
    Period(start=1, length=2, proved=False)
    """
    size = len(values)
    for length in range(1, size // 3 + 1):
        start = size - length
        while start > 0 and values[start - 1] == values[start - 1 + length]:
            start -= 1
        if size - start >= 3 * length:
            return Period(start, length, False)
    return None


def octal_period(values: list[int], digits: int) -> Period | None:
    """The period of an octal game whose code has `digits` digits.

    Theorem (Guy and Smith 1956). If g(n + p) = g(n) for all n from s to 2s + p + k - 1, k the
    number of digits, then for all n >= s: from there on each value is the mex of the same set,
    because one of the two parts of a heap is at least s.
    """
    found = seen_period(values)
    if found is None:
        return None
    start, length, _ = found
    last = 2 * max(start, 1) + length + digits
    return Period(start, length, last + length < len(values))
