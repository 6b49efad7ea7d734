"""Own rules: games that need no file, since their key says the whole rule; and their sentences."""

from functools import lru_cache
from math import prod
from typing import Any, ClassVar, Self
from weakref import WeakValueDictionary

from numduel.arguments import check
from numduel.errors import InvalidSetup
from numduel.games.amounts import WORDS, Amounts, AnyOf, Divided, Listed
from numduel.games.game import Fault, Subtraction
from numduel.games.own_text import SAID, RuleText, read_rule, runs

_USUAL = 50
_REMEMBERED = 256  # own rules that are kept ready; every rule is somebody's input
_RUN = 5  # this many amounts in a row are said as a range
_MEANT = {
    "square": "The squares are 1, 4, 9, 16 and so on.",
    "cube": "The cubes are 1, 8, 27, 64 and so on.",
    "prime": "The primes are 2, 3, 5, 7, 11 and so on.",
    "digit": "The digit 0 takes nothing away and does not count.",
    "divisor": "A divisor divides the number without a remainder; 1 and the number itself count.",
    "proper-divisor": "A smaller divisor divides the number without a remainder and is smaller"
    " than it; 1 counts.",
    "power-of-2": "The powers of 2 are 1, 2, 4, 8 and so on.",
    "fibonacci": "The Fibonacci numbers are 1, 2, 3, 5, 8, 13 and so on.",
    "triangular": "The triangular numbers are 1, 3, 6, 10, 15 and so on.",
}


class OwnRule(Subtraction):
    """A move is the amount that is taken away. Two ways to the same result are one move."""

    wording = "numduel.wording.neutral:OwnRuleWording"
    __slots__ = ("__weakref__", "_named", "amounts", "default_start", "divisors", "factors", "key",
                 "rule", "takes", "title")  # fmt: skip

    rule: RuleText
    takes: Amounts
    amounts: tuple[int, ...]
    _named: Amounts  # what may be taken without a division
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

    def having(self, /, **settings: str) -> Self:
        for name, value in settings.items():
            raise InvalidSetup("unknown variant", game=self, name=name, value=value, known={})
        return self

    @property
    def description(self) -> str:
        """The whole rule, as a built-in game's docstring says it."""
        rule, end = self.rule, goal(self.rule)
        because = f", because {stuck(rule)}" if stuck(rule) else " move"
        ends = f"If you can't{because}, you lose."
        said = [f"{does(rule)} {ends if end is None else f'Whoever reaches {end} wins.'}"]
        said += [meanings(rule)] if meanings(rule) else []
        for k in rule.divisors[:1]:
            divides = f"/{k} means dividing by {k}."
            said.append(f"A move is written as the amount that it takes away; {divides}")
        said.append("The number gets smaller with every move, so this game always ends.")
        return "\n\n".join(said)

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


def title(rule: RuleText) -> str:
    """What the game is called: "Halve or take 1"."""
    divided = f"divide by {_any_of(rule.divisors)}" if rule.divisors else ""
    parts = ["halve" if rule.divisors == (2,) else divided, _taken("take", rule)]
    return _upper(" or ".join(filter(None, parts)))


def does(rule: RuleText) -> str:
    halved = ""
    if rule.divisors == (2,):
        halved = "Halve the number if it is even"
    elif rule.divisors:
        halved = f"Divide the number by {_any_of(rule.divisors)} if that leaves no remainder"
    return f"{_upper(', or '.join(filter(None, [halved, _taken('take away', rule)])))}."


def goal(rule: RuleText) -> int | None:
    """The number at which every match ends, if there is one."""
    if _least_amount(rule) == 1:
        return 0
    return 1 if "proper-divisor" in rule.words and _least_amount(rule) is None else None


def stuck(rule: RuleText) -> str:
    """Why a player cannot move: part of a sentence; empty where it takes too many words."""
    least = _least_amount(rule)
    if rule.divisors or least in (None, 1) or "proper-divisor" in rule.words:
        return ""
    return f"less than {least} is left"


def meanings(rule: RuleText) -> str:
    """What the words of the rule mean; empty where all is said."""
    return " ".join(_MEANT[word] for word in rule.words if word in _MEANT)


def _least_amount(rule: RuleText) -> int | None:
    """The least amount that can be taken from every number that is large enough, if any.

    Every word but two allows to take 1; a prime is at least 2, and 1 has no smaller divisor.
    """
    least = [*rule.amounts[:1]]
    least += [2 if word == "prime" else 1 for word in rule.words if word != "proper-divisor"]
    return min(least, default=None)


def _taken(verb: str, rule: RuleText) -> str:
    amounts = [f"{a} to {b}" if a < b else str(a) for a, b in runs(rule.amounts, _RUN)]
    said = amounts + [SAID[word] for word in rule.words]
    return f"{verb} {_any_of(said)}" if said else ""


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _any_of(parts: tuple[int, ...] | list[str]) -> str:
    *others, last = map(str, parts)
    return f"{', '.join(others)} or {last}" if others else last
