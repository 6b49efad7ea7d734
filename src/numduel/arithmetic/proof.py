"""Primality with a proof, where a proof is affordable."""

from __future__ import annotations

from numduel.arithmetic.numerals import count_digits
from numduel.arithmetic.primes import is_prime

PROOF_DIGITS = 200
"""Primes up to this many digits are proved: about a second at the most."""


def prove_prime(n: int) -> bool | None:
    """Is `n` prime, with proof? None for a probable prime beyond `PROOF_DIGITS` digits.

    A no is always proved: the test that `is_prime` makes finds no witness
    against a prime.
    """
    if not is_prime(n):
        return False
    if n < 1 << 64:
        return True
    if count_digits(n) > PROOF_DIGITS:
        return None
    from flint import fmpz

    return bool(fmpz(n).is_prime())
