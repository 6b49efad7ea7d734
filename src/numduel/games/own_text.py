"""The grammar of own rules: a rule's text is its game's key.

    rule   := clause ("-or-" clause)*
    clause := "halve" | "divide-by-" amounts | "subtract-" (amounts | A "-to-" B | word)

>>> str(read_rule("subtract-4-1-3")), str(read_rule("subtract-1-or-divide-by-2"))
('subtract-1-3-4', 'halve-or-subtract-1')
"""

import re
from contextlib import suppress
from itertools import count, groupby
from typing import NamedTuple

from numduel.errors import InvalidRule
from numduel.games.amounts import WORDS

MOST_CLAUSES = 8
LARGEST_AMOUNT = 1000  # the most that is taken away, or divided by
LONGEST = 300  # letters of a rule's text
_CLAUSE = re.compile(r"(subtract|divide-by)-(.*)", re.DOTALL)
_NUMBERS = re.compile(r"[0-9]+(-[0-9]+)*", re.ASCII)
_RANGE = re.compile(r"([0-9]+)-to-([0-9]+)", re.ASCII)
_TAKE = "take-"  # how people may say it; the grammar has one word for one thing
_RUN = 3  # this many amounts in a row are written as a range
SAID = {  # the words of the grammar as sentences say them
    "any": "any amount",
    "square": "a square",
    "cube": "a cube",
    "prime": "a prime",
    "digit": "one of its digits",
    "divisor": "a divisor",
    "proper-divisor": "a smaller divisor",
    "power-of-2": "a power of 2",
    "fibonacci": "a Fibonacci number",
    "triangular": "a triangular number",
}
_ENGLISH = {  # what the rule's own sentences say, with hyphens, and the same in the grammar
    **{said.lower().replace(" ", "-"): word for word, said in SAID.items()},
    "take-away": "subtract",
    "take": "subtract",
    "halve-the-number-if-it-is-even": "halve",
    "divide-the-number-by": "divide-by",
    "if-that-leaves-no-remainder": "or",
}
_ITEM = re.compile(rf"(subtract|divide-by|halve|or|\d+-to-\d+|\d+|{'|'.join(WORDS)})-", re.ASCII)
_VERBS = ("subtract", "divide", "halve")


class RuleText(NamedTuple):
    """A rule that was read: what a number may be divided by, amounts named, words."""

    divisors: tuple[int, ...]
    amounts: tuple[int, ...]
    words: tuple[str, ...]

    def __str__(self) -> str:
        divided = f"divide-by-{'-'.join(map(str, self.divisors))}" if self.divisors else ""
        clauses = ["halve" if self.divisors == (2,) else divided, *_subtractions(self.amounts)]
        return "-or-".join(filter(None, [*clauses, *(f"subtract-{word}" for word in self.words)]))


def in_grammar(text: str) -> str:
    """The key of a rule as somebody types it; any other text in lower case, with hyphens."""
    hyphened = re.sub(r"[\s,]+", "-", text.strip().rstrip(".").lower())
    return _from_english(hyphened) or hyphened


def _from_english(hyphened: str) -> str | None:
    """The rule that a sentence says, if it is one: amounts go with the verb before them."""
    left = f"-{hyphened}-"
    for said, meant in _ENGLISH.items():
        left = left.replace(f"-{said}-", f"-{meant}-")
    verb, at, clauses = "", 1, []
    numbers: dict[str, list[str]] = {"subtract": [], "divide-by": []}
    while at < len(left):
        found = _ITEM.match(left, at)
        if found is None:
            return None
        item, at = found[1], found.end()
        if item in (*numbers, "halve"):
            verb = item
            clauses += ["halve"] if verb == "halve" else []
        elif item.isdigit() and verb in numbers:
            numbers[verb].append(item)
        elif item != "or":
            if verb != "subtract":
                return None
            clauses.append(f"subtract-{item}")
    named = [f"{verb}-{'-'.join(found)}" for verb, found in numbers.items() if found]
    return "-or-".join(named + clauses) or None


def is_rule(key: str) -> bool:
    """Does this look like an own rule, right or wrong?"""
    first = key.partition("-or-")[0]
    plain = first == "halve" or first.startswith(("subtract-", "divide-by-", _TAKE))
    return plain or _respelt(first) is not None


def _respelt(clause: str) -> str | None:
    """The clause with its verb spelt right, where it can be read then: "substract-1"."""
    from difflib import get_close_matches

    verb, _, rest = clause.partition("-")
    near = [] if verb in _VERBS else get_close_matches(verb, _VERBS, 1, 0.8)
    with suppress(InvalidRule):
        for right in near:
            return str(_read(f"{right}-{rest}".removesuffix("-")))
    return None


