"""Who wins, and why: closed forms at any size where they are known, tables elsewhere.

A game names its theory: pure functions of integers, each with its theorem or conjecture, its source
and its range. An own rule gets the best theory there is: that of a game with the very same rule, a
period with its proof, or a table. So does any other game without a theory, as far as a table goes.
"""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import ClassVar, Literal, NamedTuple, get_args

from numduel.arguments import check, checked
from numduel.games import Game, OwnRule, class_named
from numduel.theory.tables import Period

__all__ = ["Basis", "Claim", "Method", "Theory", "find", "weakest"]

Method = Literal["theorem", "table", "search", "conjecture"]
Claim = Literal["outcome", "misere", "value"]
"""Who wins in normal play, who wins under misère, and the Grundy value."""
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


class Basis(NamedTuple):
    """`theorem` is proved; `table` was computed number by number, here or in a published check that
    reaches this number; `search` looked at every line of play; `conjecture` was checked to a range
    that ends below this number. `holds` says in a sentence how far it is proved or checked.
    """

    method: Method
    holds: str


PROVED = Basis("theorem", "Proved for every number.")


@checked
def weakest(bases: list[Basis]) -> Basis:
    """What an answer made of several rests on: the least certain method, every sentence once."""
    strength = get_args(Method)
    method = max((basis.method for basis in bases), key=strength.index, default=strength[0])
    return Basis(method, " ".join(dict.fromkeys(basis.holds for basis in bases)))


class Theory:
    """The closed forms of one game with its variants set.

    Every number is one that can occur in the game. Amounts are moves, the smallest first, one at a
    time; a listing that cannot be finished raises `TooLarge` after the last move that it can name.
    """

    known: ClassVar[Basis]
    """How everything here is known, where that is one sentence."""
    tame: ClassVar[bool] = False
    """Does every position of value 0 that has a move, have one to value 1, all the way down?

    Then its numbers are fickle where the value is at most 1, and firm elsewhere, in the sense of
    docs/ALGORITHMS.md: sums follow the rule of misère Nim. For the second values are as the
    theorem there asks: 1 for a fickle 0, which reaches a fickle 1 and no 0, or has no move; 0 for
    a fickle 1, which reaches a 0 and no 1; and v for a firm v, which reaches both. So one number
    is lost under misère exactly when its value is 1.
    """

    __slots__ = ("game",)

    def __init__(self, game: Game) -> None:
        self.game = game

    def lost(self, n: int, misere: bool = False) -> bool | None:
        """Does the player to move lose? None where that is not known, as beyond a table."""
        if misere:
            return self.grundy(n) == 1 if self.tame else None
        return self.grundy(n) == 0

    def grundy(self, n: int) -> int:
        """The Grundy value in normal play. Raises `TooLarge` beyond a table."""
        raise NotImplementedError

    def firm(self, n: int) -> bool | None:
        """How the number counts in a misère sum: fickle (False), firm (True) or wild (None).

        Sums of the first two follow one rule, proved in docs/ALGORITHMS.md; no other is known.
        """
        return self.grundy(n) > 1 if self.tame else None

    def moves_to(self, n: int, value: int) -> Iterator[int]:
        if value == 0:  # often known where values are not
            return self._leaving(n, self.lost)
        return self._leaving(n, lambda left: self.grundy(left) == value)

    def winning_moves(self, n: int, misere: bool = False) -> Iterator[int]:
        """The moves that leave a loss, where `lost` knows it."""
        if misere and not self.tame:
            return self._leaving(n, lambda left: self.lost(left, misere))
        return self.moves_to(n, int(misere))

    def _leaving(self, n: int, wanted: Callable[[int], bool | None]) -> Iterator[int]:
        return (move for move in self.game.moves(n) if wanted(self.game.after(n, move)[1]))

    def basis(self, n: int, of: Claim = "outcome") -> Basis:
        return self.known

    def period(self, misere: bool = False) -> Period | None:
        """The proved period of the losses; None where none is proved."""
        return None

    def limit(self, misere: bool = False) -> int | None:
        """The largest number whose outcome it can tell; None where there is none."""
        return None

    @property
    def no_choice(self) -> bool:
        """Does the same player win whatever is played?"""
        return False


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
