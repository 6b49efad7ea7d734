"""Divisor Duel, and own rules that take divisors: powers of two decide; no factoring."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from heapq import merge
from itertools import chain
from typing import ClassVar, Final

from numduel.arithmetic import MAX_DIGITS, divisors_up, is_prime
from numduel.board import Board
from numduel.errors import TooLarge, TooManyDigits
from numduel.games import Game
from numduel.games.amounts import Divisors
from numduel.known import divisor_value
from numduel.theory import PROVED, Basis, Claim, Theory
from numduel.theory.own_rule import LISTED, LOOKS, MOST, Table, lost_misere

MERSENNE_EXPONENTS = (
    2, 3, 5, 7, 13, 17, 19, 31, 61, 89, 107, 127, 521, 607, 1279, 2203, 2281,
    3217, 4253, 4423, 9689, 9941, 11213, 19937,
)  # fmt: skip
"""The k with 2^k - 1 prime, all of them to 19937 (OEIS A000043; Tuckerman 1971)."""

_PROBABLE = " A large prime in it is by the Baillie-PSW test: probable, with no known failure."


def split(n: int) -> tuple[int, int]:
    """(k, m) with n = 2^k * m and m odd."""
    k = (n & -n).bit_length() - 1
    return k, n >> k


def misere_lost(n: int) -> bool:
    """Is `n` lost for the player to move, when whoever cannot move wins?

    Theorem. 1 and the primes win. The even losses are of three forms only: 4 = 2*2 and 2p
    (p >= 5 prime), unless 2p-2 is a loss 2^i or 3*2^i; 2^k and 3*2^k as `_power_lost` and
    `_triple_lost` say. An odd composite is lost, but for 3p with 2p lost, and 3(2^k + 1) with
    3*2^k lost.

    The proof is in docs/ALGORITHMS.md. (Compared with search to 10 million.) Raises
    `TooManyDigits` where the list of exponents ends.
    """
    if n.bit_length() > MERSENNE_EXPONENTS[-1]:
        raise TooManyDigits(digits=n.bit_length() * 3 // 10, limit=MAX_DIGITS)
    if n & 1:
        return _odd_lost(n)
    listed = _power_or_triple_lost(n)
    return n & 3 == 2 and _double_lost(n >> 1) if listed is None else listed


def _odd_lost(n: int) -> bool:
    if n % 3 == 0 and n > 3:
        k, m = split(n // 3 - 1)
        return not (m == 1 and _triple_lost(k)) and not _double_lost(n // 3)
    return n > 1 and not is_prime(n)


def _double_lost(p: int) -> bool:
    """Is 2p lost, for an odd p? Its one move that matters leads to 2p-2."""
    return p >= 5 and is_prime(p) and not _power_or_triple_lost(2 * p - 2)


def _power_or_triple_lost(n: int) -> bool | None:
    """Is n lost, if it is 2^k or 3*2^k? None for any other."""
    k, m = split(n)
    return _power_lost(k) if m == 1 else _triple_lost(k) if m == 3 else None


def _power_lost(k: int) -> bool:
    """Is 2^k lost? For k > 2: none of 2^(k-1), 3*2^(k-2) and 2q, q = 2^(k-1)-1 prime, is.

    2q is a loss for every q from 31 on, as 2q-2 is of no losing form. So 2^k wins right above a
    Mersenne exponent and alternates from there on, but for 3*2^(k-2), one of few in `_triple_lost`.
    """
    if k < 6:
        return k in (2, 5)
    last = max(exponent for exponent in MERSENNE_EXPONENTS if exponent < k)
    return k > last + 1 and (k - last) % 2 == int(_triple_lost(last))


@lru_cache(maxsize=256)
def _triple_lost(k: int) -> bool:
    """Is 3*2^k lost? For k >= 5: when 2^k - 1 is prime and 3*2^(k-1) - 1 is not."""
    return k > 4 and k in MERSENNE_EXPONENTS and not is_prime(3 * 2 ** (k - 1) - 1)


_WITH_ONE, _ABOVE_ONE = Divisors(one=True, itself=True), Divisors(one=False, itself=True)


class SmallerDivisorsTheory(Theory):
    """The own rule `subtract-proper-divisor`: 1 may be taken, the number itself not.

    Theorem (docs/ALGORITHMS.md). With n = 2^k * m, m odd, g(n) = k. Misère: 2 and the odd numbers
    from 5 on are lost.
    """

    known = PROVED
    itself: ClassVar[bool] = False
    __slots__ = ()

    def lost(self, n: int, misere: bool = False) -> bool | None:
        if misere and not self.tame:
            return n == 2 or (n > 4 and n % 2 == 1)
        return super().lost(n, misere)

    def grundy(self, n: int) -> int:
        return split(n)[0] + self.itself if n else 0

    def moves_to(self, n: int, value: int) -> Iterator[int]:
        if n == 0 or (self.itself and value == 0):
            return iter((n,) if n else ())
        k, m = split(n)
        exponent = min(value - self.itself, k)
        moves = (e << exponent for e in _WITH_ONE.up(m))
        return (d for d in moves if d < n and self.grundy(n - d) == value)


class DivisorsTheory(SmallerDivisorsTheory):
    """The own rule `subtract-divisor`: the number itself may be taken too, which leaves 0.

    So every number but 0 wins, and its value is one more. As 0 has no move, the game is tame.
    """

    itself = True
    tame = True
    __slots__ = ()


def _value_by_primes(k: int, m: int) -> int:
    return {(2, 1): 1, (1, 3): 2}.get((k, m), 0 if m == 1 else 1 + (k > 1))


_CLOSED_FORMS: Final[dict[str, tuple[Callable[[int, int], int], Callable[[int], bool] | None]]] = {
    "all": (divisor_value, misere_lost),
    "even": (lambda k, _: k - 1, lambda n: n == 4 or (n > 8 and n % 4 == 2)),
    "odd": (lambda _, m: int(m > 1), lambda n: n % 2 == 0 and n & (n - 1) != 0),
    "prime": (_value_by_primes, None),
}
"""By variant: the value of an even 2^k * m, and whether n is lost under misère, if a rule is known.
"""


class DivisorDuelTheory(Theory):
    """Closed forms for each choice of the variant `divisors`: theorems, in docs/ALGORITHMS.md.

    Under misère no rule is known for prime divisors: a table, which is kept.
    """

    __slots__ = ("_lost_misere", "_misere", "_rule", "_value")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._rule = game.settings["divisors"]
        self._value, self._lost_misere = _CLOSED_FORMS[self._rule]
        self._misere = Table(game, lost_misere)

    @property
    def no_choice(self) -> bool:
        return self._rule == "odd"

    def lost(self, n: int, misere: bool = False) -> bool | None:
        if not misere:
            return self.grundy(n) == 0
        if self._lost_misere:
            return self._lost_misere(n)
        found = self._misere.at(n)
        if found is None:
            board = Board.of(self.game, n, misere=True)
            raise TooLarge("to solve", board=board, misere=True, limit=LOOKS, largest=MOST - 1)
        return bool(found)

    def grundy(self, n: int) -> int:
        return 0 if n & 1 else self._value(*split(n))

    def moves_to(self, n: int, value: int) -> Iterator[int]:
        if n & 1 and (value == 0 or self._rule == "even"):
            return iter(())
        if self._rule == "even":
            return (2 * d for d in SmallerDivisorsTheory(self.game).moves_to(n // 2, value))
        if self._rule == "all" and n >> 16:
            return self._by_valuation(n, value)
        moves = divisors_up(n) if self._rule == "prime" else self.game.moves(n)
        return (d for d in moves if self._leaves(n, d, value))

    def _leaves(self, n: int, d: int, value: int) -> bool:
        return self.game.fault(n, d) is None and self.grundy(n - d) == value

    def _by_valuation(self, n: int, value: int) -> Iterator[int]:
        """The same for all divisors, with the exponent of two that the value asks for.

        With e the odd part of the divisor: for e > 15 the value left is the valuation (the number
        left keeps e as a factor, so its odd part is above 15 too); only for e <= 15 every exponent
        is looked at.
        """
        k, m = split(n)
        few = sorted(e << j for e in range(1, 16, 2) if m % e == 0 for j in range(k + 1))
        small = (d for d in few if self._leaves(n, d, value))
        exponent = min(value, k)
        divisors = (e << exponent for e in _ABOVE_ONE.up(m) if e > 15)
        large = (d for d in divisors if self._leaves(n, d, value))
        # No large one comes before this, and looking for the first may take a factoring.
        bound = 17 << exponent
        for d in small:
            if d > bound:
                yield from merge(chain((d,), small), large)
                return
            yield d
        yield from large

    def basis(self, n: int, of: Claim = "outcome") -> Basis:
        if of == "misere" and self._rule == "prime":
            return LISTED
        probable = of == "misere" and self._rule == "all" and n >= 1 << 64
        return PROVED._replace(holds=PROVED.holds + _PROBABLE * probable)

    def firm(self, n: int) -> bool | None:
        return False if self._rule == "odd" else None
