"""Closed forms at any size: one file a game, named like the game's own, and optional.

A theory is a pure function of integers, with its theorem or conjecture, its
source and its range. A game without one is solved by search.
"""

from __future__ import annotations

import importlib
from functools import cache

from numduel.games import Game
from numduel.theory.theory import Basis, Method, Theory, weakest

__all__ = ["Basis", "Method", "Theory", "find", "weakest"]


@cache
def find(game: Game) -> Theory | None:
    """The theory of this game, as its variants are set; None where there is none."""
    name = f"{__name__}.{game.key.replace('-', '_')}"
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None
    for value in vars(module).values():
        own = isinstance(value, type) and issubclass(value, Theory)
        if own and getattr(value, "key", None) == game.key:
            return value(game)  # type: ignore[no-any-return]
    return None
