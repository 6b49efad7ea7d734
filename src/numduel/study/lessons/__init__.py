"""Tutorials: six short steps for each game, each with a position to solve.

A game's tutorial is the table here with the name of its key, if there is one, or what the game
names. That of an own rule is made from the rule.
"""

from numduel.study.lessons.step import Asks, Step, lesson_of, miscoloured, read_traps, refutation

__all__ = ["Asks", "Step", "lesson_of", "miscoloured", "read_traps", "refutation"]
