"""Misère values and the genus of heaps and sums of heaps (Conway; Winning Ways, chapter 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from numduel.errors import InvalidHeap

if TYPE_CHECKING:
    from numduel.research.heaps import Heap

Heaps = tuple[int, ...]
_LONGEST: Final = 40
LIMIT: Final = 200_000
"""Positions that one question may look at: some seconds."""


class Misere:
    """Misère values of positions: heaps of one game, and a number of heaps *2 of Nim beside."""

    def __init__(self, game: Heap) -> None:
        self._game = game
        self._known: dict[tuple[Heaps, Heaps], int] = {}
        self._dead: dict[int, bool] = {}

    def value(self, heaps: Heaps, nim: Heaps = ()) -> int:
        """1 where no move is left, otherwise the mex of the options' values."""
        root = self._position(heaps, nim)
        known = self._known
        looked = 0
        # A stack of its own: heaps in the thousands nest deeper than calls may.
        stack = [root]
        while stack:
            position = stack[-1]
            if position in known:
                stack.pop()
                continue
            options = self._options(position)
            looked += 1
            if looked > LIMIT:
                raise InvalidHeap(problem="too many", heaps=", ".join(map(str, heaps)), limit=LIMIT)
            unknown = [option for option in options if option not in known]
            if unknown:
                stack += unknown
                continue
            reached = {known[option] for option in options}
            value = 0 if options else 1
            while value in reached:
                value += 1
            known[position] = value
            stack.pop()
        return known[root]

    def _position(self, heaps: Heaps, nim: Heaps) -> tuple[Heaps, Heaps]:
        return tuple(sorted(n for n in heaps if not self._is_dead(n))), tuple(sorted(nim))

    def _is_dead(self, n: int) -> bool:
        """Has the heap no option? Such heaps do not count."""
        if n not in self._dead:
            self._dead[n] = not self._game.options(n)
        return self._dead[n]

    def _options(self, position: tuple[Heaps, Heaps]) -> list[tuple[Heaps, Heaps]]:
        heaps, nim = position
        found = []
        for place, n in enumerate(heaps):
            rest = heaps[:place] + heaps[place + 1 :]
            found += [self._position(rest + option, nim) for option in self._game.options(n)]
        for place, size in enumerate(nim):
            rest = nim[:place] + nim[place + 1 :]
            found += [(heaps, tuple(sorted((*rest, left)))) for left in range(1, size)]
            found.append((heaps, rest))
        return list(dict.fromkeys(found))

    def genus(self, heaps: Heaps) -> str:
        """The genus symbol: Grundy value, ^, misère values up to where two alternate."""
        values: list[int] = []
        while len(values) < _LONGEST:
            values.append(self.value(heaps, (2,) * len(values)))
            if _alternates(values):
                break
        while len(values) > 2 and values[-1] == values[-3]:
            values.pop()
        return f"{self._game.grundy(*heaps)}^{''.join(map(str, values))}"


def _alternates(values: list[int]) -> bool:
    """Do the last ones go a, a xor 2, a, a xor 2? From there on they always do."""
    if len(values) < 4:
        return False
    a, b, c, d = values[-4:]
    return a == c and b == d and a ^ b == 2
