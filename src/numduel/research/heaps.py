"""Any heap game from its rule alone: values, sums, periods, genus and misère values.

A rule gives the options of a heap n: smaller heaps, or tuples of them where a move splits the
heap (an empty tuple takes it away). A position is one heap or several.
"""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any

from numduel.errors import InvalidHeap
from numduel.research.genus import Misere
from numduel.research.periods import octal_period
from numduel.theory.tables import Period, seen_period

Option = tuple[int, ...]
Rule = Callable[[int], Iterable[Any]]


_OCTAL = re.compile(r"([04]?)\.([0-7]+)", re.ASCII)


class Heap:
    """A heap game. Values are found by mex over all options, each heap once.

    Raises `InvalidHeap` when the rule gives something that is not an option.
    """

    def __init__(self, rule: Rule, least: int = 0, digits: int | None = None) -> None:
        self._rule = rule
        self.least = least
        self._digits = digits
        self._values: list[int] = []
        self._options: dict[int, tuple[Option, ...]] = {}
        self._misere = Misere(self)

    def options(self, n: int) -> tuple[Option, ...]:
        """What a move can make of the heap n, each as a tuple of heaps."""
        if n < self.least:
            raise InvalidHeap(problem="size", n=n, least=self.least)
        if n not in self._options:
            try:
                given = list(self._rule(n))
            except Exception as error:
                cause = f"{type(error).__name__}: {error}"
                raise InvalidHeap(problem="raised", n=n, cause=cause) from error
            self._options[n] = tuple(dict.fromkeys(self._checked(n, option) for option in given))
        return self._options[n]

    def _checked(self, n: int, option: Any) -> Option:
        heaps = option if isinstance(option, tuple) else (option,)
        for heap in heaps:
            if not isinstance(heap, int) or isinstance(heap, bool):
                raise InvalidHeap(problem="not a heap", n=n, option=repr(option))
            if heap < self.least:
                raise InvalidHeap(problem="below", n=n, option=heap, least=self.least)
            if heap >= n:
                raise InvalidHeap(problem="not smaller", n=n, option=repr(option))
        return tuple(sorted(heaps))

    def grundy(self, *heaps: int) -> int:
        """The Grundy value of a heap, or of several together."""
        return reduce(xor, (self._value(heap) for heap in heaps), 0)

    def _value(self, n: int) -> int:
        if n < self.least:
            raise InvalidHeap(problem="size", n=n, least=self.least)
        while len(self._values) <= n - self.least:
            self._values.append(self._mex(self.least + len(self._values)))
        return self._values[n - self.least]

    def _mex(self, n: int) -> int:
        values, least = self._values, self.least
        reached = {
            reduce(xor, (values[heap - least] for heap in option), 0) for option in self.options(n)
        }
        # Heaps already valued are not looked at again in normal play.
        del self._options[n]
        value = 0
        while value in reached:
            value += 1
        return value

    def values(self, count: int) -> list[int]:
        """The first `count` Grundy values."""
        if count > 0:
            self._value(self.least + count - 1)
        return self._values[:count]

    def is_lost(self, *heaps: int, misere: bool = False) -> bool:
        """Does the player to move lose, on one heap or several?"""
        if misere:
            return self._misere.value(heaps) == 0
        return self.grundy(*heaps) == 0

    def losses(self, misere: bool = False) -> Iterator[int]:
        """The single heaps that are lost, smallest first, one at a time."""
        n = self.least
        while True:
            if self.is_lost(n, misere=misere):
                yield n
            n += 1

    def misere_value(self, *heaps: int) -> int:
        """The misère Grundy value: 1 where no move is left, otherwise the mex of the options'.

        It tells who wins this position (0 is lost), but it does not add up over sums.
        """
        return self._misere.value(heaps)

    def genus(self, *heaps: int) -> str:
        """The genus, as Winning Ways writes it: 2^20 for a heap like *2 in Nim.

        The Grundy value, then the misère values with 0, 1, 2, ... heaps *2 added, up to where
        two of them alternate from then on.
        """
        return self._misere.genus(heaps)

    def period(self, count: int = 1000) -> Period | None:
        """The period of the values, looked for among the first `count`; None if none shows.

        `proved` says whether it holds for ever (octal games, by Guy and Smith's theorem) or has
        only been seen so far.
        """
        values = self.values(count)
        if self._digits is not None:
            return octal_period(values, self._digits)
        return seen_period(values)


def heap(rule: Rule, least: int = 0) -> Heap:
    """A heap game from its rule: `heap(lambda n: range(n))` is Nim.

    `least` is the smallest heap there is.
    """
    return Heap(rule, least)


def octal(code: str) -> Heap:
    """The octal game of a code such as 0.77 or .77 (Kayles), 0.07 (Dawson's Kayles) or 4.7.

    Digit k after the point says what may be left when k are taken from a heap: 1 nothing, 2 one
    heap, 4 two. The digit before the point is 4 if a heap may be split with nothing
    taken, otherwise 0.
    """
    found = _OCTAL.fullmatch(code.strip())
    if found is None:
        raise InvalidHeap(problem="octal", text=code)
    return Octal([int(found[1] or 0), *map(int, found[2])])


class Octal(Heap):
    """An octal game by its digits, from the one before the point on."""

    def __init__(self, digits: list[int]) -> None:
        super().__init__(self._octal_rule, 0, len(digits) - 1)
        self._code = digits

    def _octal_rule(self, n: int) -> Iterator[Option]:
        for taken, digit in enumerate(self._code):
            left = n - taken
            if digit & 1 and left == 0:
                yield ()
            if digit & 2 and left > 0:
                yield (left,)
            if digit & 4:
                yield from ((part, left - part) for part in range(1, left // 2 + 1))

    def _mex(self, n: int) -> int:
        """As for any heap, with the splits of a heap looked at together."""
        values = self._values
        reached: set[int] = set()
        for taken, digit in enumerate(self._code):
            left = n - taken
            if digit & 1 and left == 0:
                reached.add(0)
            if digit & 2 and left > 0:
                reached.add(values[left])
            if digit & 4 and left > 1:
                half = left // 2
                reached.update(map(xor, values[1 : half + 1], values[left - half : left][::-1]))
        value = 0
        while value in reached:
            value += 1
        return value


def heap_file(path: str | Path) -> Heap:
    """The heap game of a Python file that defines `options(n)` and perhaps `least`."""
    try:
        names = runpy.run_path(str(path))
        rule, least = names["options"], int(names.get("least", 0))
    except Exception as error:
        cause = "it defines none" if isinstance(error, KeyError) else repr(error)
        raise InvalidHeap(problem="no rule", path=str(path), cause=cause) from error
    return Heap(rule, least)
