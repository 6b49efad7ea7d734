"""Plain searches, number by number, compiled: a number's moves are tried until the answer is there.

`plain` makes the rows of blocks from them.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

F = TypeVar("F", bound=Callable[..., Any])
U8 = npt.NDArray[np.uint8]
U64 = npt.NDArray[np.uint64]
I64 = npt.NDArray[np.int64]


def compiled(signature: str) -> Callable[[F], F]:
    return cast("Callable[[F], F]", numba.njit(signature, cache=True, nogil=True))


@compiled("uint8[::1](int64, int64, int64[::1])")
def flag_primes(start: int, stop: int, odd_primes: I64) -> U8:
    """1 for each odd number from start (odd) to stop that is prime, else 0."""
    flags = np.ones((stop - start + 1) // 2, np.uint8)
    if start == 1:
        flags[0] = 0
    for p in odd_primes:
        if p * p > stop:
            break
        m = max((start + p - 1) // p | 1, p)
        for i in range((p * m - start) // 2, flags.shape[0], p):
            flags[i] = 0
    return flags


@compiled("void(uint8[::1], int64[::1])")
def search_all(values: U8, odd_primes: I64) -> None:
    """Grundy values of Subtract a Prime from 0 on, over all moves."""
    size = values.shape[0]
    reached = np.zeros((size, 16), np.bool_)
    for n in range(size):
        v = 0
        while reached[n, v]:
            v += 1
        values[n] = v
        if n + 2 < size:
            reached[n + 2, v] = True
        for p in odd_primes:
            if n + p >= size:
                break
            reached[n + p, v] = True


@compiled("int64(uint8[::1], uint8[::1], int64, int64, int64[::1], int64[::1], int64)")
def search_losses(
    lost: U8, odd: U8, low: int, first: int, primes: I64, even_losses: I64, sure: int
) -> int:
    """Fill lost[first:] (1 for lost), lost[i] being number low + i; low is even, odd as flags.

    Gives the first even number above the even losses, from `sure` on, from which no prime of the
    list wins, or -1.
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


@compiled(
    "void(uint8[::1], uint8[::1], int64, int64, int64[::1], uint8[:,::1], int64[::1], int64[::1])"
)
def search_values(
    values: U8, flags: U8, low: int, first: int, primes: I64, common: U8, begin: I64, places: I64
) -> None:
    """Fill values[first:], values[i] being that of low + i, by looking for 0, 1, 2, ... in turn.

    At n-2, at the numbers a prime of the list away (if numbers of the other parity have the value
    commonly), then among the listed small e with n-e prime. Flags end with the last odd number.
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


@compiled("void(uint8[::1], int64, int64)")
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


@compiled("uint64(uint8[::1], int64, uint64[:,::1], int64[:,::1])")
def weigh(values: U8, first: int, factors: U64, counts: I64) -> int:
    """Count the values from number `first` on by parity, and add up their weights, mod 2^64.

    The weight of n = 210 k + r is 2^(k mod 32) * factors[r, value] * (2 (k // 32) + 1).
    """
    total = np.uint64(0)
    for i in range(values.shape[0]):
        n = first + i
        counts[n % 2, values[i]] += 1
        k = n // 210
        weight = factors[n % 210, values[i]] << np.uint64(k % 32)
        total += weight * np.uint64(2 * (k // 32) + 1)
    return int(total)
