"""Many matches between players that are programs, and what they tell about the players."""

from numduel.arena.match import Conduct, End, Result, score_again
from numduel.arena.plan import DrawnStart, Estimate, Plan, estimates, read_drawn_start
from numduel.arena.results_file import ResultsFile
from numduel.arena.standings import FIGURES, Standing, Standings, standings_of
from numduel.arena.tournament import baselines_of, check_players, run

__all__ = [
    "FIGURES", "Conduct", "DrawnStart", "End", "Estimate", "Plan", "Result", "ResultsFile",
    "Standing", "Standings", "baselines_of", "check_players", "estimates", "read_drawn_start",
    "run", "score_again", "standings_of",
]  # fmt: skip
