"""Divisors in order, as far as they can be named without a hard factoring."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush, merge

from numduel.arithmetic.factors import divisors, factor
from numduel.arithmetic.primes import SMALL, small_primes
from numduel.errors import TooLarge


def divisors_up(n: int) -> Iterator[int]:
    """The divisors of `n` between 1 and `n`, smallest first, each as soon as it is known.

    Those below 2^16 need trial division only. When the rest of `n` is too
    large to factor, the divisors made of small primes, with and without that
    rest, still come; then `TooLarge` is raised, since others may be missing.
    """
    known = [1]
    pending: list[int] = []
    rest = n
    last = 1
    for p in small_primes():
        if p * p > rest:
            break
        power, multiples = 1, []
        while rest % p == 0:
            rest //= p
            power *= p
            if power < SMALL:
                multiples.append(power)
        if multiples:
            fresh = [d * power for power in multiples for d in known if d * power < SMALL]
            known += fresh
            for d in fresh:
                heappush(pending, d)
        while pending and pending[0] <= p and pending[0] < n:
            last = heappop(pending)
            yield last
    try:
        factor(n)
    except TooLarge:
        if rest < n:
            yield from (d for d in _with_rest(n // rest, rest) if d > last)
        raise
    yield from (d for d in divisors(n) if last < d < n)


def _with_rest(smooth: int, rest: int) -> Iterator[int]:
    """The divisors of `smooth` and their multiples by `rest`, in order."""
    below = (d for d in divisors(smooth) if d > 1)
    above = (rest * d for d in divisors(smooth) if d < smooth)
    return merge(below, above)
