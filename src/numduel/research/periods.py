"""Periods of octal games, with Guy and Smith's proof."""

from __future__ import annotations

from numduel.theory.tables import Period, seen_period


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
