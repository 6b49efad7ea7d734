"""Many matches between players that are programs, and what they tell about the players."""

from numduel.arena.judge import Judge, needs_skill
from numduel.arena.plan import Pairing, Plan, read_drawn_start
from numduel.arena.result import Result, play_match
from numduel.arena.results_file import ResultsFile
from numduel.arena.run import check_players, run
from numduel.arena.standings import Standing, Standings, standings_of

__all__ = [
    "Judge",
    "Pairing",
    "Plan",
    "Result",
    "ResultsFile",
    "Standing",
    "Standings",
    "check_players",
    "needs_skill",
    "play_match",
    "read_drawn_start",
    "run",
    "standings_of",
]
