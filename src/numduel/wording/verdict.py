"""A verdict as an object and in words."""

from __future__ import annotations

from typing import cast

from typing_extensions import TypedDict

from numduel.board import Board
from numduel.solver import Verdict
from numduel.solver.verdict import Outcome
from numduel.wording.text import brief, short_move
from numduel.wording.why import argument, why


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
    told["holds"] = " ".join([told["holds"], *_value_doubt(verdict)])
    return cast("VerdictFacts", told)


def lines(verdict: Verdict, count: int, full: bool = False) -> list[str]:
    """The verdict in words."""
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
        said.append(f"Grundy value: {grundy}{''.join(f' ({s})' for s in _value_doubt(verdict))}")
    said.append("Why:")
    said += [f"  {sentence}" for sentence in (argument(verdict) if full else why(verdict))]
    if not full:
        said.append(f"Known by {verdict.method}: {verdict.holds}")
    return said


def _value_doubt(verdict: Verdict) -> list[str]:
    """How the Grundy value is known, where that is less certain than the outcome."""
    basis = verdict.grundy_basis
    if basis is None or basis.method != "conjecture" or basis == verdict.basis:
        return []
    return [f"Grundy value: {basis.holds}"]


def _shortened(board: Board) -> str:
    """The board as text, with its large numbers in short."""
    parts = []
    for number in board.numbers:
        head, _, rest = str(number).partition(":")
        parts.append(f"{head}:{brief(number.value)}{rest.removeprefix(str(number.value))}")
    return "+".join(parts) + ("~misere" if board.misere else "")
