"""Tutorials: six short steps for each game, each with a position to solve.

A game's tutorial is the file here with the same name as its rules, if there is one.
"""

from __future__ import annotations

from importlib import import_module

from numduel.errors import NothingToStudy
from numduel.games import Game
from numduel.study.lessons.step import Asks, Step, miscoloured, read_traps, refutation

__all__ = ["Asks", "Step", "lesson_of", "miscoloured", "read_traps", "refutation"]


def lesson_of(game: Game) -> tuple[Step, ...]:
    """The steps of a game's tutorial. Raises `NothingToStudy` where there is none."""
    name = f"{__name__}.{game.key.replace('-', '_')}"
    try:
        steps: tuple[Step, ...] = import_module(name).STEPS
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise NothingToStudy(problem="no lesson", game=game.key) from error
    return steps
