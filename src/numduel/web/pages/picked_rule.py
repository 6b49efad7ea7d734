"""The tiles and fields from which somebody makes a rule, and the rule's text that they make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from numduel.errors import InvalidRule
from numduel.games.amounts import WORDS
from numduel.games.own.sentences import title
from numduel.games.own.text import SAID, RuleText, in_grammar, read_rule, runs

AMOUNTS = tuple(map(str, range(1, 13)))
DIVISORS = {"2": "halve", "3": "divide by 3"}
_MOST = 40
"""Fields of one name that are looked at."""


@dataclass(frozen=True, slots=True)
class Picked:
    """What was picked, as text; the grammar says what is wrong with it."""

    amounts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    divisors: tuple[str, ...] = ()
    first: str = ""
    last: str = ""
    """A range of amounts: from 1 if only its end is told, else one amount if only one is."""
    rest: tuple[str, ...] = ()
    """Parts of a rule for which there is no tile."""

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> Picked:
        """What a form holds."""
        given: dict[str, list[str]] = {}
        for name, value in pairs:
            given.setdefault(name, []).append(in_grammar(value))

        def all_of(name: str) -> tuple[str, ...]:
            return tuple(filter(None, given.get(name, [])[:_MOST]))

        first, last = ((all_of(name) or ("",))[0] for name in ("from", "to"))
        return cls(all_of("take"), all_of("word"), all_of("divide"), first, last, all_of("rest"))

    @classmethod
    def of_rule(cls, rule: RuleText) -> Picked:
        """The tiles and fields that make this rule."""
        first, last = next((run for run in runs(rule.amounts)[1] if run[1] > len(AMOUNTS)), (0, 0))
        others = tuple(amount for amount in rule.amounts if not first <= amount <= last)
        divisors = tuple(divisor for divisor in rule.divisors if str(divisor) not in DIVISORS)
        amounts = tuple(amount for amount in others if str(amount) not in AMOUNTS)
        rest = (RuleText(divisors, (), ()), RuleText((), amounts, ()))
        return cls(
            amounts=tuple(str(amount) for amount in others if str(amount) in AMOUNTS),
            words=rule.words,
            divisors=tuple(str(divisor) for divisor in rule.divisors if str(divisor) in DIVISORS),
            first=str(first or ""),
            last=str(last or ""),
            rest=tuple(str(part) for part in rest if any(part)),
        )

    @property
    def text(self) -> str:
        """The rule's text, right or wrong; empty where nothing is picked."""
        clauses = [f"divide-by-{'-'.join(self.divisors)}"] if self.divisors else []
        clauses += [f"subtract-{'-'.join(self.amounts)}"] if self.amounts else []
        if self.first or self.last:
            clauses.append(f"subtract-{self.first or 1}-to-{self.last or self.first}")
        clauses += [f"subtract-{word}" for word in self.words]
        return "-or-".join([*clauses, *self.rest])

    @property
    def rest_in_words(self) -> list[tuple[str, str]]:
        """What has no tile, each with its words; what is no rule as it is."""
        return [(text, _said(text)) for text in self.rest]


def _said(text: str) -> str:
    try:
        return title(read_rule(text)).lower()
    except InvalidRule:
        return text


def words() -> list[tuple[str, str]]:
    """Each word of the grammar with what it says."""
    return [(word, SAID[word]) for word in WORDS]
