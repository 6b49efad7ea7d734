"""Subtract a Prime."""

from numduel.arithmetic import is_prime
from numduel.games.amounts import PRIMES, Amounts
from numduel.games.game import Fault, Subtraction


class SubtractAPrime(Subtraction):
    """Subtract primes; if you cannot, you lose.

    On your turn, choose a prime number that is at most the current number,
    and subtract it. Whoever makes the number exactly 0 wins. At 1 no prime
    is left to subtract: the player whose turn it is loses.

    Example: from 20, subtract 11 to leave 9. The reply 7 leaves 2, and
    subtracting 2 then wins.
    """

    key = "subtract-a-prime"
    title = "Subtract a Prime"
    default_start = 20
    theory = "numduel.theory.subtract_a_prime:SubtractAPrimeTheory"
    wording = "numduel.wording.rulebooks:SubtractAPrimeWording"
    __slots__ = ()

    @property
    def takes(self) -> Amounts:
        return PRIMES

    def is_start(self, n: int) -> bool:
        return n > 1

    def fault(self, n: int, amount: int) -> Fault | None:
        if amount > n:
            return Fault.TOO_LARGE
        return None if is_prime(amount) else Fault.NOT_PRIME

    def is_over(self, n: int) -> bool:
        return n < 2
