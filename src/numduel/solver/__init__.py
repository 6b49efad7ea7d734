"""Verdicts: who wins a board, by which moves, why, and how that is known."""

from numduel.solver.search import Search
from numduel.solver.verdict import Verdict, WinningMoves
from numduel.solver.ways import is_settled, no_choice_matters, solve

__all__ = ["Search", "Verdict", "WinningMoves", "is_settled", "no_choice_matters", "solve"]
