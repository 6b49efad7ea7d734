"""Primes below 3.3 * 10^24 in plain Python, without python-flint."""

from __future__ import annotations

from typing import Final

WITNESSES: Final = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


def is_prime(n: int) -> bool:
    """Primality below 3.3 * 10^24: Miller and Rabin's test to twelve bases.

    No composite below 318665857834031151167461 passes all twelve (Sorenson and Webster 2015).
    """
    if n < 2:
        return False
    for p in WITNESSES:
        if n % p == 0:
            return n == p
    twos = ((n - 1) & (1 - n)).bit_length() - 1
    for base in WITNESSES:
        x = pow(base, (n - 1) >> twos, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True
