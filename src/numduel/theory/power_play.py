"""Power Play: nothing that a player chooses matters."""

from collections.abc import Iterator

from numduel.arithmetic import factor
from numduel.theory import Basis, Theory


class PowerPlayTheory(Theory):
    """The number of prime factors decides (OEIS A066829).

    Theorem. Every move takes one prime factor away, so a match from n lasts exactly Omega(n) moves,
    and g(n) = Omega(n) mod 2. Raises `TooLarge` where n cannot be factored.
    """

    known = Basis("theorem", "Proved for every number: each move takes away one prime factor.")
    tame = True
    __slots__ = ()

    @property
    def no_choice(self) -> bool:
        return True

    def grundy(self, n: int) -> int:
        return sum(exponent for _, exponent in factor(n)) % 2

    def moves_to(self, n: int, value: int) -> Iterator[int]:
        return self.game.moves(n) if value == 1 - self.grundy(n) else iter(())
