"""An own rule in plain words: its name, and what it says."""

from numduel.games.own.text import SAID, RuleText, runs

_LISTED = 4
"""Ranges up to this long are said number by number."""

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


def title(rule: RuleText) -> str:
    """What the game is called: "Halve or take 1"."""
    parts = []
    if rule.divisors:
        parts.append("halve" if rule.divisors == (2,) else f"divide by {_any_of(rule.divisors)}")
    if rule.amounts or rule.words:
        parts.append(f"take {_amounts(rule)}")
    return _upper(" or ".join(parts))


def does(rule: RuleText) -> str:
    taken = f"take away {_amounts(rule)}" if rule.amounts or rule.words else ""
    if not rule.divisors:
        return f"{_upper(taken)}."
    if rule.divisors == (2,):
        halved = "Halve the number if it is even"
    else:
        halved = f"Divide the number by {_any_of(rule.divisors)} if that leaves no remainder"
    return f"{halved}, or {taken}." if taken else f"{halved}."


def least_amount(rule: RuleText) -> int | None:
    """The least amount that can be taken from every number that is large enough, if any.

    Every word but two allows to take 1; a prime is at least 2, and 1 has no smaller divisor.
    """
    least = [rule.amounts[0]] if rule.amounts else []
    least += [2 if word == "prime" else 1 for word in rule.words if word != "proper-divisor"]
    return min(least, default=None)


def goal(rule: RuleText) -> int | None:
    """The number at which every match ends, if there is one."""
    if least_amount(rule) == 1:
        return 0
    return 1 if "proper-divisor" in rule.words and least_amount(rule) is None else None


def stuck(rule: RuleText) -> str:
    """Why a player cannot move: part of a sentence; empty where it takes too many words."""
    least = least_amount(rule)
    if rule.divisors or least in (None, 1) or "proper-divisor" in rule.words:
        return ""
    return f"less than {least} is left"


def description(rule: RuleText) -> str:
    """The whole rule, as a built-in game's docstring says it."""
    end = goal(rule)
    if end is not None:
        ends = f"Whoever reaches {end} wins."
    else:
        because = stuck(rule)
        ends = f"If you can't{f', because {because}' if because else ' move'}, you lose."
    divided = ""
    if rule.divisors:
        k = rule.divisors[0]
        divided = f"A move is written as the amount that it takes away; /{k} means dividing by {k}."
    shrinks = "The number gets smaller with every move, so this game always ends."
    return "\n\n".join(filter(None, [f"{does(rule)} {ends}", meanings(rule), divided, shrinks]))


def meanings(rule: RuleText) -> str:
    """What the words of the rule mean; empty where all is said."""
    return " ".join(_MEANT[word] for word in rule.words if word in _MEANT)


def _amounts(rule: RuleText) -> str:
    single, longer = runs(rule.amounts)
    for first, last in longer:
        if last - first < _LISTED:
            single += range(first, last + 1)
    parts = [(first, f"{first} to {last}") for first, last in longer if last - first >= _LISTED]
    parts += [(amount, str(amount)) for amount in single]
    return _joined([text for _, text in sorted(parts)] + [SAID[word] for word in rule.words])


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _any_of(numbers: tuple[int, ...]) -> str:
    return _joined(list(map(str, numbers)))


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"
