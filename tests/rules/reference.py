"""The rules again, as plainly as they can be said, to compare the games with."""

from __future__ import annotations


def is_prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))


def primes_up_to(n: int) -> list[int]:
    return [p for p in range(2, n + 1) if is_prime(p)]


def proper_divisors(n: int) -> list[int]:
    return [d for d in range(2, n) if n % d == 0]


MOVES = {
    "subtract-a-prime": primes_up_to,
    "prime-subtractor": lambda n: primes_up_to(n - 1),
    "prime-subtractor,opening=any": primes_up_to,
    "divisor-duel": proper_divisors,
    "divisor-duel,divisors=even": lambda n: [d for d in proper_divisors(n) if d % 2 == 0],
    "divisor-duel,divisors=odd": lambda n: [d for d in proper_divisors(n) if d % 2 == 1],
    "divisor-duel,divisors=prime": lambda n: [d for d in proper_divisors(n) if is_prime(d)],
    "power-play": lambda n: [p for p in primes_up_to(n) if n % p == 0],
    "digit-subtraction-duel": lambda n: [d for d in range(1, 10) if str(d) in str(n)],
}
"""Game and variant to the legal moves at n."""


def board_text(rule: str, n: int) -> str:
    """`divisor-duel,divisors=even` at 60 is `divisor-duel:60,divisors=even`."""
    key, comma, variant = rule.partition(",")
    return f"{key}:{n}{comma}{variant}"
