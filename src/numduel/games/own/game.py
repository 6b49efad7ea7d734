"""A game that its key alone describes: somebody's own rule."""

from functools import lru_cache
from math import prod
from typing import Any, ClassVar, Self
from weakref import WeakValueDictionary

from numduel.arguments import check
from numduel.errors import InvalidSetup
from numduel.games.amounts import WORDS, Amounts, AnyOf, Divided, Listed
from numduel.games.game import Fault, Subtraction
from numduel.games.own.sentences import description, title
from numduel.games.own.text import RuleText, read_rule

_USUAL = 50
_REMEMBERED = 256
"""Own rules that are kept ready; every rule is somebody's input."""


class OwnRule(Subtraction):
    """A move is the amount that is taken away. Two ways to the same result are one move."""

    __slots__ = ("__weakref__", "_named", "amounts", "default_start", "divisors", "factors", "key",
                 "rule", "takes", "title")  # fmt: skip

    rule: RuleText
    takes: Amounts
    amounts: tuple[int, ...]
    _named: Amounts
    """What may be taken without a division."""
    _alive: ClassVar["WeakValueDictionary[str, OwnRule]"] = WeakValueDictionary()

    def __new__(cls, rule: RuleText) -> Self:
        """The one object of this rule, as long as anybody holds it."""
        check("rule", rule, RuleText)
        key = str(rule)
        made: Any = cls._alive.get(key)
        if made is None:
            made = object.__new__(cls)
            made.settings = {}
            made.rule, made.key, made.title = rule, key, title(rule)
            made.divisors, made.amounts = rule.divisors, rule.amounts
            made.factors = bool({"divisor", "proper-divisor"} & set(rule.words))
            named = [WORDS[word] for word in rule.words]
            named += [Listed(rule.amounts)] if rule.amounts else []
            kinds = [*named, Divided(rule.divisors)] if rule.divisors else named
            made._named = AnyOf(named)
            made.takes = AnyOf(kinds) if len(kinds) > 1 else kinds[0]
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
    def falls_fast(self) -> bool:
        """Can only a few numbers be reached, however large the start, as by dividing?"""
        return not self.amounts and {"divisor", "proper-divisor"}.issuperset(self.rule.words)

    def fault(self, n: int, amount: int) -> Fault | None:
        if amount < 1:
            return Fault.NOT_POSITIVE
        if self.takes.has(n, amount):
            return None
        return Fault.TOO_LARGE if amount > n else Fault.NOT_LEGAL

    def divides(self, n: int, amount: int) -> int | None:
        """An amount that the rule also allows to be taken away is shown as that."""
        if self._named.has(n, amount):
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


@lru_cache(maxsize=_REMEMBERED)
def own_rule(key: str) -> OwnRule:
    """The game of this rule, however it is written. Raises `InvalidRule`."""
    return OwnRule(read_rule(key))
