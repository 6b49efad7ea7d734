"""Prime Subtractor."""

from typing import ClassVar

from numduel.arithmetic import is_prime
from numduel.games.amounts import PRIMES, SMALLER_PRIMES, Amounts
from numduel.games.game import Fault, Game
from numduel.games.subtract_a_prime import SubtractAPrime


class PrimeSubtractor(SubtractAPrime):
    """Subtract primes, but never the starting total.

    On your turn, choose a prime number that is at most the current total, and
    subtract it. The list of primes is made when the match starts, from those
    below the starting total: so a prime starting total cannot be taken away
    in one move. Whoever makes the total exactly 0 wins; at 1 the player whose
    turn it is cannot move, and loses.

    Example: from 23, subtract 13 to leave 10. The reply 7 leaves 3, and
    subtracting 3 then wins.
    """

    key = "prime-subtractor"
    title = "Prime Subtractor"
    default_start = 23
    variants: ClassVar = {"opening": ("below", "any")}
    policies = frozenset({"overshoot"})
    theory = "numduel.theory.subtract_a_prime:PrimeSubtractorTheory"
    wording = "numduel.wording.rulebooks:PrimeSubtractorWording"
    __slots__ = ()

    def is_start(self, n: int) -> bool:
        return n > 0

    @property
    def takes(self) -> Amounts:
        return PRIMES if self.settings["opening"] == "any" else SMALLER_PRIMES

    def fault(self, n: int, amount: int) -> Fault | None:
        if amount == n and is_prime(n) and self.takes is SMALLER_PRIMES:
            return Fault.STARTING_TOTAL
        return super().fault(n, amount)

    def is_over(self, n: int) -> bool:
        return n < 2 or (n == 2 and self.takes is SMALLER_PRIMES)

    def after(self, n: int, amount: int) -> tuple[Game, int]:
        return self.having(opening="any"), n - amount

    def overshoots(self, n: int, amount: int) -> bool:
        return amount > n and is_prime(amount)
