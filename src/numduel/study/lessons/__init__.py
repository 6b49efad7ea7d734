"""Tutorials: six short steps for each game, each with a position to solve.

A game's tutorial is the table here with the name of its key, if there is one, or what the game
names. That of an own rule is made from the rule.
"""

from __future__ import annotations

from numduel.arguments import checked
from numduel.errors import InvalidGame, NothingToStudy
from numduel.games import Game, OwnRule
from numduel.games.discovery import load_named
from numduel.study.lessons.own_rule import own_lesson
from numduel.study.lessons.step import (
    Asks,
    Step,
    miscoloured,
    read_lesson,
    read_traps,
    refutation,
)

__all__ = ["Asks", "Step", "lesson_of", "miscoloured", "read_traps", "refutation"]


@checked
def lesson_of(game: Game) -> tuple[Step, ...]:
    """The steps of a game's tutorial. Raises `NothingToStudy` where there is none."""
    if isinstance(game, OwnRule):
        return own_lesson(game)
    steps: object = read_lesson(game.key)
    if not steps:
        if not game.lesson:
            raise NothingToStudy(problem="no lesson", game=game.key)
        steps = load_named(game.key, game.lesson)
    if isinstance(steps, tuple) and all(isinstance(step, Step) for step in steps):
        return steps
    raise InvalidGame(key=game.key, problem="its lesson is not a tuple of steps")
