"""Verdicts: who wins a board, by which moves, why, and how that is known."""

from numduel.solver.search import Search
from numduel.solver.verdict import Verdict, WinningMoves, no_choice_matters, solve

__all__ = ["Search", "Verdict", "WinningMoves", "no_choice_matters", "solve"]
