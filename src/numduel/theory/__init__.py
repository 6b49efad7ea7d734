"""Who wins, and why: closed forms at any size where they are known, tables elsewhere.

A game's theory is the file here with the same name as its rules: pure functions
of integers, each with its theorem or conjecture, its source and its range. Own
rules get a period with its proof, or a table; so does any other game without a
theory, as far as a table goes.
"""

from __future__ import annotations

from functools import cache, lru_cache

from numduel.games import Game, OwnRule
from numduel.games.discovery import class_for
from numduel.theory.theory import Basis, Method, Theory, weakest

__all__ = ["Basis", "Method", "Theory", "find", "weakest"]

_KEPT = 16
"""Own rules whose tables are kept: each takes some megabytes at most."""


def find(game: Game) -> Theory:
    """The theory of this game, as its variants are set, or a table."""
    return _of_rule(game) if isinstance(game, OwnRule) else _of_game(game)


@cache
def _of_game(game: Game) -> Theory:
    found = class_for(__name__, game.key, Theory, "numduel.theories")
    if found is not None:
        return found(game)
    from numduel.theory.tabled import Tabled

    return Tabled(game)


@lru_cache(maxsize=_KEPT)
def _of_rule(game: OwnRule) -> Theory:
    if "any" in game.rule.words and game.fixed:
        from numduel.theory.nim_heap import NimHeap

        return NimHeap(game)
    if (game.rule.words, game.amounts, game.divisors) == (("prime",), (), ()):
        from numduel.theory.subtract_a_prime import SubtractAPrimeTheory

        return SubtractAPrimeTheory(game)
    if game.fixed:
        from numduel.theory.own_rule import FixedRule

        return FixedRule(game)
    from numduel.theory.tabled import Tabled

    return Tabled(game)
