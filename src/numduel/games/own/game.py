"""A game that its key alone describes: somebody's own rule."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from heapq import merge
from itertools import groupby
from math import prod
from typing import Any, ClassVar, Self
from weakref import WeakValueDictionary

from numduel.errors import InvalidSetup
from numduel.games.game import Fault, Game
from numduel.games.own.amounts import WORDS, Amounts, Divided, Listed
from numduel.games.own.sentences import description, title
from numduel.games.own.text import RuleText, read_rule

_USUAL = 50
_REMEMBERED = 256
"""Own rules that are kept ready; every rule is somebody's input."""


class OwnRule(Game):
    """A rule that its own key says.

    A move is the amount that is taken away. Two ways to the same result are one move.
    """

    __slots__ = (
        "__weakref__",
        "_clauses",
        "_divided",
        "amounts",
        "default_start",
        "divisors",
        "factors",
        "key",
        "rule",
        "title",
    )

    rule: RuleText
    amounts: tuple[int, ...]
    """Those that the rule names."""
    _clauses: tuple[Amounts, ...]
    _divided: Divided | None
    _alive: ClassVar[WeakValueDictionary[str, OwnRule]] = WeakValueDictionary()

    def __new__(cls, rule: RuleText) -> Self:
        """The one object of this rule, as long as anybody holds it."""
        key = str(rule)
        made: Any = cls._alive.get(key)
        if made is None:
            made = object.__new__(cls)
            made.settings = {}
            made.rule, made.key, made.title = rule, key, title(rule)
            made.divisors, made.amounts = rule.divisors, rule.amounts
            made.factors = bool({"divisor", "proper-divisor"} & set(rule.words))
            clauses: list[Amounts] = [WORDS[word] for word in rule.words]
            clauses += [Listed(rule.amounts)] if rule.amounts else []
            made._divided = Divided(rule.divisors) if rule.divisors else None
            made._clauses = (*clauses, *([made._divided] if made._divided else []))
            made.default_start = _usual_start(rule)
            made = cls._alive.setdefault(key, made)
        return made  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        return (own_rule, (self.key,))

    def having(self, **settings: str) -> Self:
        for name, value in settings.items():
            raise InvalidSetup("unknown variant", game=self, name=name, value=value, known={})
        return self

    @property
    def description(self) -> str:
        return description(self.rule)

    @property
    def fixed(self) -> bool:
        """Are the same amounts allowed at every number that is large enough?"""
        return all(clause.fixed for clause in self._clauses)

    @property
    def falls_fast(self) -> bool:
        """Can only a few numbers be reached, however large the start, as by dividing?"""
        return not self.amounts and {"divisor", "proper-divisor"}.issuperset(self.rule.words)

    def is_over(self, n: int) -> bool:
        return all(next(clause.up(n), None) is None for clause in self._clauses)

    def moves(self, n: int) -> Iterator[int]:
        return _once([clause.up(n) for clause in self._clauses], falling=False)

    def moves_down(self, n: int) -> Iterator[int]:
        return _once([clause.down(n) for clause in self._clauses], falling=True)

    def count(self, n: int) -> int | None:
        return self._clauses[0].count(n) if len(self._clauses) == 1 else super().count(n)

    def fault(self, n: int, amount: int) -> Fault | None:
        if amount < 1:
            return Fault.NOT_POSITIVE
        if any(clause.has(n, amount) for clause in self._clauses):
            return None
        return Fault.TOO_LARGE if amount > n else Fault.NOT_LEGAL

    def divides(self, n: int, amount: int) -> int | None:
        """An amount that the rule also allows to be taken away is shown as that."""
        if any(clause.has(n, amount) for clause in self._clauses if clause is not self._divided):
            return None
        left = n - amount
        divisor = n // left if left and n % left == 0 else 0
        return divisor if divisor in self.divisors else None

    def dividing(self, n: int, divisor: int) -> int | None:
        fits = n and divisor in self.divisors and n % divisor == 0
        return n - n // divisor if fits else None


def _usual_start(rule: RuleText) -> int:
    """A start from which some moves are left, whatever the rule is."""
    if rule.words or (rule.amounts and rule.amounts[0] <= _USUAL // 10):
        return _USUAL
    if rule.amounts:
        return 10 * rule.amounts[0]
    start = prod(rule.divisors)
    while start < _USUAL:
        start *= rule.divisors[0]
    return start * rule.divisors[0]


def _once(streams: list[Iterator[int]], falling: bool) -> Iterator[int]:
    """Several streams in one order, equal amounts once."""
    if len(streams) == 1:
        return streams[0]
    return (amount for amount, _ in groupby(merge(*streams, reverse=falling)))


@lru_cache(maxsize=_REMEMBERED)
def own_rule(key: str) -> OwnRule:
    """The game of this rule, however it is written. Raises `InvalidRule`."""
    return OwnRule(read_rule(key))
