"""What a certificate may rest on. Part of the checker: nothing here is from solver or theories."""

from collections.abc import Callable
from typing import NamedTuple

from numduel.games import Game
from numduel.known import LIST_CHECKED


class Premise(NamedTuple):
    """Something relied on and not verified: its name, what it says, how far it is known."""

    name: str
    says: str
    known: str


PRIME_GAMES = ("subtract-a-prime", "prime-subtractor", "subtract-prime")
EVEN_LOSSES = (0, 10, 34, 100, 310)

FIVE = Premise(
    "five-even-losses",
    "The even losses of Subtract a Prime are 0, 10, 34, 100 and 310.",
    f"checked to 10^{len(str(LIST_CHECKED))} (results/even-losses-*.json; in print to 10^9, "
    "OEIS A014589); open beyond",
)
PAIRING = Premise(
    "pairing",
    "In Subtract a Prime n is lost under misère exactly when n-2 is lost in normal play.",
    "proved (Ferguson 1974)",
)
PROBABLE = Premise(
    "probable-prime",
    "A number that passes the Baillie-PSW test is prime.",
    "proved below 2^64; no exception is known above",
)


class ProvedRule(NamedTuple):
    claim: Premise
    lost: Callable[[int], bool]


def rule_for(game: Game, misere: bool) -> ProvedRule | None:
    """The proved rule for one number of this game that needs arithmetic only, if there is one."""
    key = "digit-subtraction-duel" if game.key == "subtract-digit" else game.key
    return _RULES.get((key, game.settings.get("divisors", ""), misere))


def _rule(name: str, says: str, lost: Callable[[int], bool]) -> ProvedRule:
    return ProvedRule(Premise(name, says, "proved (docs/ALGORITHMS.md)"), lost)


def _power(n: int) -> bool:
    return n & (n - 1) == 0


_RULES = {
    ("digit-subtraction-duel", "", False): _rule(
        "digits", "The traps are the multiples of ten.", lambda n: n % 10 == 0
    ),
    ("digit-subtraction-duel", "", True): _rule(
        "digits-misere",
        "The traps are 1 to 9, 11, 13, 15, 17, 19 and the multiples of ten from 20 on.",
        lambda n: n % 10 == 0 if n > 19 else 0 < n < 10 or n % 2 == 1,
    ),
    ("divisor-duel", "all", False): _rule(
        "divisors",
        "The traps are the odd numbers and 2^k with k odd.",
        lambda n: n % 2 == 1 or (_power(n) and n.bit_length() % 2 == 0),
    ),
    ("divisor-duel", "even", False): _rule(
        "divisors-even", "The traps are the numbers that 4 does not divide.", lambda n: n % 4 != 0
    ),
    ("divisor-duel", "even", True): _rule(
        "divisors-even-misere",
        "The traps are 4 and the numbers from 10 on that 2 divides and 4 does not.",
        lambda n: n == 4 or (n > 8 and n % 4 == 2),
    ),
    ("divisor-duel", "odd", False): _rule(
        "divisors-odd", "The traps are the odd numbers and 2^k.", lambda n: n % 2 == 1 or _power(n)
    ),
    ("divisor-duel", "odd", True): _rule(
        "divisors-odd-misere",
        "The traps are the even numbers except 2^k.",
        lambda n: n % 2 == 0 and not _power(n),
    ),
    ("divisor-duel", "prime", False): _rule(
        "divisors-prime",
        "The traps are the odd numbers and 2^k, except 4.",
        lambda n: n % 2 == 1 or (_power(n) and n != 4),
    ),
    ("subtract-divisor", "", False): _rule("own-divisors", "The one trap is 0.", lambda n: n == 0),
    ("subtract-divisor", "", True): _rule(
        "own-divisors-misere", "The traps are the odd numbers.", lambda n: n % 2 == 1
    ),
    ("subtract-proper-divisor", "", False): _rule(
        "smaller-divisors", "The traps are 0 and the odd numbers.", lambda n: n == 0 or n % 2 == 1
    ),
    ("subtract-proper-divisor", "", True): _rule(
        "smaller-divisors-misere",
        "The traps are 2 and the odd numbers from 5 on.",
        lambda n: n == 2 or (n > 4 and n % 2 == 1),
    ),
}
