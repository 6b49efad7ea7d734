"""Events and errors as text: each rulebook's own words, and one neutral wording.

A game names its wording, if it has one: those of the five are the files of the same names here.
"""

from functools import cache

from numduel.arguments import checked
from numduel.board import Board
from numduel.games import Game, OwnRule, class_named
from numduel.wording.errors import problem
from numduel.wording.events_json import as_json
from numduel.wording.neutral import OwnRuleWording, Rule, Wording
from numduel.wording.rules import rules, summary
from numduel.wording.text import brief, joined, quoted

__all__ = [
    "Rule",
    "Wording",
    "as_json",
    "brief",
    "joined",
    "problem",
    "quoted",
    "rules",
    "summary",
    "wording_for",
    "wording_of",
]


@checked
def wording_for(board: Board) -> type[Wording]:
    """The rulebook's wording for a board of one number, the neutral one for several."""
    return wording_of(board.numbers[0].game) if len(board.numbers) == 1 else Wording


@checked
def wording_of(game: Game) -> type[Wording]:
    """The wording of one game; the neutral one where it has none of its own."""
    return OwnRuleWording if isinstance(game, OwnRule) else _wording_of(game)


@cache
def _wording_of(game: Game) -> type[Wording]:
    return class_named(game.key, game.wording, Wording) if game.wording else Wording
