"""Plain references: the definitions, as slow as they come. Nothing here imports the kernels."""

import math
from collections.abc import Callable
from functools import cache, partial

import flint
import numpy as np
import numpy.typing as npt

from rules.plain_rules import WORDS, mex, values

Flags = npt.NDArray[np.bool_]
EVEN_LOSSES = (0, 10, 34, 100, 310)


def is_prime(n: int) -> bool:
    return n > 1 and bool(flint.fmpz(n).is_prime())


@cache
def subtract_a_prime(limit: int) -> list[int]:
    """g(n) for n < limit by mex; bit m of reached[v] says that m can move to value v."""
    moves = sum(1 << p for p in range(limit) if is_prime(p))
    whole = (1 << limit) - 1
    reached = [0] * 16
    values = []
    for n in range(limit):
        value = next(v for v in range(16) if not reached[v] >> n & 1)
        reached[value] |= (moves << n) & whole
        values.append(value)
    return values


def by_prime_factors(n: int) -> set[int]:
    """What dividing by a prime factor takes away."""
    return {n - n // p for p in range(2, n + 1) if n % p == 0 and is_prime(p)}


def prime_subtractor(limit: int) -> list[int]:
    """The opening: as above, but a prime start may not be taken whole."""
    values = subtract_a_prime(limit)
    primes = [p for p in range(limit) if is_prime(p)]
    return [
        mex({values[n - p] for p in primes if p < n}) if is_prime(n) else values[n]
        for n in range(limit)
    ]


GAMES: dict[str, tuple[Callable[[int], list[int]], int]] = {
    "subtract-a-prime": (subtract_a_prime, 60_000),
    "prime-subtractor": (prime_subtractor, 10_000),
    "divisor-duel": (partial(values, lambda n: WORDS["divisor"](n) - {1, n}), 20_000),
    "power-play": (partial(values, by_prime_factors), 1_500),
    "digit-subtraction-duel": (partial(values, WORDS["digit"]), 120_000),
}
"""Each game's reference and how far it is run."""


@cache
def prime_flags(low: int, high: int) -> Flags:
    """Which of [low, high) are prime, by a plain sieve."""
    flags = np.ones(high - low, dtype=bool)
    flags[: max(0, 2 - low)] = False
    root = math.isqrt(high) + 1
    primes = np.flatnonzero(prime_flags(0, root)) if root > 2 else np.empty(0, dtype=np.int64)
    first = np.maximum(-low % primes, primes * primes - low)
    long = primes > high - low
    for p, at in zip(primes[~long].tolist(), first[~long].tolist(), strict=True):
        flags[at::p] = False
    hits = first[long]
    flags[hits[hits < high - low]] = False
    return flags


def won_by_five(prime: Flags, before: int = 0) -> Flags:
    """From which numbers a prime leads to one of the five even losses; `before` go unsaid."""
    wins = np.zeros(len(prime), dtype=bool)
    for e in EVEN_LOSSES:
        wins[e:] |= prime[: len(prime) - e]
    return wins[before:]


def walk(wins: Flags, low: int, start: int) -> npt.NDArray[np.uint64]:
    """The odd losses from `start` on, by twos; wins[i]: a prime leads from low + i to the five."""
    odd = wins[1 - low % 2 :: 2]
    index = np.arange(len(odd))
    # A number is lost when the last sure win lies an odd way back.
    last = np.maximum.accumulate(np.where(odd, index, -1))
    numbers = low + 1 - low % 2 + 2 * np.flatnonzero((index - last) % 2 == 1)
    return numbers[numbers >= start].astype(np.uint64)


def lost_numbers(start: int, stop: int) -> npt.NDArray[np.uint64]:
    """The odd losses of [start, stop), walked to from 8000 below: some win is always nearer."""
    low = max(0, start - 8000)
    below = max(0, low - EVEN_LOSSES[-1])
    return walk(won_by_five(prime_flags(below, stop), low - below), low, start)


def is_lost(n: int) -> bool:
    """For n > 310, if the five are all: odd n by twos, even n by primes."""
    if n % 2 == 0:
        return not any(is_prime(p) and is_lost(n - p) for p in range(3, 2000, 2))
    lost = False
    while not any(is_prime(n - e) for e in EVEN_LOSSES):
        lost = not lost
        n -= 2
    return lost


BROUGHT = {
    0: EVEN_LOSSES,
    1: (2, 12, 36, 102, 312),
    2: (4, 14, 38, 104, 314, 1574),
    3: (6, 16, 40, 106, 316, 1576, 1996, 5566),
    7: (24,),
    4: (17,),
    5: (19,),
    6: (21,),
}
"""The numbers of a value that only few of their parity have, as A014589 lists them."""


def values_by_rule(prime: Flags, low: int) -> npt.NDArray[np.uint8]:
    """Values by the local rule, prime[i] saying whether low + i is prime.

    The first 6000 are none, and those that follow depend on a guess, which is soon forgotten.
    """
    values = [4, 0] * 3000
    flags = prime.tolist()
    for i in range(6000, len(flags)):
        n = low + i
        reached = {values[i - 2], *((4, 5, 6) if n % 2 else (0, 1, 2, 3, 7, 8, 10))}
        reached |= {v for v, few in BROUGHT.items() for e in few if (n - e) % 2 and flags[i - e]}
        if n % 30 not in (13, 18, 23) or (n % 30 != 13 and values[i - 5] == 9):
            reached.add(9)
        values.append(next(v for v in range(13) if v not in reached))
    return np.array(values, dtype=np.uint8)


def local_values(a: int, b: int) -> list[int]:
    """g over [a, b) by the local rule, run from 3000 below; primes by python-flint."""
    low = a - 9000
    flags = np.array([is_prime(n) for n in range(low, b)])
    return values_by_rule(flags, low)[a - low :].tolist()
