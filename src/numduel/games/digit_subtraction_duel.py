"""Digit Subtraction Duel."""

from numduel.games.amounts import DIGITS
from numduel.games.game import Fault, Subtraction


class DigitSubtractionDuel(Subtraction):
    """Subtract one of its digits; reach 0 to win.

    On your turn, choose a digit of the current number N other than 0, and
    subtract it from N. Whoever makes N exactly 0 wins.

    Example: from 25, subtract 5 to leave 20. There only 2 can be subtracted,
    which leaves 18, with the digits 1 and 8.
    """

    key = "digit-subtraction-duel"
    title = "Digit Subtraction Duel"
    default_start = 25
    takes = DIGITS
    theory = "numduel.theory.digit_subtraction_duel:DigitSubtractionDuelTheory"
    wording = "numduel.wording.rulebooks:DigitSubtractionDuelWording"
    __slots__ = ()

    def fault(self, n: int, amount: int) -> Fault | None:
        if amount < 1:
            return Fault.NOT_POSITIVE
        return None if DIGITS.has(n, amount) else Fault.NOT_A_DIGIT

    def is_over(self, n: int) -> bool:
        return n == 0
