"""Where the terms of sequences come from: kernels, theory, or plain search; piece by piece."""

from __future__ import annotations

from collections.abc import Iterator

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


def _windows(a: int, most: int = _LARGEST) -> Iterator[tuple[int, int]]:
    """[a, ...) in windows that grow, so that a few terms are cheap and many are fast."""
    size = _SMALLEST
    while a < LIMIT:
        stop = min(a + size, LIMIT)
        yield a, stop
        a, size = stop, min(2 * size, most)
    raise InvalidRange(problem="limit", start=a, stop=a + 1, limit=LIMIT)


class Kernels:
    """One of the five games as it comes, by the compiled kernels."""

    def __init__(self, game: Game) -> None:
        self._key = game.key
        # Prime Subtractor's values are those of its openings, and none starts from 0.
        self.first = 1 if game.key == "prime-subtractor" else game.least
        self._theory = theory.find(game)

    def values(self, a: int) -> Iterator[tuple[int, U8 | I64]]:
        """(number, Grundy values from there on)."""
        for start, stop in _windows(a):
            for low, _, values in grundy_segments(self._key, start, stop):
                yield low, values

    def lost(self, a: int, misere: bool) -> Iterator[tuple[int, U8]]:
        """(number, 1 for each number from there on that is lost, else 0).

        From the kernels; under misère by g = 1 where theory says so, else by theory.
        """
        if not misere:
            for start, stop in _windows(a):
                for low, high, bits in outcome_segments(self._key, start, stop):
                    yield low, np.unpackbits(bits, count=high - low, bitorder="little")
        elif self._key in ("subtract-a-prime", "prime-subtractor", "power-play"):
            for low, values in self.values(a):
                yield low, (values == 1).astype(np.uint8)
        else:
            for start, stop in _windows(a, 1 << 16):
                lost = [bool(self._theory.lost(n, misere=True)) for n in range(start, stop)]
                yield start, np.array(lost, dtype=np.uint8)


class Numbers:
    """Any other game or variant, number by number: by its theory, and by search where that ends.

    Memory grows with the numbers.
    """

    def __init__(self, game: Game) -> None:
        self.first = game.least
        self._game, self._theory = game, theory.find(game)
        self._search, self._misere = Search(limit=_SEARCHED), Search(True, _SEARCHED)

    def values(self, a: int) -> Iterator[tuple[int, U8 | I64]]:
        """Values one by one."""
        for start, stop in _windows(a, _SMALLEST):
            yield start, np.array([self._value(n) for n in range(start, stop)], dtype=np.int64)

    def lost(self, a: int, misere: bool) -> Iterator[tuple[int, U8]]:
        """Outcomes one by one."""
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


Source = Kernels | Numbers
"""A game as sequences need it. Pieces follow each other from a on, for ever or to `LIMIT`."""


def find_source(text: str) -> Source:
    """The source for a game's key, with its variants (`divisor-duel,divisors=even`).

    Raises `UnknownGame` or `InvalidSetup`.
    """
    key, *parts = text.split(",")
    settings = dict(part.partition("=")[::2] for part in parts)
    game = load(key)
    if set(settings) - set(game.variants):
        name = min(set(settings) - set(game.variants))
        raise InvalidSetup(
            "unknown variant", game=game, name=name, value=settings[name], known=dict(game.variants)
        )
    chosen = load(key, **settings)
    return Kernels(game) if key in GAMES and chosen is game else Numbers(chosen)
