"""Primes at any size."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import compress, takewhile

from numduel.arithmetic.numerals import count_digits

SMALL = 1 << 16
"""Below this, primes are looked up in a table made on first use."""
_COUNTED = 1_000_000
"""Primes are counted up to here: beyond, counting is not cheap."""
PROOF_DIGITS = 200
"""Primes up to this many digits are proved: about a second at the most."""
MOST_REMEMBERED = 1 << 15
"""This much, at most, is remembered about the neighbourhood of a number: moves are listed for as
long as they are asked for, and memory would grow with them."""


def prime_flags(stop: int) -> bytearray:
    """flags[n] is 1 exactly when n is prime, for n < stop (Eratosthenes)."""
    flags = (bytearray([0, 1]) * (stop // 2 + 1))[:stop]
    flags[1:3] = bytes([0, 1])[: max(0, stop - 1)]
    for p in range(3, int(stop**0.5) + 1, 2):
        if flags[p]:
            flags[p * p :: 2 * p] = bytes(len(range(p * p, stop, 2 * p)))
    return flags


@cache
def _small_flags() -> bytes:
    return bytes(prime_flags(SMALL))


@cache
def small_primes() -> tuple[int, ...]:
    return tuple(compress(range(SMALL), _small_flags()))


def is_prime(n: int) -> bool:
    """Exact below 2^64 (Feitsma's list of 2-pseudoprimes, checked); above, by Baillie-PSW.

    No composite number is known to pass that test, but a yes is "probable prime", not a proof.
    """
    if n < SMALL:
        return n > 1 and bool(_small_flags()[n])
    if not n & 1:
        return False
    from flint import fmpz

    return bool(fmpz(n).is_probable_prime())


is_prime_nearby = lru_cache(MOST_REMEMBERED // 4)(is_prime)
"""The same, remembered: in the neighbourhood of a large number, a few hundred come up again and
again. An entry is larger than one of a dict."""


def primes_up(limit: int) -> Iterator[int]:
    """The primes up to and including `limit`, smallest first, one at a time."""
    table = small_primes()
    yield from table[: bisect_right(table, limit)]
    sieved = min(limit + 1, SMALL * SMALL)
    for start in range(SMALL, sieved, SMALL):
        yield from _segment(start, min(start + SMALL, sieved))
    for n in range(max(SMALL, sieved) | 1, limit + 1, 2):
        if is_prime(n):
            yield n


def _segment(start: int, stop: int) -> Iterator[int]:
    """The primes from `start` up to, not including, `stop`, which is at most SMALL^2."""
    flags = bytearray([1]) * (stop - start)
    for p in takewhile(lambda p: p * p < stop, small_primes()):
        flags[-start % p :: p] = bytes(len(range(-start % p, stop - start, p)))
    return compress(range(start, stop), flags)


def primes_down(limit: int) -> Iterator[int]:
    """The primes up to and including `limit`, largest first, one at a time."""
    for n in range(limit - 1 + limit % 2, SMALL, -2):
        if is_prime(n):
            yield n
    table = small_primes()
    yield from reversed(table[: bisect_right(table, limit)])


def prime_count(limit: int) -> int | None:
    """How many primes there are up to `limit`; None where counting is not cheap."""
    if limit < SMALL:
        return bisect_right(small_primes(), limit)
    return prime_flags(limit + 1).count(1) if limit <= _COUNTED else None


def prove_prime(n: int) -> bool | None:
    """A yes and a no are proved; None for a probable prime beyond `PROOF_DIGITS` digits."""
    if not is_prime(n):
        return False
    if n < 1 << 64:
        return True
    if count_digits(n) > PROOF_DIGITS:
        return None
    from flint import fmpz

    return bool(fmpz(n).is_prime())
