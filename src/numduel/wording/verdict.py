"""A verdict as an object and in words; the pattern behind a game."""

from typing import cast

from typing_extensions import TypedDict

from numduel.board import Board
from numduel.games import Game
from numduel.solver import Verdict
from numduel.solver.premises import rule_for
from numduel.solver.verdict import Outcome
from numduel.theory import find
from numduel.theory.tables import seen_period
from numduel.wording.text import brief, joined, short_move
from numduel.wording.why import argument, why

_FEW = 8  # remainders that are named one by one
_TURNS = 10  # a period that is not proved is mentioned once it was seen this often
_LOOKED = 3_000  # where no period is proved, one is looked for among this many numbers


class VerdictFacts(TypedDict):
    """A verdict with plain values."""

    board: str
    misere: bool
    outcome: Outcome
    """For the player to move."""
    grundy: int | None
    """The Grundy value; null where it is not known."""
    winning_moves: list[str]
    complete: bool
    """Are these all winning moves?"""
    method: str
    holds: str
    """What the verdict rests on."""


def as_json(verdict: Verdict, count: int) -> VerdictFacts:
    """The verdict with plain values, and at most `count` winning moves."""
    told = verdict.as_dict(count)
    told["holds"] += _value_doubt(verdict, " Grundy value: ")
    return cast("VerdictFacts", told)


def lines(verdict: Verdict, count: int, full: bool = False) -> list[str]:
    board = verdict.board
    ends = "wins" if verdict.outcome == "win" else "loses"
    kind = " under misère" if verdict.misere and not board.misere else ""
    said = [f"{_shortened(board)}{kind}: the player to move {ends}."]
    if verdict.outcome == "win" and count and not board.is_over:
        moves, complete = verdict.first_moves(count)
        written = ", ".join(short_move(board, move) for move in moves) or "none that can be named"
        said.append(f"Winning moves: {written}{'' if complete else ', ...'}")
    grundy = verdict.as_dict(0)["grundy"]
    if grundy is not None:
        said.append(f"Grundy value: {grundy}{_value_doubt(verdict, '. ')}")
    reasons = [f"  {sentence}" for sentence in (argument(verdict) if full else why(verdict))]
    known = [] if full else [f"Known by {verdict.method}: {verdict.holds}"]
    return [*said, "Why:", *reasons, *known]


def _value_doubt(verdict: Verdict, head: str) -> str:
    """How the Grundy value is known, after `head`, where that is less certain than the outcome."""
    basis = verdict.grundy_basis
    if basis is None or basis.method != "conjecture" or basis == verdict.basis:
        return ""
    return f"{head}{basis.holds}"


def _shortened(board: Board) -> str:
    parts = []
    for number in board.numbers:
        head, _, rest = str(number).partition(":")
        parts.append(f"{head}:{brief(number.value)}{rest.removeprefix(str(number.value))}")
    return "+".join(parts) + ("~misere" if board.misere else "")


def pattern(game: Game, misere: bool = False) -> str | None:
    """What the traps have in common; None where nothing is known or seen.

    >>> from numduel.games import load
    >>> pattern(load("subtract-1-3-4"))
    'Proved: the traps repeat every 7. They leave a remainder of 0 or 2 when divided by 7.'
    """
    if rule := rule_for(game, misere):
        return _proved(rule.claim.says)
    theory = find(game)
    period = theory.period(misere)
    count = period.start + period.length if period else _LOOKED
    known = [theory.lost(max(n, game.least), misere) for n in range(count)]
    lost = [one for one in known if one is not None]
    seen = period or seen_period(lost, _TURNS)
    if seen is None or len(lost) < count:
        return None
    start, length, proved = seen
    left = [str(n) for n in range(length) if lost[start + (n - start) % length]]
    since = f" from {start} on" if start else ""
    said = f"The traps repeat every {length}{since}." if left else f"There is no trap{since}."
    if 0 < len(left) <= _FEW:
        said += f" They leave a remainder of {joined(left)} when divided by {length}."
    unproved = f"{said} That was seen as far as {_LOOKED:,}; it is not proved."
    return _proved(said) if proved else unproved


def _proved(said: str) -> str:
    return f"Proved: {said[:1].lower()}{said[1:]}"
