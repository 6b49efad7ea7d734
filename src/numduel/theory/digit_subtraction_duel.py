"""Digit Subtraction Duel: multiples of ten are lost."""

from collections.abc import Iterator

from numduel.known import digit_value
from numduel.theory import Basis, Claim, Theory

_FICKLE = frozenset((*range(12), 13, 15, 17, 19))
_WILD = frozenset((21, 23, 25, 27, 29, 32, 35, 38, 42, 46, 51, 56, 62, 68, 75, 83, 92))


class DigitSubtractionDuelTheory(Theory):
    """Take the last digit: n is lost exactly when 10 divides it (Theorem 2 of docs/paper.md).

    No closed form of the values is known; `digit_value` runs the definition.

    Misère, theorem: 1 to 9, 11, 13, 15, 17, 19 and the multiples of ten from 20 on are lost. Below
    20 by listing; from there as above, since 20 goes to 18 alone, which wins by 1.

    Misère sums, theorem: every number but the 17 wild ones is fickle (0 to 11, 13, 15, 17, 19) or
    firm, in the sense of docs/ALGORITHMS.md. The listing to 101 shows it, and no number from 102
    on reaches a wild or a fickle one, so each is firm like its options.
    """

    __slots__ = ()

    def lost(self, n: int, misere: bool = False) -> bool:
        if misere and n < 20:
            return n in _FICKLE and n not in (0, 10)
        return n % 10 == 0

    def grundy(self, n: int) -> int:
        return digit_value(n)

    def basis(self, n: int, of: Claim = "outcome") -> Basis:
        digit_by_digit = ": the rules run digit by digit" * (of == "value")
        return Basis("theorem", f"Proved for every number{digit_by_digit}.")

    def moves_to(self, n: int, value: int) -> Iterator[int]:
        return super().moves_to(n, value) if value else iter((n % 10,) if n % 10 else ())

    def firm(self, n: int) -> bool | None:
        return None if n in _WILD else n not in _FICKLE
