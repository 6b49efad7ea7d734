"""Divisor Duel: powers of two decide; no factoring."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from itertools import chain

from numduel.arithmetic import divisors_up
from numduel.board import Board
from numduel.errors import TooLarge
from numduel.games import Game
from numduel.known.divisor_values import value
from numduel.theory import misere_divisors
from numduel.theory.tabled import LISTED, LOOKS, MOST, Outcomes
from numduel.theory.theory import Basis, Theory

_PROVED = Basis("theorem", "Proved for every number.")


def split(n: int) -> tuple[int, int]:
    """(k, m) with n = 2^k * m and m odd."""
    k = (n & -n).bit_length() - 1
    return k, n >> k


class DivisorDuelTheory(Theory):
    """Closed forms for each choice of the variant `divisors`; n = 2^k * m, m odd.

    Theorems. All divisors: lost when n is odd or 2^k with k odd. An odd n
    leads to even numbers that keep an odd factor; those win by m, which leaves
    an odd number; from 2^k only 2^(k-1) is a power of two.
    Even: halved, this is "subtract a proper divisor, 1 included": 2^j leads to
    valuation j for every j < k, and no move keeps the valuation, so g = k-1
    (0 for odd n). Under misère, halved: 2 and the odd numbers from 5 on are
    lost; even ones above 2 win by 1, or 4 by 2, and odd ones lead to even
    numbers from 4 on.
    Odd: an odd number leads to even ones, an even one to odd ones, and every
    number but 2^k and the odd primes has a move: g = 1 for even n with m > 1
    and 0 otherwise, and no choice matters.
    Prime: an odd number leads to even ones that keep an odd prime factor, and
    such a one leads to an odd number; 2^k leads to 2^k - 2 alone. So n is lost
    when it is odd or 2^k but for 4, and an even n with m > 1 has g = mex of 0
    and g(n-2): g(4) = 1, g(6) = 2, otherwise 2 for multiples of 4, else 1. Under
    misère no rule is known: a table, which is kept.
    """

    __slots__ = ("_misere", "_rule")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._rule = game.settings["divisors"]
        self._misere = Outcomes(game, misere=True)

    @property
    def no_choice(self) -> bool:
        return self._rule == "odd"

    def lost(self, n: int) -> bool:
        if n & 1:
            return True
        if self._rule == "all":
            return n & (n - 1) == 0 and n.bit_length() % 2 == 0
        return self.grundy(n) == 0

    def basis(self, n: int) -> Basis:
        return _PROVED

    def grundy(self, n: int) -> int:
        if n & 1:
            return 0
        k, m = split(n)
        if self._rule == "all":
            return value(k, m)
        if self._rule == "even":
            return k - 1
        if self._rule == "odd":
            return int(m > 1)
        if n in (4, 6):
            return n // 2 - 1
        return 0 if m == 1 else 1 + (k > 1)

    def grundy_basis(self, n: int) -> Basis:
        return _PROVED

    def moves_to(self, n: int, value: int) -> Iterator[int]:
        if n & 1 and value == 0:
            return iter(())
        if self._rule in ("odd", "prime") or n < 1 << 16:
            return self._filtered(n, value)
        return self._by_valuation(n, value)

    def _filtered(self, n: int, value: int) -> Iterator[int]:
        """The divisors that may be played and lead to the value, one by one."""
        fault, grundy = self.game.fault, self.grundy
        allowed = divisors_up(n) if self._rule != "odd" else divisors_up(split(n)[1] * 2)
        return (d for d in allowed if fault(n, d) is None and grundy(n - d) == value)

    def _by_valuation(self, n: int, value: int) -> Iterator[int]:
        """The same, with the exponent of two that the value asks for.

        With e the odd part of the divisor: for e > 15 the value left is the
        valuation (the number left keeps e as a factor, so its odd part is
        above 15 too); only for e <= 15 every exponent is looked at.
        """
        k, m = split(n)
        fault, grundy = self.game.fault, self.grundy
        small = (
            d
            for d in sorted(e << j for e in range(1, 16, 2) if m % e == 0 for j in range(k + 1))
            if fault(n, d) is None and grundy(n - d) == value
        )
        exponent = min(value + (self._rule == "even"), k)
        large = (
            e << exponent
            for e in _odd_divisors(m)
            if e > 15 and fault(n, e << exponent) is None and grundy(n - (e << exponent)) == value
        )
        # No large one comes before this, and looking for the first may take a factoring.
        bound = 17 << exponent
        for d in small:
            if d > bound:
                yield from merge(chain((d,), small), large)
                return
            yield d
        yield from large

    def lost_misere(self, n: int) -> bool:
        if self._rule == "all":
            return misere_divisors.lost(n)
        if self._rule == "even":
            half = n // 2
            return n % 2 == 0 and (half == 2 or (half > 4 and half % 2 == 1))
        if self._rule == "odd":
            return n % 2 == 0 and n & (n - 1) != 0
        if not self._misere.reaches(n):
            board = Board.of(self.game, n, misere=True)
            raise TooLarge("to solve", board=board, misere=True, limit=LOOKS, largest=MOST - 1)
        return self._misere[n]

    def misere_basis(self, n: int) -> Basis:
        if self._rule == "prime":
            return LISTED
        return misere_divisors.basis(n) if self._rule == "all" else _PROVED

    def winning_moves_misere(self, n: int) -> Iterator[int]:
        fault = self.game.fault
        return (d for d in divisors_up(n) if fault(n, d) is None and self.lost_misere(n - d))

    def firm(self, n: int) -> bool | None:
        return False if self._rule == "odd" else None


def _odd_divisors(m: int) -> Iterator[int]:
    """The divisors of the odd number `m` above 1, itself too, in order."""
    try:
        yield from divisors_up(m)
    except TooLarge:
        yield m
        raise
    if m > 1:
        yield m
