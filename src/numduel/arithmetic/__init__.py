"""Whole numbers at any size: numerals, primes, factors, divisors, digits.

For a quick first prompt, python-flint is loaded for the first number that is not small.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from heapq import heappop, heappush, merge
from itertools import compress, takewhile
from math import prod

from numduel.errors import InvalidNumber, TooLarge, TooManyDigits

MAX_DIGITS = 4000  # numbers with more decimal digits than this are refused everywhere
_NUMERAL = re.compile(r"[0-9]+", re.ASCII)
_PROBLEMS = (
    (re.compile(r""), "empty"),
    (re.compile(r"[-\u2212][0-9]+", re.ASCII), "negative"),
    (re.compile(r"\+[0-9]+", re.ASCII), "sign"),
    (re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)", re.ASCII), "fraction"),
    (re.compile(r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+", re.ASCII), "exponent"),
    (re.compile(r"[0-9]+([ ,_'][0-9]+)+", re.ASCII), "separator"),
    (re.compile(r".*[0-9].*", re.ASCII | re.DOTALL), "mixed"),
)
SMALL = 1 << 16  # below this, primes are looked up in a table made on first use
_COUNTED = 1_000_000  # primes are counted up to here: beyond, counting is not cheap
PROOF_DIGITS = 200  # primes up to this many digits are proved: about a second at the most
MOST_REMEMBERED = 1 << 15  # of a number's neighbours, at most: else memory grows with its moves
FACTOR_DIGITS = 50
"""What is left of a number after its small primes is factored up to this many digits. The hardest
take less than a second, those of 60 digits some seconds, and python-flint cannot be interrupted."""
_LISTED = 20_000  # divisors are sorted in a list up to this many; more come from a heap


def read_number(text: str) -> int:
    """The whole number that `text` writes in the digits 0 to 9, blanks around it aside.

    Raises `InvalidNumber` with the `problem` seen, or `TooManyDigits`: also where something
    else follows so many digits, as at the end of a line that was cut.
    """
    text = text.strip()
    found = _NUMERAL.match(text)
    digits = found[0].lstrip("0") if found else ""
    if len(digits) > MAX_DIGITS:
        raise TooManyDigits(digits=len(digits), limit=MAX_DIGITS)
    if not found or len(found[0]) < len(text):
        seen = (problem for pattern, problem in _PROBLEMS if pattern.fullmatch(text))
        other = "foreign digits" if any(c.isnumeric() for c in text) else "word"
        raise InvalidNumber(text=text, problem=next(seen, other))
    return int(digits or "0")


def digits_of(n: int) -> list[int]:
    """The decimal digits of `n`, first digit first: 102 has 1, 0, 2."""
    return [int(digit) for digit in str(n)]


def count_digits(n: int) -> int:
    """How many decimal digits `n` has; 0 has one."""
    return len(str(n))


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
def _small_primes() -> tuple[int, ...]:
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
"""The same, remembered: near a large number, a few hundred come up again and again."""


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


def primes_up(limit: int) -> Iterator[int]:
    """The primes up to and including `limit`, smallest first, one at a time."""
    table = _small_primes()
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
    for p in takewhile(lambda p: p * p < stop, _small_primes()):
        flags[-start % p :: p] = bytes(len(range(-start % p, stop - start, p)))
    return compress(range(start, stop), flags)


def primes_down(limit: int) -> Iterator[int]:
    """The primes up to and including `limit`, largest first, one at a time."""
    for n in range(limit - 1 + limit % 2, SMALL, -2):
        if is_prime(n):
            yield n
    table = _small_primes()
    yield from reversed(table[: bisect_right(table, limit)])


def prime_count(limit: int) -> int | None:
    """How many primes there are up to `limit`; None where counting is not cheap."""
    if limit < SMALL:
        return bisect_right(_small_primes(), limit)
    return prime_flags(limit + 1).count(1) if limit <= _COUNTED else None


@lru_cache(maxsize=4096)
def factor(n: int) -> tuple[tuple[int, int], ...]:
    """The primes of `n` >= 1 with their exponents, smallest first.

    Raises `TooLarge` where primes below 2^16 leave a composite of over `FACTOR_DIGITS` digits.
    """
    found, rest = _divided(n)
    if rest == 1 or is_prime(rest):
        return found if rest == 1 else (*found, (rest, 1))
    if count_digits(rest) > FACTOR_DIGITS:
        raise TooLarge("to factor", number=n, digits=count_digits(rest), limit=FACTOR_DIGITS)
    from flint import fmpz

    large = ((int(p), int(exponent)) for p, exponent in fmpz(rest).factor())
    return (*found, *sorted(large))


@lru_cache(maxsize=4096)
def _divided(n: int) -> tuple[tuple[tuple[int, int], ...], int]:
    """What trial division finds of `n`; the rest, unless it is 1, has only primes above 2^16."""
    found: list[tuple[int, int]] = []
    rest = n
    for p in _small_primes():
        if p * p > rest:
            break
        exponent = 0
        while rest % p == 0:
            rest //= p
            exponent += 1
        if exponent:
            found.append((p, exponent))
    if 1 < rest < SMALL * SMALL:
        found.append((rest, 1))
        rest = 1
    return tuple(found), rest


def count_divisors(n: int) -> int:
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
    rest = _divided(n)[1]
    smooth = n // rest
    known = takewhile(lambda d: d < SMALL, divisors(smooth))
    yield from (d for d in known if d > 1)
    try:
        factor(n)
    except TooLarge:
        named = merge(divisors(smooth), (rest * d for d in divisors(smooth)))
        yield from (d for d in named if SMALL <= d < n)
        raise
    yield from (d for d in divisors(n) if SMALL <= d < n)
