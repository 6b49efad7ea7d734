"""Many matches between players that are programs, and what they tell about the players."""

from numduel.arena.plan import DrawnStart, Plan, read_drawn_start
from numduel.arena.result import Conduct, Result
from numduel.arena.results_file import ResultsFile
from numduel.arena.standings import Standing, Standings, standings_of
from numduel.arena.tournament import check_players, run

__all__ = [
    "Conduct",
    "DrawnStart",
    "Plan",
    "Result",
    "ResultsFile",
    "Standing",
    "Standings",
    "check_players",
    "read_drawn_start",
    "run",
    "standings_of",
]
