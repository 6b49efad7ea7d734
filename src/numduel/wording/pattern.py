"""The pattern behind a game in a sentence: what repeats, and whether that is proved."""

from __future__ import annotations

from numduel.games import Game
from numduel.solver.premises import rule_for
from numduel.theory import find
from numduel.theory.tables import Period, seen_period
from numduel.wording.text import joined

_FEW = 8
"""Remainders that are named one by one."""
_TURNS = 10
"""A period that is not proved is mentioned once it was seen this often."""
_LOOKED = 3_000
"""Where no period is proved, one is looked for among this many numbers."""


def pattern(game: Game, misere: bool = False) -> str | None:
    """What the traps have in common; None where nothing is known or seen.

    >>> from numduel.games import load
    >>> pattern(load("subtract-1-3-4"))
    'Proved: the traps repeat every 7. They leave 0 or 2 when divided by 7.'
    """
    rule = rule_for(game, misere)
    if rule is not None:
        return f"Proved: {rule.claim.says[:1].lower()}{rule.claim.says[1:]}"
    theory = find(game)
    period = theory.period(misere)
    count = period.start + period.length if period else _LOOKED
    known = [theory.lost(max(n, game.least), misere) for n in range(count)]
    lost = [one for one in known if one is not None]
    seen = period or seen_period(lost, _TURNS)
    if seen is None or len(lost) < count:
        return None
    said = _said(seen, lost)
    if seen.proved:
        return f"Proved: {said[:1].lower()}{said[1:]}"
    return f"{said} That was seen as far as {_LOOKED:,}; it is not proved."


def _said(period: Period, lost: list[bool]) -> str:
    start, length, _ = period
    left = sorted(n % length for n in range(start, start + length) if lost[n])
    since = f" from {start} on" if start else ""
    if not left:
        return f"There is no trap{since}."
    few = joined([str(n) for n in left])
    which = f" They leave {few} when divided by {length}." if len(left) <= _FEW else ""
    return f"The traps repeat every {length}{since}.{which}"
