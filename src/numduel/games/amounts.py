"""What may be taken away from a number, in own rules and the five games."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import merge
from itertools import chain, groupby, islice
from math import isqrt
from typing import TypeVar

from numduel import arithmetic
from numduel.errors import TooLarge

Item = TypeVar("Item")

COUNTED = 10_000  # moves are counted and looked through one by one up to this many


def counted(moves: Iterator[int]) -> int | None:
    """How many there are; None where they are too many to count."""
    found = sum(1 for _ in islice(moves, COUNTED + 1))
    return found if found <= COUNTED else None


def named(moves: Iterator[Item], most: int) -> tuple[list[Item], TooLarge | None]:
    """The first moves, at most so many, and what kept it from naming more, if anything did."""
    found: list[Item] = []
    try:
        for move in islice(moves, most):
            found.append(move)  # noqa: PERF402 - what came before an error counts
    except TooLarge as error:
        return found, error
    return found, None


class Amounts:
    fixed = False  # are they the same at every number, but for those that are too large for it?

    def up(self, n: int) -> Iterator[int]:
        """Those that can be taken from `n`, smallest first, as they are asked for."""
        raise NotImplementedError

    def down(self, n: int) -> Iterator[int]:
        """The same, largest first."""
        return reversed(list(self.up(n)))

    def none(self, n: int) -> bool:
        return next(self.up(n), None) is None

    def has(self, n: int, amount: int) -> bool:
        return amount in self.up(n)

    def count(self, n: int) -> int | None:
        """How many there are; None where counting is not cheap."""
        return counted(self.up(n))


class Terms(Amounts):
    """A rising series, by its k-th term (from 1) and by how many terms are at most n."""

    fixed = True

    def __init__(self, term: Callable[[int], int], terms_to: Callable[[int], int]) -> None:
        self._term = term
        self._terms_to = terms_to

    def up(self, n: int) -> Iterator[int]:
        return map(self._term, range(1, self._terms_to(n) + 1))

    def down(self, n: int) -> Iterator[int]:
        return map(self._term, range(self._terms_to(n), 0, -1))

    def has(self, n: int, amount: int) -> bool:
        return 0 < amount <= n and self._term(self._terms_to(amount)) == amount

    def count(self, n: int) -> int:
        return self._terms_to(n)


class Primes(Amounts):
    def __init__(self, itself: bool) -> None:
        self.fixed = itself
        self._less = int(not itself)

    def up(self, n: int) -> Iterator[int]:
        return arithmetic.primes_up(n - self._less)

    def down(self, n: int) -> Iterator[int]:
        return arithmetic.primes_down(n - self._less)

    def has(self, n: int, amount: int) -> bool:
        return amount <= n - self._less and arithmetic.is_prime(amount)

    def count(self, n: int) -> int | None:
        return arithmetic.prime_count(n - self._less)


class Divisors(Amounts):
    """The number's divisors, with or without 1 and itself; all, or k times those of a part m."""

    def __init__(
        self, one: bool, itself: bool, part: Callable[[int], tuple[int, int]] = lambda n: (1, n)
    ) -> None:
        self._one, self._itself, self._part = one, itself, part

    def _counts(self, n: int, amount: int) -> bool:
        return (not self._one) < amount <= n - (not self._itself)

    def up(self, n: int) -> Iterator[int]:
        k, m = self._part(n)
        try:
            yield from (k * d for d in _all_divisors(m) if self._counts(n, k * d))
        except TooLarge:
            if self._counts(n, k * m):  # it can be named even where some before it cannot
                yield k * m
            raise

    def down(self, n: int) -> Iterator[int]:
        k, m = self._part(n)
        return (k * (m // d) for d in _all_divisors(m) if self._counts(n, k * (m // d)))

    def has(self, n: int, amount: int) -> bool:
        k, m = self._part(n)
        return self._counts(n, amount) and m > 0 and amount % k == 0 and k * m % amount == 0

    def count(self, n: int) -> int:
        k, m = self._part(n)
        left_out = sum(not self._counts(n, k * end) for end in {1, m})
        return arithmetic.count_divisors(m) - left_out if m else 0


def _all_divisors(m: int) -> Iterator[int]:
    return chain((1,), arithmetic.divisors_up(m), (m,)) if m > 1 else iter(range(1, m + 1))


class Few(Amounts):
    """Those that a function lists, in order: they are never many."""

    def __init__(self, listed: Callable[[int], Iterable[int]]) -> None:
        self._listed = listed

    def up(self, n: int) -> Iterator[int]:
        return iter(self._listed(n))


class Listed(Amounts):
    fixed = True

    def __init__(self, amounts: tuple[int, ...]) -> None:
        self._amounts = amounts
        self._known = frozenset(amounts)

    def up(self, n: int) -> Iterator[int]:
        return (amount for amount in self._amounts if amount <= n)

    def has(self, n: int, amount: int) -> bool:
        return amount <= n and amount in self._known


class Divided(Amounts):
    """What dividing by one of some numbers takes away, where it leaves no remainder."""

    def __init__(self, divisors: tuple[int, ...]) -> None:
        self._divisors = divisors

    def up(self, n: int) -> Iterator[int]:
        return (n - n // k for k in self._divisors if n and n % k == 0)

    def has(self, n: int, amount: int) -> bool:
        left = n - amount
        return 0 < left < n and n % left == 0 and n // left in self._divisors


class AnyOf(Amounts):
    """What one of several kinds allows, each amount once."""

    def __init__(self, kinds: Sequence[Amounts]) -> None:
        self._kinds = kinds
        self.fixed = all(kind.fixed for kind in kinds)

    def up(self, n: int) -> Iterator[int]:
        return (amount for amount, _ in groupby(merge(*(kind.up(n) for kind in self._kinds))))

    def down(self, n: int) -> Iterator[int]:
        merged = merge(*(kind.down(n) for kind in self._kinds), reverse=True)
        return (amount for amount, _ in groupby(merged))

    def none(self, n: int) -> bool:
        return all(kind.none(n) for kind in self._kinds)

    def has(self, n: int, amount: int) -> bool:
        return any(kind.has(n, amount) for kind in self._kinds)


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


PRIMES, SMALLER_PRIMES = Primes(itself=True), Primes(itself=False)
DIGITS = Few(lambda n: sorted(set(arithmetic.digits_of(n)) - {0}))

WORDS: dict[str, Amounts] = {  # in the order of the canonical text; nothing else is read
    "any": Terms(lambda k: k, lambda n: n),
    "square": Terms(lambda k: k * k, isqrt),
    "cube": Terms(lambda k: k**3, _cube_root),
    "prime": PRIMES,
    "digit": DIGITS,
    "divisor": Divisors(one=True, itself=True),
    "proper-divisor": Divisors(one=True, itself=False),
    "power-of-2": Terms(lambda k: 1 << (k - 1), int.bit_length),
    "fibonacci": Terms(_fibonacci, _fibonacci_to),
    "triangular": Terms(lambda k: k * (k + 1) // 2, lambda n: (isqrt(8 * n + 1) - 1) // 2),
}
