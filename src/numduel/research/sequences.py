"""Sequences: terms from kernels, theory or search, written as b-files, CSV, JSON lines or npy."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import IO, Final

import numpy as np

from numduel import theory
from numduel.board import Board, Number
from numduel.errors import FileError, InvalidRange, InvalidSetup
from numduel.games import Game, load
from numduel.ranges import GAMES, LIMIT, grundy_segments, outcome_segments
from numduel.ranges.kernel import I64, U8
from numduel.solver.search import Search

_SMALLEST, _LARGEST = 1 << 12, 1 << 26
_SEARCHED = 10**15
COUNTED: Final = 10**12
"""Terms below the start of a list are counted up to here, to know the first index."""
_TERM = re.compile(rb"\s*(-?[0-9]+)\s+(-?[0-9]+)\s*")
_LARGEST_IN_NPY: Final = 2**63 - 1
_LONGEST_LINE: Final = 1 << 20
"""Bytes of a line that are read; no term is longer."""
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
    """How many boards of k numbers up to n are lost, in each order of the numbers; at any size.

    A board is lost when the XOR of its values is 0. With h(v) numbers of value v, the boards of
    k numbers by XOR are the k-fold XOR convolution of h; the Walsh-Hadamard transform H turns it
    into a power, so the lost ones are the mean of H(w)^k. A number of value v changes each H(w) by
    +1 or -1. While no value has a bit, H is the same with it in w and without.
    """
    transform = [0]

    def add(value: int, many: int) -> None:
        while value >= len(transform):
            transform.extend(transform)
        for w in range(len(transform)):
            transform[w] += -many if (value & w).bit_count() & 1 else many

    for low, values in source.values(source.first):
        early = min(max(start - low, 0), len(values))
        for value, many in zip(*np.unique(values[:early], return_counts=True), strict=True):
            add(int(value), int(many))
        found = []
        for value in values[early:].tolist():
            add(value, 1)
            found.append(sum(count**numbers for count in transform) // len(transform))
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
    source: Source, kind: str, start: int | None, stop: int | None, terms: int | None,
    numbers: int = 1,
) -> Iterator[Piece]:  # fmt: skip
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


def write_text(pieces: Iterable[Piece], form: str, out: IO[bytes]) -> None:
    """Write the terms as they come."""
    if form == "csv":
        out.write(b"n,a(n)\n")
    line = {"bfile": "%d %d\n", "csv": "%d,%d\n", "jsonl": '{"n": %d, "a": %d}\n'}[form]
    for index, terms in pieces:
        out.write("".join([line % pair for pair in enumerate(terms, index)]).encode())


def write_npy(pieces: Iterable[Piece], out: IO[bytes], many: int | None) -> None:
    """Write the terms as an array of 64-bit integers.

    Its header has the number of terms: `many`, or the count once all are written, which needs a
    file that is seekable.
    """
    head = out.tell() if many is None else 0
    _header(out, many or 0)
    count = 0
    for _, terms in pieces:
        if terms and max(terms) > _LARGEST_IN_NPY:
            raise InvalidRange(problem="npy", start=0, stop=max(terms))
        out.write(np.array(terms, dtype="<i8").tobytes())
        count += len(terms)
    if many is None:
        end = out.tell()
        out.seek(head)
        _header(out, count)
        out.seek(end)


def _header(out: IO[bytes], many: int) -> None:
    # numpy leaves room for a longer shape, so that the header keeps its length.
    fields = {"descr": "<i8", "fortran_order": False, "shape": (many,)}
    np.lib.format.write_array_header_1_0(out, fields)


def read_bfile(path: str, file: IO[bytes]) -> Iterator[tuple[int, int]]:
    """The indices and terms of a b-file; raises `FileError`."""
    expected, number = None, 0
    for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), 1):
        text = line.strip()
        if not text or text.startswith(b"#"):
            continue
        match = _TERM.fullmatch(text)
        if match is None:
            shown = text[:60].decode("utf-8", "replace")
            raise FileError(path=path, line=number, problem="not a term", text=shown)
        index = int(match[1])
        if expected is not None and index != expected:
            about = {"problem": "order", "expected": expected, "text": str(index)}
            raise FileError(path=path, line=number, **about)
        expected = index + 1
        yield index, int(match[2])
    if expected is None:
        raise FileError(path=path, line=max(number, 1), problem="empty")


def first_difference(
    ours: Iterator[Piece], theirs: Iterator[tuple[int, int]]
) -> tuple[int, tuple[int, int | None, int] | None]:
    """(terms that agree, (index, our term or None, their term) where they part or None)."""
    agree = 0
    mine = ((index + place, term) for index, found in ours for place, term in enumerate(found))
    for index, term in theirs:
        # Ours are asked for only now: a term more than needed could take long.
        current = next((pair for pair in mine if pair[0] >= index), None)
        if current is None or current[0] > index:
            return agree, (index, None, term)
        if current[1] != term:
            return agree, (index, current[1], term)
        agree += 1
    return agree, None
