"""Factoring, and divisors in order, also as far as they can be named without a hard factoring."""

from collections.abc import Iterator
from functools import lru_cache
from heapq import heappop, heappush, merge
from math import prod

from numduel.arithmetic.numerals import count_digits
from numduel.arithmetic.primes import SMALL, is_prime, small_primes
from numduel.errors import TooLarge

FACTOR_DIGITS = 50
"""What is left of a number after its small primes is factored up to this many digits. The hardest
take less than a second, those of 60 digits some seconds, and python-flint cannot be interrupted."""
_LISTED = 20_000
"""Divisors are sorted in a list up to this many; more come one at a time from a heap."""


@lru_cache(maxsize=4096)
def factor(n: int) -> tuple[tuple[int, int], ...]:
    """The primes of `n` >= 1 with their exponents, smallest first.

    Raises `TooLarge` where primes below 2^16 leave a composite of over `FACTOR_DIGITS` digits.
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


def divisors_up(n: int) -> Iterator[int]:
    """The divisors of `n` between 1 and `n`, smallest first, each as soon as it is known.

    Those below 2^16 need trial division only. When the rest of `n` is too large to factor, the
    divisors made of small primes, with and without it, still come; then `TooLarge` is raised.
    """
    return iter(_listed(n)[1:-1]) if n < SMALL else _named(n)


def _named(n: int) -> Iterator[int]:
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
