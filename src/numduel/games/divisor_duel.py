"""Divisor Duel."""

from typing import ClassVar

from numduel.arithmetic import factor, is_prime
from numduel.games.amounts import Amounts, Divisors, Few
from numduel.games.game import Fault, Subtraction

_TAKES: dict[str, Amounts] = {
    "all": Divisors(one=False, itself=False),
    "even": Divisors(one=False, itself=False, part=lambda n: (2, 0 if n % 2 else n // 2)),
    "odd": Divisors(one=False, itself=False, part=lambda n: (1, n // (n & -n))),
    "prime": Few(lambda n: [p for p, _ in factor(n) if p < n]),
}


class DivisorDuel(Subtraction):
    """Subtract divisors, but not 1 or the number; if you cannot, you lose.

    On your turn, choose a divisor of the current number N other than 1 and N
    itself, and subtract it. A prime number, and 1, have no such divisor: the
    player who faces one loses.

    Example: from 60, subtract 15 to leave 45. Play might go on 30, 15, 10, 5;
    5 is prime, so the player to move there has lost.
    """

    key = "divisor-duel"
    title = "Divisor Duel"
    default_start = 60
    least = 1
    variants: ClassVar = {"divisors": ("all", "even", "odd", "prime")}
    theory = "numduel.theory.divisor_duel:DivisorDuelTheory"
    wording = "numduel.wording.rulebooks:DivisorDuelWording"
    __slots__ = ()

    @property
    def takes(self) -> Amounts:
        return _TAKES[self.settings["divisors"]]

    def fault(self, n: int, amount: int) -> Fault | None:
        if amount < 2 or amount >= n:
            return Fault.NOT_PROPER
        if n % amount:
            return Fault.NOT_A_DIVISOR
        allowed = self.settings["divisors"]
        if allowed == "even" and amount % 2:
            return Fault.NOT_EVEN
        if allowed == "odd" and not amount % 2:
            return Fault.NOT_ODD
        return Fault.NOT_PRIME if allowed == "prime" and not is_prime(amount) else None

    def is_over(self, n: int) -> bool:
        """Settled without factoring, by parity and primality."""
        allowed = self.settings["divisors"]
        if allowed == "even":
            return n == 2 or n % 2 == 1
        if allowed == "odd" and n % 2 == 0:
            return n & (n - 1) == 0
        return n == 1 or is_prime(n)
