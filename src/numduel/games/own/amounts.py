"""What one clause of an own rule allows: amounts in order, counted, and tested one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from math import isqrt
from typing import Protocol

from numduel.arithmetic import (
    count_divisors,
    digits_of,
    divisors,
    divisors_up,
    is_prime,
    prime_count,
    primes_down,
    primes_up,
)


class Amounts(Protocol):
    """The amounts that may be taken away from a number."""

    @property
    def fixed(self) -> bool:
        """Are they the same at every number, but for those that are too large for it?"""

    def up(self, n: int) -> Iterator[int]:
        """Those that can be taken from `n`, smallest first, as they are asked for."""

    def down(self, n: int) -> Iterator[int]:
        """The same, largest first."""

    def has(self, n: int, amount: int) -> bool:
        """Can `amount` be taken from `n`?"""

    def count(self, n: int) -> int | None:
        """How many there are; None where counting is not cheap."""


class Series:
    """A rising series, by its k-th term (from 1) and by how many terms are at most n."""

    fixed = True

    def __init__(self, term: Callable[[int], int], terms_to: Callable[[int], int]) -> None:
        self._term = term
        self.count = terms_to

    def up(self, n: int) -> Iterator[int]:
        return map(self._term, range(1, self.count(n) + 1))

    def down(self, n: int) -> Iterator[int]:
        return map(self._term, range(self.count(n), 0, -1))

    def has(self, n: int, amount: int) -> bool:
        return 0 < amount <= n and self._term(self.count(amount)) == amount


class Primes:
    """The primes."""

    fixed = True

    def up(self, n: int) -> Iterator[int]:
        return primes_up(n)

    def down(self, n: int) -> Iterator[int]:
        return primes_down(n)

    def has(self, n: int, amount: int) -> bool:
        return amount <= n and is_prime(amount)

    def count(self, n: int) -> int | None:
        return prime_count(n)


class Digits:
    """The number's own digits, but not 0."""

    fixed = False

    def up(self, n: int) -> Iterator[int]:
        return iter(sorted(set(digits_of(n)) - {0}))

    def down(self, n: int) -> Iterator[int]:
        return reversed(list(self.up(n)))

    def has(self, n: int, amount: int) -> bool:
        return amount > 0 and amount in digits_of(n)

    def count(self, n: int) -> int:
        return len(set(digits_of(n)) - {0})


class Divisors:
    """The number's divisors, with or without the number itself."""

    fixed = False

    def __init__(self, proper: bool) -> None:
        self._proper = proper

    def up(self, n: int) -> Iterator[int]:
        if n == 0 or (n == 1 and self._proper):
            return iter(())
        last = () if n == 1 or self._proper else (n,)
        return chain((1,), divisors_up(n), last)

    def down(self, n: int) -> Iterator[int]:
        return (n // d for d in divisors(n) if d > 1 or not self._proper) if n else iter(())

    def has(self, n: int, amount: int) -> bool:
        return 0 < amount <= n - self._proper and n % amount == 0

    def count(self, n: int) -> int:
        return count_divisors(n) - self._proper if n else 0


class Listed:
    """Amounts that the rule itself names."""

    fixed = True

    def __init__(self, amounts: tuple[int, ...]) -> None:
        self.amounts = amounts
        self._known = frozenset(amounts)

    def up(self, n: int) -> Iterator[int]:
        return (amount for amount in self.amounts if amount <= n)

    def down(self, n: int) -> Iterator[int]:
        return (amount for amount in reversed(self.amounts) if amount <= n)

    def has(self, n: int, amount: int) -> bool:
        return amount <= n and amount in self._known

    def count(self, n: int) -> int:
        return sum(1 for _ in self.up(n))


class Divided:
    """What dividing by one of some numbers takes away, where it leaves no remainder."""

    fixed = False

    def __init__(self, divisors: tuple[int, ...]) -> None:
        self.divisors = divisors

    def up(self, n: int) -> Iterator[int]:
        return (n - n // k for k in self.divisors if n and n % k == 0)

    def down(self, n: int) -> Iterator[int]:
        return reversed(list(self.up(n)))

    def has(self, n: int, amount: int) -> bool:
        left = n - amount
        return 0 < left < n and n % left == 0 and n // left in self.divisors

    def count(self, n: int) -> int:
        return sum(1 for _ in self.up(n))


def _cube_root(n: int) -> int:
    from flint import fmpz

    return int(fmpz(n).root(3))


def _fibonacci(k: int) -> int:
    """1, 2, 3, 5, 8, ..."""
    from flint import fmpz

    return int(fmpz.fib_ui(k + 1))


def _fibonacci_to(n: int) -> int:
    """The terms grow by the golden ratio, so the place of n is known to within two."""
    k = max(0, int(n.bit_length() * 1.4404) - 3)
    while _fibonacci(k + 1) <= n:
        k += 1
    return k


WORDS: dict[str, Amounts] = {
    "any": Series(lambda k: k, lambda n: n),
    "square": Series(lambda k: k * k, isqrt),
    "cube": Series(lambda k: k**3, _cube_root),
    "prime": Primes(),
    "digit": Digits(),
    "divisor": Divisors(proper=False),
    "proper-divisor": Divisors(proper=True),
    "power-of-2": Series(lambda k: 1 << (k - 1), int.bit_length),
    "fibonacci": Series(_fibonacci, _fibonacci_to),
    "triangular": Series(lambda k: k * (k + 1) // 2, lambda n: (isqrt(8 * n + 1) - 1) // 2),
}
"""The words of the grammar, in the order of the canonical text. Nothing else is read."""
