"""Whole numbers at any size: numerals, primes, factors, divisors, digits.

For a quick first prompt, python-flint is loaded for the first number that is not small.
"""

from numduel.arithmetic.factors import count_divisors, divisors_up, factor
from numduel.arithmetic.numerals import MAX_DIGITS, count_digits, digits_of, read_number
from numduel.arithmetic.primes import (
    MOST_REMEMBERED,
    is_prime,
    is_prime_nearby,
    prime_count,
    primes_down,
    primes_up,
    prove_prime,
)

__all__ = [
    "MAX_DIGITS",
    "MOST_REMEMBERED",
    "count_digits",
    "count_divisors",
    "digits_of",
    "divisors_up",
    "factor",
    "is_prime",
    "is_prime_nearby",
    "prime_count",
    "primes_down",
    "primes_up",
    "prove_prime",
    "read_number",
]
