"""Plain searches, number by number: a number's moves are tried until the answer is there.

Short enough to be read in one go, and compiled; `plain` makes the rows of blocks from them.
"""

from __future__ import annotations

import numpy as np

from numduel.ranges.kernel import I64, U8, kernel
from numduel.research.divisor_blocks import closed_form


@kernel("int64(uint8[::1], uint8[::1], int64, int64, int64[::1], int64[::1], int64)")
def search_losses(
    lost: U8, odd: U8, low: int, first: int, primes: I64, even_losses: I64, sure: int
) -> int:
    """Fill lost[first:] (1 for lost), lost[i] being number low + i; low is even, odd as flags.

    Gives the first even number above 310, from `sure` on, from which no prime of the list
    wins, or -1.
    """
    for i in range(first, lost.shape[0]):
        n = low + i
        if n % 2:
            won = lost[i - 2] == 1
            for e in even_losses:
                won = won or (n > e and odd[(i - e) // 2] == 1)
            lost[i] = 0 if won else 1
        else:
            lost[i] = 1
            for p in primes:
                if p <= n and lost[i - p]:
                    lost[i] = 0
                    break
            if lost[i] and n > even_losses[-1]:
                if n >= sure:
                    return n
                lost[i] = 0
    return -1


@kernel(
    "void(uint8[::1], uint8[::1], int64, int64, int64[::1], uint8[:,::1], int64[::1], int64[::1])"
)
def search_values(
    values: U8, flags: U8, low: int, first: int, primes: I64, common: U8, begin: I64, places: I64
) -> None:
    """Fill values[first:], values[i] being that of low + i, by looking for 0, 1, 2, ... in turn.

    A value is looked for at n-2, at the numbers a prime of the list away (if numbers of the
    other parity have it commonly), then among the listed small numbers e with n-e prime. The
    first that is not found is the value. Flags end with the last odd number, as in `witnesses`.
    """
    top = low + values.shape[0]
    for i in range(first, values.shape[0]):
        n = low + i
        other = 1 - n % 2
        for v in range(16):
            found = values[i - 2] == v
            if not found and common[other, v]:
                for p in primes:
                    if values[i - p] == v:
                        found = True
                        break
            if not found:
                for t in range(begin[16 * other + v], begin[16 * other + v + 1]):
                    if places[t] >= n:
                        break
                    if flags[flags.shape[0] - 1 - (top - 1 - (n - places[t])) // 2]:
                        found = True
                        break
            if not found:
                values[i] = v
                break


@kernel("void(int64, uint8[::1], int64[::1], uint8[:,::1])")
def search_divisors(low: int, values: U8, primes: I64, table: U8) -> None:
    """Values of Divisor Duel from low on: n is factored by trial, its divisors are all tried."""
    divisors = np.empty(1 << 14, np.int64)
    for i in range(values.shape[0]):
        n = low + i
        rest, many = n, 1
        divisors[0] = 1
        at = -1
        while rest > 1:
            p = rest
            while at < primes.shape[0]:
                q = 2 if at < 0 else int(primes[at])
                if q * q > rest:
                    break
                if rest % q == 0:
                    p = q
                    break
                at += 1
            had, power = many, np.int64(1)
            while rest % p == 0:
                rest //= p
                power *= p
                for t in range(had):
                    divisors[many] = divisors[t] * power
                    many += 1
        reached = np.uint64(0)
        for t in range(many):
            if 1 < divisors[t] < n:
                reached |= np.uint64(1) << np.uint64(closed_form(n - divisors[t], table))
        v = 0
        while (reached >> np.uint64(v)) & np.uint64(1):
            v += 1
        values[i] = v


@kernel("void(uint8[::1], int64, int64)")
def search_digits(values: U8, low: int, first: int) -> None:
    """Values of Digit Subtraction Duel from place `first` on, values[i] that of low + i."""
    for i in range(first, values.shape[0]):
        rest = low + i
        reached = 0
        while rest > 0:
            d = rest % 10
            rest //= 10
            if d:
                reached |= 1 << values[i - d]
        v = 0
        while (reached >> v) & 1:
            v += 1
        values[i] = v