def read_rule(key: str) -> RuleText:
    """The rule that a key says. Raises `InvalidRule`, with the nearest rule where that is one."""
    try:
        return _read(key)
    except InvalidRule as error:
        nearest = None
        with suppress(InvalidRule):
            nearest = error.nearest and str(_read(error.nearest))
        raise InvalidRule(**{**error.fields, "nearest": nearest}) from None


def _clauses(key: str) -> list[str]:
    """The parts of a text that is not too large."""
    if len(key) > LONGEST:
        raise _invalid(key, "too long", key, limit=LONGEST)
    clauses = key.split("-or-")
    if len(clauses) > MOST_CLAUSES:
        raise _invalid(key, "clauses", key, limit=MOST_CLAUSES)
    return clauses


def _read(key: str) -> RuleText:
    divisors: set[int] = set()
    amounts: set[int] = set()
    words: set[str] = set()
    for clause in _clauses(key):
        found = _CLAUSE.fullmatch(clause)
        verb, rest = found.groups() if found else (clause, "")
        if verb == "halve":
            divisors.add(2)
        elif verb == "divide-by" and _NUMBERS.fullmatch(rest):
            divisors.update(_numbers(key, clause, rest, least=2))
        elif verb == "subtract" and _NUMBERS.fullmatch(rest):
            amounts.update(_numbers(key, clause, rest))
        elif verb == "subtract" and (ends := _RANGE.fullmatch(rest)):
            first, last = _numbers(key, clause, "-".join(ends.groups()))
            if first > last:
                raise _invalid(key, "range", clause, f"subtract-{last}-to-{first}")
            amounts.update(range(first, last + 1))
        elif verb == "subtract" and rest in WORDS:
            words.add(rest)
        else:
            raise _misread(key, clause, verb, rest)
    if "any" in words:  # it includes everything else in the rule
        return RuleText((), (), ("any",))
    named = tuple(word for word in WORDS if word in words)
    rule = RuleText(tuple(sorted(divisors)), tuple(sorted(amounts)), named)
    _clauses(str(rule))  # its own text may be the larger one, and is what will be read again
    return rule


def _numbers(key: str, clause: str, text: str, least: int = 1) -> list[int]:
    parts = text.split("-")
    found = [int(part) for part in parts if len(part) <= len(str(LARGEST_AMOUNT))]
    fitting = [number for number in found if least <= number <= LARGEST_AMOUNT]
    if len(fitting) < len(parts):
        head = clause[: clause.index(parts[0])]
        mended = head + "-".join(map(str, fitting)) if fitting and "-to-" not in clause else None
        problem = "amount" if least == 1 else "divisor"
        raise _invalid(key, problem, clause, mended, limit=LARGEST_AMOUNT)
    return fitting


def _misread(key: str, clause: str, verb: str, rest: str) -> InvalidRule:
    """The clause that was probably meant by one that cannot be read."""
    from difflib import get_close_matches

    if verb == "subtract":
        words = get_close_matches(rest.removesuffix("s"), WORDS, 1, 0.5)
        return _invalid(key, "word", clause, *(f"subtract-{word}" for word in words))
    if rest:
        return _invalid(key, "divisor", clause, limit=LARGEST_AMOUNT)
    if (respelt := _respelt(clause)) is not None:
        return _invalid(key, "clause", clause, respelt)
    if clause.startswith(_TAKE):
        nearest = key.replace(_TAKE, "subtract-")
        return InvalidRule(key=key, problem="clause", part=clause, nearest=nearest, limit=0)
    if clause in WORDS or _NUMBERS.fullmatch(clause) or _RANGE.fullmatch(clause):
        return _invalid(key, "clause", clause, f"subtract-{clause}")
    parts = get_close_matches(clause, ["halve", *(f"subtract-{word}" for word in WORDS)], 1)
    return _invalid(key, "clause", clause, *parts)


def _invalid(
    key: str, problem: str, part: str, meant: str | None = None, *, limit: int = 0
) -> InvalidRule:
    """The error for a part of the rule, and what was probably meant by the part."""
    nearest = meant and key.replace(part, meant)
    return InvalidRule(key=key, problem=problem, part=part, nearest=nearest, limit=limit)


def runs(amounts: tuple[int, ...], least: int) -> list[tuple[int, int]]:
    """First and last of `least` or more that follow one another; any other amount twice."""
    found: list[tuple[int, int]] = []
    places = count()
    for _, group in groupby(amounts, key=lambda amount: amount - next(places)):
        run = list(group)
        found += [(run[0], run[-1])] if len(run) >= least else zip(run, run, strict=True)
    return found


def _subtractions(amounts: tuple[int, ...]) -> list[str]:
    """The amounts that stand alone, then ranges, each by its smallest."""
    found = runs(amounts, _RUN)
    clauses = {first: f"subtract-{first}-to-{last}" for first, last in found if first < last}
    if single := [first for first, last in found if first == last]:
        clauses[single[0]] = f"subtract-{'-'.join(map(str, single))}"
    return [clauses[first] for first in sorted(clauses)]
