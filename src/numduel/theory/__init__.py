"""Who wins, and why: closed forms at any size where they are known, tables elsewhere.

A game names its theory: pure functions of integers, each with its theorem or conjecture, its source
and its range. An own rule gets the best theory there is: that of a game with the very same rule, a
period with its proof, or a table. So does any other game without a theory, as far as a table goes.
"""

from functools import cache, lru_cache

from numduel.arguments import check
from numduel.games import Game, OwnRule, class_named
from numduel.theory.theory import Basis, Claim, Method, Theory, weakest

__all__ = ["Basis", "Claim", "Method", "Theory", "find", "weakest"]

_KEPT = 16
"""Own rules whose tables are kept: each takes some megabytes at most."""
_FIXED, _TABLED = "numduel.theory.own_rule:FixedRule", "numduel.theory.own_rule:Tabled"
_ALONE = {
    "subtract-any": "numduel.theory.own_rule:NimHeap",
    "subtract-prime": "numduel.theory.subtract_a_prime:SubtractAPrimeTheory",
    "subtract-digit": "numduel.theory.digit_subtraction_duel:DigitSubtractionDuelTheory",
    "subtract-divisor": "numduel.theory.divisor_duel:DivisorsTheory",
    "subtract-proper-divisor": "numduel.theory.divisor_duel:SmallerDivisorsTheory",
}


def find(game: Game) -> Theory:
    """The theory of this game, as its variants are set, or a table."""
    check("game", game, Game)
    return _of_rule(game) if isinstance(game, OwnRule) else _of_game(game)


@cache
def _of_game(game: Game) -> Theory:
    return class_named(game.key, game.theory or _TABLED, Theory)(game)


@lru_cache(maxsize=_KEPT)
def _of_rule(game: OwnRule) -> Theory:
    place = _ALONE.get(game.key) or (_FIXED if game.takes.fixed else _TABLED)
    return class_named(game.key, place, Theory)(game)
