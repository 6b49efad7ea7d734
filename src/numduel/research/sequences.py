"""The kinds of sequences: what the terms are, and from which index they count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from numduel.errors import InvalidRange
from numduel.research.counts import LostBoards
from numduel.research.sources import Source

COUNTED: Final = 10**12
"""Terms below the start of a list are counted up to here, to know the first index."""

Piece = tuple[int, list[int]]
"""Terms with consecutive indices, and the index of the first."""


def offset(kind: str, source: Source) -> int:
    """The index of the first term: the number itself, the value, or 1 for lists."""
    if kind in ("grundy", "count"):
        return source.first
    return 0 if kind == "first" else 1


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
    """The pieces up to the number `stop` (with it) or up to so many terms, whichever is first."""
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
