"""Taking any amount: a heap of Nim."""

from __future__ import annotations

from collections.abc import Iterator

from numduel.theory.periods import Period
from numduel.theory.theory import Basis, Theory


class NimHeap(Theory):
    """From n every smaller number can be left, so the value of n is n (Bouton 1901)."""

    tame = True
    __slots__ = ()

    def grundy(self, n: int) -> int:
        return n

    def grundy_basis(self, n: int) -> Basis:
        return Basis("theorem", "the value of a Nim heap is its size (Bouton 1901).")

    def lost_period(self, misere: bool = False) -> Period:
        return Period(1 + misere, 1, proved=True)

    def moves_to(self, n: int, value: int) -> Iterator[int]:
        return iter((n - value,) if value < n else ())
