"""Subtract a Prime and Prime Subtractor: the walk to an odd number that reaches an even loss."""

from collections.abc import Iterator
from functools import lru_cache

from numduel.arithmetic import is_prime, is_prime_nearby, primes_up
from numduel.errors import TooLarge
from numduel.games import Game
from numduel.known import EVEN, LIST_CHECKED, ODD, RULE_CHECKED, TABLE, LocalValues, small_value
from numduel.theory import Basis, Claim, Theory

_PROVED_PRIMES = 1 << 64
_TRIES = 5_000
"""Primes tried in a row without a winning move before a listing is given up."""
_SMALL = Basis("table", "Computed here from the rules, number by number.")
_PROBABLE = " Large primes are by the Baillie-PSW test: probable, with no known failure."
_LIST = (
    LIST_CHECKED,
    "Known for every number below {0}",
    "the even losses 0, 10, 34, 100, 310 are all there are below {0} (checked here)",
    "that there are none beyond is open",
)
_RULE = (
    RULE_CHECKED,
    "Known for this number",
    "the local rule for values was checked for every number below {0}",
    "beyond, it is not proved",
)


class SubtractAPrimeTheory(Theory):
    """Outcomes by a walk, values by a local rule, both in `LocalValues`.

    An odd prime changes parity, so an odd n reaches odd numbers only by 2. Conjecture (checked to
    `LIST_CHECKED`; open beyond, Guy and Hickerson 2005): the even losses are 0, 10, 34, 100, 310.
    From it follows, for n > 310: an even n wins; an odd n wins by n-e when n-e is prime for one of
    the five e, and loses otherwise exactly when n-2 wins.

    Theorem (Ferguson's pairing, 1974, for any fixed set of amounts with least element 2): g(n) = 1
    exactly when g(n-2) = 0 (proved in docs/paper.md). It follows that a number of value 0 with a
    move has one to value 1 (n-2 has a move s to value 0, and n-s has value 1): the game is tame,
    and n is lost under misère exactly when n-2 is lost in normal play.
    """

    tame = True
    __slots__ = ("_near",)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._near = lru_cache(maxsize=4)(lambda _: LocalValues())

    def lost(self, n: int, misere: bool = False) -> bool:
        if misere:
            # Of this class: a game that differs in its opening does not differ at n-2.
            return n > 1 and SubtractAPrimeTheory.lost(self, n - 2)
        return self._near(n).lost(n) if n >= TABLE else small_value(n) == 0

    def grundy(self, n: int) -> int:
        return self._near(n).at(n) if n >= TABLE else small_value(n)

    def basis(self, n: int, of: Claim = "outcome") -> Basis:
        if n < TABLE:
            return _SMALL
        checked, known, says, beyond = _RULE if of == "value" else _LIST
        bound = f"10^{len(str(checked))}"
        if n <= checked:
            return Basis("table", f"{known}: {says}.".format(bound))
        holds = f"Believed at this size: {says}; {beyond}.".format(bound)
        return Basis("conjecture", holds + _PROBABLE * (n >= _PROVED_PRIMES))

    def moves_to(self, n: int, value: int) -> Iterator[int]:
        near = self._near(n)
        if n >= 2 and near.has_value(n - 2, value):
            yield 2
        few = EVEN if n & 1 else ODD
        if value > 11:
            return
        if value in few:
            primes = (n - e for e in reversed(few[value]) if is_prime_nearby(n - e))
            yield from (p for p in primes if p > 2)
            return
        tries = 0
        for p in primes_up(n):
            if p > 2:
                tries += 1
                if near.has_value(n - p, value):
                    tries = 0
                    yield p
                elif tries >= _TRIES:
                    raise TooLarge("to list", game=self.game, number=n)


class PrimeSubtractorTheory(SubtractAPrimeTheory):
    """The opening leaves out the move to 0 from a prime start; nothing else differs.

    Theorem. The opening is tame like every later number: a prime start n of value 0 with a move has
    n > 3, so n-2 has a move s to value 0 (n-2 is not lost, or 2 would lead to a loss), and n-s has
    value 1 with s < n. So under misère it is lost exactly when its own value is 1.
    """

    __slots__ = ()

    def _barred(self, n: int) -> bool:
        return self.game.settings["opening"] == "below" and is_prime(n)

    def lost(self, n: int, misere: bool = False) -> bool:
        if not self._barred(n):
            return super().lost(n, misere)
        if misere:
            return not self.lost(n) and next(self._opening_to(n, 1), None) is None
        return next(self._opening_to(n, 0), None) is None

    def grundy(self, n: int) -> int:
        # Leaving out a move to 0 changes the mex only when nothing else reaches value 0.
        return 0 if self._barred(n) and self.lost(n) else super().grundy(n)

    def moves_to(self, n: int, value: int) -> Iterator[int]:
        return self._opening_to(n, value) if self._barred(n) else super().moves_to(n, value)

    def _opening_to(self, n: int, value: int) -> Iterator[int]:
        """The moves from a prime start to a value: all but the start itself, which comes last."""
        return (move for move in super().moves_to(n, value) if move < n)
