"""Closed forms at any size: one file a game, named like the game's own, and optional.

A theory is a pure function of integers, with its theorem or conjecture, its
source and its range. A game without one is solved by search.
"""

from __future__ import annotations

from functools import cache

from numduel.games import Game
from numduel.games.discovery import class_for
from numduel.theory.theory import Basis, Method, Theory, weakest

__all__ = ["Basis", "Method", "Theory", "find", "weakest"]


@cache
def find(game: Game) -> Theory | None:
    """The theory of this game, as its variants are set; None where there is none."""
    found = class_for(__name__, game.key, Theory)
    return None if found is None else found(game)
