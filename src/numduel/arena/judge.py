"""Whether a move keeps what was won: exact regret, by the solver's verdicts."""

from __future__ import annotations

from numduel.board import Board
from numduel.errors import NumduelError
from numduel.solver import solve
from numduel.solver.verdict import no_choice_matters

_KEPT = 100_000
"""Verdicts that are kept in memory."""


class Judge:
    """Says which boards are lost for the player to move; None where that cannot be told."""

    def __init__(self) -> None:
        self._lost: dict[Board, bool | None] = {}

    def lost(self, board: Board) -> bool | None:
        """Does the player to move lose against perfect play?"""
        try:
            return self._lost[board]
        except KeyError:
            pass
        if len(self._lost) >= _KEPT:
            self._lost.clear()
        try:
            lost: bool | None = solve(board).outcome == "loss"
        except NumduelError:
            lost = None
        self._lost[board] = lost
        return lost


def needs_skill(board: Board) -> bool:
    """Can a choice matter here? In Power Play it cannot: the number of moves left is fixed."""
    return not no_choice_matters(board)
