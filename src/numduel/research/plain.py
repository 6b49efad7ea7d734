"""Plain compiled search: the same rows as the block kernels give, found another way.

For `numduel check`. It shares nothing with what made the rows, and uses neither the local rule nor
any list. Five to fifty times slower than the kernels. What lies below a block is taken as the
claims take it: that the rare values have no more numbers than those seen below FAR.
"""

import hashlib
from collections.abc import Callable, Iterator
from functools import cache, partial
from math import isqrt
from typing import Any, Final

import numpy as np

from numduel.errors import ClaimFails
from numduel.research import searches
from numduel.research.searches import I64, U8, U64

Row = dict[str, Any]
BELOW: Final = 7680
"""A row has the hash of this many values below its block and at its end."""
SEGMENT: Final = 1 << 22
BASE: Final = 1 << 16
"""Below, values of Subtract a Prime are found over all moves."""
FAR: Final = 1 << 22
"""Below, they are searched once and kept: a value is looked for at these numbers, too."""
LONGEST: Final = 7000
"""The largest prime that a search tries one by one."""
FEW: Final = 10
LISTED: Final = 2000
NONE: Final = 16
"""Stands for a value that is not known yet."""


def losses_row(start: int, stop: int, mark: str = "hash") -> Row:
    """The row of `even-losses`. It has `fails` where the claim does."""
    counts, factors = _tables(lambda r, lost: _factor(r // 2) if lost else 0)
    hashed, total, rest = hashlib.sha256(), 0, np.zeros(0, dtype=np.uint8)
    try:
        for first, lost in _lost(start, stop):
            total += searches.weigh(lost, first, factors, counts)
            if mark == "hash":
                bits = np.concatenate((rest, lost))
                whole = len(bits) // 8 * 8
                hashed.update(np.packbits(bits[:whole], bitorder="little").data)
                rest = bits[whole:]
    except ClaimFails as error:
        return {"fails": error.number}
    hashed.update(np.packbits(rest, bitorder="little").data)
    return {"losses": int(counts[:, 1].sum()), mark: _marks(hashed, total)[mark]}


def values_row(start: int, stop: int, mark: str = "hash") -> Row:
    """The row of the claim on values of Subtract a Prime: each value by search."""
    counts, factors = _tables(lambda r, v: sum(_factor(4 * r + b) for b in range(4) if v >> b & 1))
    hashed, total, enters = hashlib.sha256(), 0, ""
    last: U8 = np.zeros(0, dtype=np.uint8)
    for first, values in _values(max(0, start - BELOW), stop):
        inside = values[max(0, start - first) :]
        if not enters and len(inside):
            enters = _digest(np.concatenate((last, values[: max(0, start - first)]))[-BELOW:])
        if mark == "hash":
            hashed.update(inside.data)
        total += searches.weigh(inside, max(start, first), factors, counts)
        last = np.concatenate((last, values[-BELOW:]))[-BELOW:]
    return {
        "even": counts[0, :12].tolist(),
        "odd": counts[1, :12].tolist(),
        mark: _marks(hashed, total)[mark],
        "enters": enters,
        "leaves": _digest(last),
    }


losses_fingerprint = partial(losses_row, mark="fingerprint")
values_fingerprint_row = partial(values_row, mark="fingerprint")
"""The same with a fingerprint for the hash, as rows from a GPU have it."""


def digits_row(start: int, stop: int) -> Row:
    """The row of `digit-first-occurrence`: plain mex, from the ten in which the block begins."""
    hashed, counts = hashlib.sha256(), np.zeros(10, dtype=np.int64)
    ten = start // 10 * 10
    window: U8 = np.array(_nine_before(ten), dtype=np.uint8)
    for at, size in _segments(ten, stop):
        window = np.concatenate((window[-9:], np.zeros(size, dtype=np.uint8)))
        searches.search_digits(window, at - 9, 9)
        inside = window[9 + max(0, start - at) : 9 + stop - at]
        counts += np.bincount(inside, minlength=10)
        hashed.update(inside.data)
    return {"values": counts.tolist(), "hash": hashed.hexdigest()[:32]}


def _segments(start: int, stop: int) -> Iterator[tuple[int, int]]:
    """[start, stop) cut into (first number, how many): an even number of them, one beyond stop."""
    for at in range(start, stop, SEGMENT):
        yield at, min(SEGMENT, stop + stop % 2 - at)


def _marks(hashed: Any, total: int) -> dict[str, str]:
    return {"hash": hashed.hexdigest()[:32], "fingerprint": f"{total % 2**64:016x}"}


def _digest(values: U8) -> str:
    return hashlib.sha256(values.tobytes()).hexdigest()[:32]


def _factor(j: int) -> int:
    return pow(2654435769, j + 1, 1 << 32)


def _tables(factor: Callable[[int, int], int]) -> tuple[I64, U64]:
    """Counts by parity and value, all 0, and the factors by residue mod 210 and value."""
    factors = [[factor(r, value) for value in range(16)] for r in range(210)]
    return np.zeros((2, 16), dtype=np.int64), np.array(factors, dtype=np.uint64)


def _odd_primes(limit: int) -> I64:
    """The odd primes up to limit, by the sieve of Eratosthenes."""
    odd = np.ones((limit + 1) // 2, dtype=np.bool_)
    odd[:1] = False
    for p in range(3, isqrt(limit) + 1, 2):
        if odd[p // 2]:
            odd[p * p // 2 :: p] = False
    found: I64 = 2 * np.flatnonzero(odd) + 1
    return found


@cache
def _first_values() -> U8:
    """g(n) for n < BASE, over all moves."""
    values: U8 = np.zeros(BASE, dtype=np.uint8)
    searches.search_all(values, _odd_primes(BASE))
    return values


def _lost(start: int, stop: int) -> Iterator[tuple[int, U8]]:
    """The lost numbers of a block in segments: the first number, and a 1 for each that is lost.

    A walk by twos, and a winning prime for each even number. The walk begins 15360 below the
    block. Whether the first number there is lost is a guess, which the walk forgets at the first
    number that wins at once; evens below the block are only filled in.
    """
    roots, primes = _odd_primes(isqrt(stop + 2) + 1), _odd_primes(LONGEST)
    known = _first_values() == 0
    evens: I64 = 2 * np.flatnonzero(known[::2])
    lost: U8 = np.zeros(BELOW, dtype=np.uint8)
    walked = max(BELOW, start - start % 2 - BELOW)
    if walked == BELOW:
        lost[:] = known[:BELOW]
        yield start, lost[start:stop]
    for at, size in _segments(walked, stop):
        lost = np.concatenate((lost[-BELOW:], np.zeros(size, dtype=np.uint8)))
        odd = searches.flag_primes(at - BELOW + 1, at + size, roots)
        failed = searches.search_losses(lost, odd, at - BELOW, BELOW, primes, evens, start)
        if failed >= 0:
            raise ClaimFails(number=failed)
        first = max(at, start)
        yield first, lost[BELOW + first - at : BELOW + stop - at]


class _Search:
    """Values of Subtract a Prime, searched for with the help of those of small numbers."""

    def __init__(self, small: U8, top: int) -> None:
        self._roots, self._primes = _odd_primes(isqrt(top) + 1), _odd_primes(LONGEST)
        self._far = len(small)
        found = [
            2 * np.flatnonzero(small[odd::2] == v) + odd for odd in range(2) for v in range(16)
        ]
        common = [len(numbers) > FEW for numbers in found]
        self._common: U8 = np.array(common, dtype=np.uint8).reshape(2, 16)
        rows = [numbers[:LISTED] for numbers in found]
        self._begin: I64 = np.cumsum([0, *map(len, rows)])
        self._places: I64 = np.concatenate(rows)

    def after(self, window: U8, low: int, size: int) -> U8:
        """BELOW values before low, then those from low on; low and size are even."""
        found = np.concatenate((window[-BELOW:], np.zeros(size, dtype=np.uint8)))
        flags = searches.flag_primes(max(1, low - BELOW - self._far + 1), low + size, self._roots)
        searches.search_values(
            found, flags, low - BELOW, BELOW, self._primes, self._common, self._begin, self._places
        )
        return found

    def before(self, low: int) -> U8:
        """The BELOW values before an even number far out, whatever lies below them.

        There are four ways to begin after a 23 mod 30: is g(n-2) the first choice of the next even
        number, and of the next odd one? (g(n-5) matters at 18 and 23.) They soon come together.
        """
        back = 2 * BELOW
        while True:
            first = low - back - (low - back - 24) % 30
            window: U8 = np.full(BELOW, NONE, dtype=np.uint8)
            even, odd = self.after(window, first, 2)[-2:].tolist()
            ways = []
            for choice in ((NONE, NONE), (even, NONE), (NONE, odd), (even, odd)):
                window[-2:] = choice
                ways.append(self.after(window, first, low - first)[-BELOW:])
            if all(np.array_equal(ways[0], way) for way in ways):
                return ways[0]
            back *= 2


@cache
def _small_values() -> U8:
    """g(n) for n < FAR: from BASE on by search, with the help of those below."""
    first = _first_values()
    return np.concatenate((first[:-BELOW], _Search(first, FAR).after(first, BASE, FAR - BASE)))


def _values(start: int, stop: int) -> Iterator[tuple[int, U8]]:
    """The values of a range in segments: the first number, and the values from there on."""
    small = _small_values()
    if start < FAR:
        yield start, small[start:stop]
    low = max(FAR, start - start % 2)
    if low >= stop:
        return
    search = _Search(small, stop + 2)
    window = small if low == FAR else search.before(low)
    for at, size in _segments(low, stop):
        window = search.after(window, at, size)
        first = max(start, at)
        yield first, window[BELOW + first - at : BELOW + stop - at]


def _nine_before(tens: int) -> tuple[int, ...]:
    """The values of the nine numbers before a multiple of ten in Digit Subtraction Duel."""
    nine: tuple[int, ...] = (NONE,) * 9
    leading, text = 0, str(tens)
    for place, digit in enumerate(map(int, text[:-1]), 1):
        for lower in range(digit):
            nine = _nine_after(len(text) - place, leading | 1 << lower, nine)
        leading |= 1 << digit
    return nine


@cache
def _nine_after(size: int, leading: int, nine: tuple[int, ...]) -> tuple[int, ...]:
    """The nine values at the end of 10^size numbers; bits of `leading` are their leading digits."""
    for digit in range(10):
        digits = leading | 1 << digit
        if size > 1:
            nine = _nine_after(size - 1, digits, nine)
        else:
            reached = {nine[-d] for d in range(1, 10) if digits >> d & 1}
            nine = (*nine[1:], next(v for v in range(10) if v not in reached))
    return nine
