"""Factoring, and divisors in order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from heapq import heappop, heappush
from math import prod

from numduel.arithmetic.numerals import count_digits
from numduel.arithmetic.primes import SMALL, is_prime, small_primes
from numduel.errors import TooLarge

FACTOR_DIGITS = 50
"""What is left of a number after its small primes is factored up to this many digits.

The hardest numbers of 50 digits take less than a second, of 60 digits some
seconds, and python-flint cannot be interrupted.
"""

_LISTED = 20_000
"""Divisors are sorted in a list up to this many; more come one at a time from a heap."""


@lru_cache(maxsize=4096)
def factor(n: int) -> tuple[tuple[int, int], ...]:
    """The primes of `n` >= 1 with their exponents, smallest first.

    Raises `TooLarge` when more than `FACTOR_DIGITS` digits are left,
    not prime, once the primes below 2^16 are divided out.
    """
    found: list[tuple[int, int]] = []
    rest = n
    for p in small_primes():
        if p * p > rest:
            break
        exponent = 0
        while rest % p == 0:
            rest //= p
            exponent += 1
        if exponent:
            found.append((p, exponent))
    if rest < SMALL * SMALL or is_prime(rest):
        if rest > 1:
            found.append((rest, 1))
        return tuple(found)
    if count_digits(rest) > FACTOR_DIGITS:
        raise TooLarge("to factor", number=n, digits=count_digits(rest), limit=FACTOR_DIGITS)
    from flint import fmpz

    found.extend((int(p), int(exponent)) for p, exponent in fmpz(rest).factor())
    return tuple(sorted(found))


def count_divisors(n: int) -> int:
    """How many divisors `n` has, 1 and itself among them."""
    return prod(exponent + 1 for _, exponent in factor(n))


def divisors(n: int) -> Iterator[int]:
    """The divisors of `n` from 1 to `n`, smallest first; one at a time where they are many."""
    return iter(_listed(n)) if count_divisors(n) <= _LISTED else _merged(n)


@lru_cache(maxsize=4096)
def _listed(n: int) -> tuple[int, ...]:
    found = [1]
    for p, exponent in factor(n):
        found = [d * p**e for d in found for e in range(exponent + 1)]
    return tuple(sorted(found))


def _merged(n: int) -> Iterator[int]:
    """Each divisor enters the heap once, from itself without its largest prime once."""
    factors = factor(n)
    heap = [(1, 0, 0)]
    while heap:
        divisor, at, used = heappop(heap)
        yield divisor
        for i in range(at, len(factors)):
            p, exponent = factors[i]
            already = used if i == at else 0
            if already < exponent:
                heappush(heap, (divisor * p, i, already + 1))
