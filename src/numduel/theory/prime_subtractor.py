"""Prime Subtractor: Subtract a Prime, but for its opening."""

from __future__ import annotations

from collections.abc import Iterator

from numduel.arithmetic import is_prime
from numduel.theory.subtract_a_prime import SubtractAPrimeTheory


class PrimeSubtractorTheory(SubtractAPrimeTheory):
    """The opening leaves out the move to 0 from a prime start; nothing else differs.

    Theorem. The opening is tame like every later number: a prime start n of
    value 0 with a move has n > 3, so n-2 has a move s to value 0 (n-2 is not
    lost, or 2 would lead to a loss), and n-s has value 1 with s < n. So under
    misère it is lost exactly when its own value is 1.
    """

    __slots__ = ()

    def _barred(self, n: int) -> bool:
        return self.game.settings["opening"] == "below" and is_prime(n)

    def lost(self, n: int) -> bool:
        if not self._barred(n):
            return super().lost(n)
        return next(self._opening_to(n, 0), None) is None

    def grundy(self, n: int) -> int:
        # Leaving out a move to 0 changes the mex only when nothing else reaches value 0.
        return 0 if self._barred(n) and self.lost(n) else super().grundy(n)

    def moves_to(self, n: int, value: int) -> Iterator[int]:
        return self._opening_to(n, value) if self._barred(n) else super().moves_to(n, value)

    def lost_misere(self, n: int) -> bool:
        if not self._barred(n):
            return super().lost_misere(n)
        return self.lost(n) is False and next(self._opening_to(n, 1), None) is None

    def _opening_to(self, n: int, value: int) -> Iterator[int]:
        """The moves from a prime start to a value: all but the start itself, which comes last."""
        later = super().moves_to(n, value)
        return (move for move in later if move < n)
