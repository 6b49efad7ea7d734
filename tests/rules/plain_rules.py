"""Rules in the plainest way: each word by its definition, each value by looking at all."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import isqrt
from random import Random

HARD = (10**40 + 121) * (10**41 + 109)
"""Too large to factor."""


def is_prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, isqrt(n) + 1))


def primes_up_to(n: int) -> list[int]:
    return [p for p in range(2, n + 1) if is_prime(p)]


def proper_divisors(n: int) -> list[int]:
    return [d for d in range(2, n) if n % d == 0]


MOVES = {
    "subtract-a-prime": primes_up_to,
    "prime-subtractor": lambda n: primes_up_to(n - 1),
    "prime-subtractor,opening=any": primes_up_to,
    "divisor-duel": proper_divisors,
    "divisor-duel,divisors=even": lambda n: [d for d in proper_divisors(n) if d % 2 == 0],
    "divisor-duel,divisors=odd": lambda n: [d for d in proper_divisors(n) if d % 2 == 1],
    "divisor-duel,divisors=prime": lambda n: [d for d in proper_divisors(n) if is_prime(d)],
    "power-play": lambda n: [p for p in primes_up_to(n) if n % p == 0],
    "digit-subtraction-duel": lambda n: [d for d in range(1, 10) if str(d) in str(n)],
}
"""The five games: the legal moves at n, by key and variant."""


WORDS: dict[str, Callable[[int], set[int]]] = {
    "any": lambda n: set(range(1, n + 1)),
    "square": lambda n: {k * k for k in range(1, isqrt(n) + 1)},
    "cube": lambda n: {k**3 for k in range(1, 15) if k**3 <= n},
    "prime": lambda n: {p for p in _PRIMES if p <= n},
    "digit": lambda n: {int(c) for c in str(n)} - {0},
    "divisor": lambda n: {d for k in range(1, isqrt(n) + 1) if n % k == 0 for d in (k, n // k)},
    "proper-divisor": lambda n: WORDS["divisor"](n) - {n},
    "power-of-2": lambda n: {1 << k for k in range(n.bit_length())},
    "fibonacci": lambda n: {f for f in _FIBONACCI if f <= n},
    "triangular": lambda n: {t for t in _TRIANGULAR if t <= n},
}
_PRIMES = primes_up_to(3200)
_TRIANGULAR = [k * (k + 1) // 2 for k in range(1, 80)]
_FIBONACCI = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181]


@dataclass
class PlainRule:
    """What a rule allows, put together without reading its text."""

    words: list[str] = field(default_factory=list)
    amounts: list[int] = field(default_factory=list)
    divisors: list[int] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The rule as somebody might write it: in no order."""
        clauses = [f"subtract-{word}" for word in self.words]
        if self.amounts:
            clauses.append("subtract-" + "-".join(map(str, self.amounts)))
        if self.divisors:
            clauses.append("divide-by-" + "-".join(map(str, self.divisors)))
        return "-or-".join(clauses)

    def moves(self, n: int) -> set[int]:
        found = {amount for amount in self.amounts if amount <= n}
        found |= {n - n // k for k in self.divisors if n and n % k == 0}
        return found.union(*(WORDS[word](n) for word in self.words))


def random_rule(random: Random) -> PlainRule:
    """Any rule of the grammar, small and large."""
    rule = PlainRule(words=random.sample(list(WORDS), random.choice([0, 0, 0, 1, 1, 2])))
    if random.random() < 0.6 or not rule.words:
        largest = random.choice([6, 12, 30])
        rule.amounts = random.sample(range(1, largest + 1), random.randint(1, 5))
    if random.random() < 0.3:
        rule.divisors = random.sample(range(2, 6), random.randint(1, 2))
    return rule


def mex(reached: set[int]) -> int:
    return next(v for v in range(len(reached) + 1) if v not in reached)


def values(moves: Callable[[int], Iterable[int]], size: int) -> list[int]:
    """Grundy values by mex."""
    found: list[int] = []
    for n in range(size):
        found.append(mex({found[n - amount] for amount in moves(n)}))
    return found


def losses(rule: PlainRule, size: int, misere: bool = False) -> list[bool]:
    """Who must move loses; under misère whoever cannot move wins."""
    lost: list[bool] = []
    for n in range(size):
        moves = rule.moves(n)
        lost.append(not any(lost[n - amount] for amount in moves) if moves else not misere)
    return lost


def pair_losses(rule: PlainRule, size: int, misere: bool) -> dict[tuple[int, int], bool]:
    """The same for two numbers under one rule, by looking at every move."""
    lost: dict[tuple[int, int], bool] = {}
    moves = [rule.moves(n) for n in range(size)]
    for a in range(size):
        for b in range(size):
            after = [(a - m, b) for m in moves[a]] + [(a, b - m) for m in moves[b]]
            lost[a, b] = not any(lost[one] for one in after) if after else not misere
    return lost
