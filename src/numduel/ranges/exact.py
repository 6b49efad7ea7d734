"""Single numbers of Subtract a Prime, exactly: small tables by plain mex, large ones by a walk.

Slow and plain. The kernels lean on it for what is below 7680, where a range begins in
the middle of a walk, and where an even number asks for more primes than they carry.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from numduel.arithmetic.miller_rabin import is_prime
from numduel.ranges.kernel import U8
from numduel.ranges.wheel import HALO, WHEEL

EXACT: Final = 64 * HALO * WHEEL
"""Below (7680) every value comes from the definition; the local rule holds from 6000 on."""
EVEN_LOSSES: Final = (0, 10, 34, 100, 310)
EVEN_BY_VALUE: Final = (
    EVEN_LOSSES,
    (2, 12, 36, 102, 312),
    (4, 14, 38, 104, 314, 1574),
    (6, 16, 40, 106, 316, 1576, 1996, 5566),
)
"""The even numbers with g = 0, 1, 2, 3: all up to 10^14 (shown). Beyond, a conjecture."""


@cache
def small_values() -> U8:
    """g(n) of Subtract a Prime for n < EXACT, by mex over all moves."""
    primes = [p for p in range(2, EXACT) if is_prime(p)]
    seen = np.zeros((EXACT, 16), dtype=np.bool_)
    values = np.zeros(EXACT, dtype=np.uint8)
    reach = np.array(primes)
    for n in range(EXACT):
        values[n] = seen[n].argmin()
        seen[n + reach[: np.searchsorted(reach, EXACT - n)], values[n]] = True
    values.flags.writeable = False
    return values


def is_lost(n: int) -> bool:
    """Whether n is lost: exact below EXACT, above it if the five even losses are all.

    An odd n walks down by twos to a number that wins by n - e; about ln(n)/10 steps.
    """
    if n < EXACT:
        return bool(small_values()[n] == 0)
    if n % 2 == 0:
        return False
    steps = 0
    while n >= EXACT and not any(is_prime(n - e) for e in EVEN_LOSSES):
        n -= 2
        steps += 1
    won = n >= EXACT or not is_lost(n)
    return won == bool(steps % 2)


def winning_prime(n: int, tries: int = 20_000) -> int | None:
    """The least odd prime p up to tries that leaves n - p lost; None if there is none."""
    for p in range(3, min(tries, n) + 1, 2):
        if is_prime(p) and is_lost(n - p):
            return p
    return None


def _missing(reached: set[int]) -> int:
    return next(v for v in range(16) if v not in reached)


def _always(n: int) -> set[int]:
    """R(n) of the local rule without what g(n-2) and g(n-5) bring."""
    if n % 2:
        reached = {v for v in range(4) if any(is_prime(n - e) for e in EVEN_BY_VALUE[v])}
        return reached | {4, 5, 6} | ({7} if is_prime(n - 24) else set())
    return {0, 1, 2, 3, 7, 8, 10} | {v for v in (4, 5, 6) if is_prime(n - 9 - 2 * v)}


def value_pair(n: int) -> tuple[int, int]:
    """g(n) and g(n+1) for even n >= EXACT, by the local rule (see `values`).

    The rule is run upward from some way below, from every value that g could have there,
    until one is left.
    """
    back = 4 * WHEEL
    while True:
        low = max((n - back) // WHEEL * WHEEL, EXACT)
        table = small_values()
        evens: tuple[int, ...] = (4, 5, 6, 9, 11)
        odds: tuple[int, ...] = (0, 1, 2, 3, 7, 8, 9, 10)
        if low == EXACT:
            evens, odds = (int(table[low - 2]),), (int(table[low - 1]),)
        # A state is g(m-2), g(m-1) and whether g is 9 at the last residue 13 and 18.
        states = {(even, odd, False, False) for even in evens for odd in odds}
        for m in range(low, n + 2, 2):
            states = _step(m, states)
        pairs = {(even, odd) for even, odd, _, _ in states}
        if len(pairs) == 1:
            return pairs.pop()
        back *= 2


def _step(m: int, states: set[tuple[int, int, bool, bool]]) -> set[tuple[int, int, bool, bool]]:
    """The states after the even m and the odd m + 1."""
    after = set()
    by_even, by_odd, r = _always(m), _always(m + 1), m % WHEEL
    for even, odd, nine_at_13, nine_at_18 in states:
        nine = r != 18 or nine_at_13
        even = _missing(by_even | {even} | ({9} if nine else set()))
        if r == 18:
            nine_at_18 = even == 9
        nine = r not in (12, 22) or (r == 22 and nine_at_18)
        odd = _missing(by_odd | {odd} | ({9} if nine else set()))
        if r == 12:
            nine_at_13 = odd == 9
        after.add((even, odd, nine_at_13, nine_at_18))
    return after
