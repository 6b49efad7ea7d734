"""Sequences: their terms from kernels, theory or plain search, and the index they count from."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

import numpy as np

from numduel import theory
from numduel.board import Board, Number
from numduel.errors import InvalidRange, InvalidSetup
from numduel.games import Game, load
from numduel.ranges import GAMES, LIMIT, grundy_segments, outcome_segments
from numduel.ranges.kernel import I64, U8
from numduel.solver.search import Search

_SMALLEST, _LARGEST = 1 << 12, 1 << 26
_SEARCHED = 10**15
COUNTED: Final = 10**12
"""Terms below the start of a list are counted up to here, to know the first index."""
Piece = tuple[int, list[int]]
"""Terms with consecutive indices, and the index of the first."""


def _windows(a: int, most: int = _LARGEST) -> Iterator[tuple[int, int]]:
    """[a, ...) in windows that grow, so that a few terms are cheap and many are fast."""
    size = _SMALLEST
    while a < LIMIT:
        stop = min(a + size, LIMIT)
        yield a, stop
        a, size = stop, min(2 * size, most)
    raise InvalidRange(problem="limit", start=a, stop=a + 1, limit=LIMIT)


class Source:
    """A game as sequences need it: by compiled kernels where it has some, else by theory, then by
    search, whose memory grows with the numbers. Pieces follow each other, for ever or to `LIMIT`.
    """

    def __init__(self, game: Game) -> None:
        self._compiled = game.key in GAMES and game is load(game.key)
        # Prime Subtractor's compiled values are those of its openings, and none starts from 0.
        self.first = max(game.least, self._compiled and game.key == "prime-subtractor")
        self._game, self._theory = game, theory.find(game)
        self._search, self._misere = Search(limit=_SEARCHED), Search(True, _SEARCHED)

    def values(self, a: int) -> Iterator[tuple[int, U8 | I64]]:
        """(number, Grundy values from there on)."""
        for start, stop in _windows(a, _LARGEST if self._compiled else _SMALLEST):
            if not self._compiled:
                yield start, np.array([self._value(n) for n in range(start, stop)], dtype=np.int64)
                continue
            for low, _, values in grundy_segments(self._game.key, start, stop):
                yield low, values

    def lost(self, a: int, misere: bool) -> Iterator[tuple[int, U8]]:
        """(number, 1 for each number from there on that is lost, else 0).

        Under misère, the value 1 says so where the game is tame.
        """
        if self._compiled and not misere:
            for start, stop in _windows(a):
                for low, high, bits in outcome_segments(self._game.key, start, stop):
                    yield low, np.unpackbits(bits, count=high - low, bitorder="little")
        elif self._compiled and self._theory.tame:
            for low, values in self.values(a):
                yield low, (values == 1).astype(np.uint8)
        else:
            for start, stop in _windows(a, _SMALLEST):
                lost = [self._is_lost(n, misere) for n in range(start, stop)]
                yield start, np.array(lost, dtype=np.uint8)

    def _value(self, n: int) -> int:
        if self._theory.lost(n) is None:
            return self._search.grundy(Number(self._game, n))
        return self._theory.grundy(n)

    def _is_lost(self, n: int, misere: bool) -> bool:
        lost = self._theory.lost(n, misere)
        if lost is None:
            lost = (self._misere if misere else self._search).lost(Board.of(self._game, n))
        return lost


def find_source(text: str) -> Source:
    """The source of `divisor-duel,divisors=even`, say. Raises `UnknownGame` or `InvalidSetup`."""
    key, *parts = text.split(",")
    settings = dict(part.partition("=")[::2] for part in parts)
    game = load(key)
    if set(settings) - set(game.variants):
        name = min(set(settings) - set(game.variants))
        about = {"name": name, "value": settings[name], "known": dict(game.variants)}
        raise InvalidSetup("unknown variant", game=game, **about)
    return Source(load(key, **settings))


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
        early = min(max(start - low, 0), len(values))
        for value, many in zip(*np.unique(values[:early], return_counts=True), strict=True):
            boards.add(int(value), int(many))
        found = []
        for value in values[early:].tolist():
            boards.add(value)
            found.append(boards.lost())
        if found:
            yield low + early, found


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
    for index, found in pieces(source, kind, start, stop, numbers):
        end = len(found) + 1
        if stop is not None and kind in ("grundy", "count"):
            end = min(end, max(0, stop + 1 - index))
        elif stop is not None and found and found[-1] > stop:
            end = bisect_right(found, stop)
        if terms is not None:
            end = min(end, terms)
            terms -= min(end, len(found))
        yield index, found[:end]
        if end <= len(found):
            return


class LostBoards:
    """How many boards of k equal games are lost, for the numbers added so far; exact at any size.

    A board is lost when the XOR of its values is 0. With h(v) numbers of value v, the boards of
    k numbers by XOR are the k-fold XOR convolution of h; the Walsh-Hadamard transform H turns it
    into a power, so the lost ones are the mean of H(w)^k. A number of value v changes each H(w) by
    +1 or -1. While no value has a bit, H is the same with it in w and without.
    """

    def __init__(self, numbers: int) -> None:
        self._numbers = numbers
        self._transform = [0]

    def add(self, value: int, many: int = 1) -> None:
        while value >= len(self._transform):
            self._transform *= 2
        for w in range(len(self._transform)):
            self._transform[w] += -many if (value & w).bit_count() & 1 else many

    def lost(self) -> int:
        """How many boards of k numbers are lost, in each order of the numbers."""
        powers: int = sum(count**self._numbers for count in self._transform)
        return powers // len(self._transform)
