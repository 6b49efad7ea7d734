"""Plain references: the definitions, as slow as they come. Nothing here imports the kernels."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import flint
import numpy as np
import numpy.typing as npt

EVEN_LOSSES = (0, 10, 34, 100, 310)
EVEN_BY_VALUE = (
    (0, 10, 34, 100, 310),
    (2, 12, 36, 102, 312),
    (4, 14, 38, 104, 314, 1574),
    (6, 16, 40, 106, 316, 1576, 1996, 5566),
)


def is_prime(n: int) -> bool:
    return n > 1 and bool(flint.fmpz(n).is_prime())


def mex(reached: set[int]) -> int:
    return next(v for v in range(len(reached) + 1) if v not in reached)


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


def prime_subtractor(limit: int) -> list[int]:
    """The opening: as above, but a prime start may not be taken whole."""
    values = subtract_a_prime(limit)
    primes = [p for p in range(limit) if is_prime(p)]
    return [
        mex({values[n - p] for p in primes if p < n}) if is_prime(n) else values[n]
        for n in range(limit)
    ]


def divisor_duel(limit: int) -> list[int]:
    """g(n) for n < limit; index 0 is no position."""
    reached: list[set[int]] = [set() for _ in range(limit)]
    values = [0] * limit
    divisors: list[list[int]] = [[] for _ in range(limit)]
    for d in range(2, limit):
        for n in range(2 * d, limit, d):
            divisors[n].append(d)
    for n in range(1, limit):
        reached[n] = {values[n - d] for d in divisors[n]}
        values[n] = mex(reached[n])
    return values


def power_play(limit: int) -> list[int]:
    """By the moves: divide by a prime factor. Index 0 is no position."""
    values = [0] * limit
    for n in range(2, limit):
        values[n] = mex({values[n // p] for p in range(2, n + 1) if n % p == 0 and is_prime(p)})
    return values


def digit_subtraction_duel(limit: int) -> list[int]:
    values: list[int] = []
    for n in range(limit):
        values.append(mex({values[n - int(d)] for d in set(str(n)) - {"0"}}))
    return values


GAMES: dict[str, tuple[Callable[[int], list[int]], int]] = {
    "subtract-a-prime": (subtract_a_prime, 60_000),
    "prime-subtractor": (prime_subtractor, 10_000),
    "divisor-duel": (divisor_duel, 20_000),
    "power-play": (power_play, 1_500),
    "digit-subtraction-duel": (digit_subtraction_duel, 120_000),
}
"""Each game's reference and how far it is run."""


def is_lost(n: int) -> bool:
    """The plain walk for n > 310, if the five are all: odd n by twos, even n by primes."""
    if n % 2 == 0:
        return not any(is_prime(p) and is_lost(n - p) for p in range(3, 2000, 2))
    lost = False
    while not any(is_prime(n - e) for e in EVEN_LOSSES):
        lost = not lost
        n -= 2
    return lost


def local_values(a: int, b: int) -> list[int]:
    """g over [a, b) by the local rule, run from 3000 below from two starts that must agree."""
    low = (a - 3000) // 30 * 30
    runs = []
    for even, odd in ((4, 0), (5, 1)):
        g = {low - 2: even, low - 1: odd}
        for n in range(low, b):
            r = n % 30
            if n % 2:
                reached = {v for v in range(4) if any(is_prime(n - e) for e in EVEN_BY_VALUE[v])}
                reached |= {4, 5, 6, g[n - 2]} | ({7} if is_prime(n - 24) else set())
                nine = r not in (13, 23) or (r == 23 and g[n - 5] == 9)
            else:
                reached = {0, 1, 2, 3, 7, 8, 10, g[n - 2]}
                reached |= {v for v, d in ((4, 17), (5, 19), (6, 21)) if is_prime(n - d)}
                nine = r != 18 or g[n - 5] == 9
            g[n] = mex(reached | ({9} if nine else set()))
        runs.append([g[n] for n in range(a, b)])
    assert runs[0] == runs[1]
    return runs[0]


def odd_primes(limit: int) -> npt.NDArray[np.bool_]:
    """Whether 2i + 1 is prime, for the odd numbers below limit, by a plain sieve."""
    prime = np.ones(limit // 2, dtype=np.bool_)
    prime[0] = False
    for i in range(3, math.isqrt(limit) + 1, 2):
        if prime[i // 2]:
            prime[i * i // 2 :: i] = False
    return prime


def odd_losses(limit: int) -> npt.NDArray[np.bool_]:
    """Whether 2i + 1 is lost, for the odd numbers below limit, by the walk by twos."""
    prime = odd_primes(limit)
    wins = prime.copy()
    for e in EVEN_LOSSES[1:]:
        wins[e // 2 :] |= prime[: -e // 2]
    index = np.arange(len(wins))
    # 1 is lost; from there on a number is lost when the last sure win lies an odd way back.
    last = np.maximum.accumulate(np.where(wins, index, -1))
    lost: npt.NDArray[np.bool_] = ~wins & ((index - last) % 2 == 1)
    return lost
