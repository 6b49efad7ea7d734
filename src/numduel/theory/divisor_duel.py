"""Divisor Duel, and own rules that take divisors: powers of two decide; no factoring."""

from collections.abc import Iterator
from functools import lru_cache
from heapq import merge
from itertools import chain
from typing import ClassVar

from numduel.arithmetic import MAX_DIGITS, divisors_up, is_prime
from numduel.board import Board
from numduel.errors import TooLarge, TooManyDigits
from numduel.games import Game
from numduel.games.amounts import Divisors
from numduel.known.divisor_values import value
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

    Proof, by induction. An odd composite n goes to even numbers n-d that have the odd factor d:
    such a loss is 2p with d = p, so n = 3p, or 3*2^k with d = 3, so n = 3(2^k + 1). For the even
    ones write n = 2^k * m; d = e | m leaves the odd number n-e, which is a multiple of e.
    k = 1, m composite: m is left by d = m, and is a loss unless m = 3p or m = 3(2^i + 1); then
    d = m/3 leaves 5m/3, which is a loss, since it is of neither form unless m = 9, and 9 is a loss.
    k >= 2, m = p >= 5 prime: p(2^k - 1) is left by d = p. If it is 3p with 2p lost, play to 2p.
    If it is 3(2^i + 1) with 3*2^i lost: 2^k - 1 divides 3(2^i + 1), so k = 2 or k = 4. For k = 2,
    p = 2^i + 1, and 2p is lost: else 2p-2 = 2^(i+1) would be, which the loss 3*2^i reaches. For
    k = 4, 5p = 2^i + 1 with i = 2 mod 4, which has two factors 2^(i/2) + 1 +- 2^((i+2)/4); p prime
    leaves p = 13, i = 6: play 16 to 192 = 3*2^6.
    k >= 2, m composite: d = m and any other divisor e of m leave numbers within a factor 4/3 of
    each other, and two numbers 3(2^i + 1) are further apart, so not both are of that form;
    n-e = 3p needs e = 3. So some d wins unless m = 9, where only n = 36 is in doubt: it goes to
    the loss 27.
    The rest lists the few moves of 2p, 2^k and 3*2^k. (Compared with search to
    10 million.) Raises `TooManyDigits` where the list of exponents ends.
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

    Theorem. With n = 2^k * m, m odd, g(n) = k: the move 2^j leaves valuation j for
    every j < k, and none leaves k, since 2^k * e leaves 2^k * (m - e). Misère: 2 and the odd
    numbers from 5 on are lost. Even ones above 2 win by 1, or 4 by 2; odd ones from 5 on lead
    to even numbers from 4 on; 3 leaves 2, and 0 and 1 have no move.
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

    Theorem. So every number but 0 wins, and its value is one more: g(n) = k + 1. As 0 has no
    move, the game is tame, and the odd numbers are lost under misère.
    """

    itself = True
    tame = True
    __slots__ = ()


class DivisorDuelTheory(Theory):
    """Closed forms for each choice of the variant `divisors`; n = 2^k * m, m odd.

    Theorems. All divisors: lost when n is odd or 2^k with k odd. An odd n leads to even numbers
    that keep an odd factor; those win by m, which leaves an odd number; from 2^k only 2^(k-1) is
    a power of two.
    Even: halved, this is the own rule `subtract-proper-divisor`; odd numbers have no move.
    Odd: an odd number leads to even ones, an even one to odd ones, and every number but 2^k and
    the odd primes has a move: g = 1 for even n with m > 1 and 0 otherwise; no choice matters.
    Prime: an odd number leads to even ones that keep an odd prime factor, and such a one leads to
    an odd number; 2^k leads to 2^k - 2 alone. So n is lost when it is odd or 2^k but for 4, and an
    even n with m > 1 has g = mex of 0 and g(n-2): g(4) = 1, g(6) = 2, otherwise 2 for multiples
    of 4, else 1. Under misère no rule is known: a table, which is kept.
    """

    __slots__ = ("_halved", "_misere", "_rule")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._rule = game.settings["divisors"]
        self._halved = SmallerDivisorsTheory(game)
        self._misere = Table(game, lost_misere)

    @property
    def no_choice(self) -> bool:
        return self._rule == "odd"

    def lost(self, n: int, misere: bool = False) -> bool | None:
        if misere:
            return self._lost_misere(n)
        if self._rule == "all":
            return n % 2 == 1 or (n & (n - 1) == 0 and n.bit_length() % 2 == 0)
        return self.grundy(n) == 0

    def _lost_misere(self, n: int) -> bool | None:
        if self._rule == "all":
            return misere_lost(n)
        if self._rule == "even":
            return n % 2 == 0 and self._halved.lost(n // 2, misere=True)
        if self._rule == "odd":
            return n % 2 == 0 and n & (n - 1) != 0
        found = self._misere.at(n)
        if found is None:
            board = Board.of(self.game, n, misere=True)
            raise TooLarge("to solve", board=board, misere=True, limit=LOOKS, largest=MOST - 1)
        return bool(found)

    def grundy(self, n: int) -> int:
        if n & 1:
            return 0
        k, m = split(n)
        if self._rule == "all":
            return value(k, m)
        if self._rule == "even":
            return self._halved.grundy(n // 2)
        if self._rule == "odd":
            return int(m > 1)
        if n in (4, 6):
            return n // 2 - 1
        return 0 if m == 1 else 1 + (k > 1)

    def moves_to(self, n: int, value: int) -> Iterator[int]:
        if n & 1 and value == 0:
            return iter(())
        if self._rule == "even":
            return (2 * d for d in self._halved.moves_to(n // 2, value)) if n % 2 == 0 else iter(())
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
