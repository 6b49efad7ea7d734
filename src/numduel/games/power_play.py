"""Power Play."""

from collections.abc import Iterator

from numduel.arithmetic import factor, is_prime
from numduel.games.game import Fault, Game, Reduction


class PowerPlay(Game):
    """Divide by prime factors; whoever reaches 1 wins.

    On your turn, choose a prime factor of the current number N, and divide N
    by it once. Whoever makes N exactly 1 wins. A match starts from a
    composite number.

    Example: from 50, divide by 5 to leave 10. The reply 2 leaves 5, and
    dividing by 5 then wins.
    """

    key = "power-play"
    title = "Power Play"
    default_start = 30
    least = 1
    reduction = Reduction.DIVIDE
    policies = frozenset({"penalty"})
    theory = "numduel.theory.power_play:PowerPlayTheory"
    wording = "numduel.wording.rulebooks:PowerPlayWording"
    __slots__ = ()

    def is_start(self, n: int) -> bool:
        """Composite, and small enough to factor: its prime factors have to be shown."""
        return n > 3 and not is_prime(n) and bool(factor(n))

    def moves(self, n: int) -> Iterator[int]:
        return (p for p, _ in factor(n))

    def fault(self, n: int, amount: int) -> Fault | None:
        if amount < 1 or n % amount:
            return Fault.NOT_A_FACTOR
        return None if is_prime(amount) else Fault.NOT_PRIME

    def is_over(self, n: int) -> bool:
        return n == 1
