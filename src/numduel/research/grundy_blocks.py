"""Block kernels for the values of Subtract a Prime: a guess by the rule, a proof by witnesses.

The guess comes from the kernels of `numduel.ranges`, the proof from `witnesses`. What a block
proves: if the values below `start` are known, those of the BELOW numbers under it have the hash
`enters`, and values below keep their classes, then the values of the block are the ones
hashed, and they keep their classes too; `leaves` is the next block's `enters`. A run of blocks
from 0, each entering as the one before leaves, is an induction.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Final

import numpy as np

from numduel.arithmetic.miller_rabin import is_prime
from numduel.errors import ClaimFails
from numduel.ranges import grundy, grundy_segments
from numduel.ranges.kernel import I64, U8
from numduel.research import witnesses
from numduel.research.blocks import HASH_DIGITS, Row, digest
from numduel.research.flags import OddFlags, plain_primes
from numduel.research.witnesses import BASE, BELOW, known_values, stranger, tally, unproved

GAME: Final = "subtract-a-prime"
PIECE: Final = 2048 * 1920
FAR: Final = 1 << 20
"""Rare values are looked for among the numbers below, too: their places are listed."""
FARTHER: Final = 1 << 24
LISTED: Final = 2000
STRIP: Final = 1 << 18
"""Flags that are sieved at a time, to stay in the cache."""


@cache
def places(limit: int, listed: int) -> tuple[I64, I64]:
    """Numbers below limit by parity and value, at most `listed` each, as `unproved` reads them.

    That they have these values is part of what a block takes from the blocks below.
    """
    values = grundy(GAME, 0, limit)
    rows = [
        2 * np.flatnonzero(values[parity::2] == v)[:listed] + parity
        for parity in range(2)
        for v in range(16)
    ]
    begin = np.cumsum([0] + [len(row) for row in rows]).astype(np.int64)
    return begin, np.concatenate(rows).astype(np.int64)


def has_witnesses(n: int, missing: int) -> bool:
    """Does n reach all values of the mask by a prime that leaves a number below FARTHER?"""
    begin, found = places(FARTHER, 50 * LISTED)
    for v in range(16):
        row = 16 * (1 - n % 2) + v
        if missing >> v & 1 and not any(
            e < n and is_prime(n - e) for e in found[begin[row] : begin[row + 1]].tolist()
        ):
            return False
    return True


class Ledger:
    """Counts, hash and last values of one block, whose values come piece by piece."""

    def __init__(self, start: int, stop: int) -> None:
        self.start, self.stop = start, stop
        self._counts: I64 = np.zeros((2, 16), dtype=np.int64)
        self._hash = hashlib.sha256()
        self._last = grundy(GAME, max(0, start - BELOW), start)
        self._enters = digest(self._last)

    def add(self, low: int, values: U8) -> None:
        """Take the values from low on; only those of the block count."""
        first = max(self.start - low, 0)
        inside = values[first : max(self.stop - low, 0)]
        tally(inside, self._counts, (low + first) % 2)
        self._hash.update(inside.data)
        self._last = np.concatenate((self._last, inside[-BELOW:]))[-BELOW:]

    def row(self) -> Row:
        """The row of the block."""
        return {
            "even": self._counts[0, :12].tolist(),
            "odd": self._counts[1, :12].tolist(),
            "hash": self._hash.hexdigest()[:HASH_DIGITS],
            "enters": self._enters,
            "leaves": digest(self._last),
        }


class Prover:
    """Shows values right from an even number on, piece after piece; see `witnesses`."""

    def __init__(self, limit: int, local_rule: bool = False) -> None:
        self._local_rule = local_rule
        self._sieve = OddFlags(limit)
        self._primes = plain_primes(2000)
        self._pending: I64 = np.empty((1 << 12, 2), dtype=np.int64)

    def _flags(self, start: int, stop: int) -> U8:
        flags: U8 = np.empty((stop - start + 1) // 2, dtype=np.uint8)
        for at in range(0, len(flags), STRIP):
            self._sieve.fill(flags[at : at + STRIP], start + 2 * at)
        return flags

    def show(self, values: U8, low: int, known: bool = False) -> None:
        """Show the values from low + BELOW on; low is even, and so is their number.

        With `known`, the values are known by definition, and only the rule is looked at.
        """
        flags = self._flags(max(1, low - FAR + 1), low + len(values))
        wrong, broken, many = unproved(
            values, flags, low, self._primes, witnesses.EXCEPTIONS, witnesses.CLASSES,
            witnesses.ALWAYS, witnesses.IF_FIVE, *places(FAR, LISTED), self._pending,
        )  # fmt: skip
        if broken >= 0 and self._local_rule:
            raise ClaimFails(number=broken)
        if known:
            return
        lacking = (n for n, mask in self._pending[:many].tolist() if not has_witnesses(n, mask))
        number = wrong if wrong >= 0 else next(lacking, -1)
        if number >= 0 or many == len(self._pending):
            raise ClaimFails(number=number if number >= 0 else low + BELOW)


def _begin(prover: Prover, ledger: Ledger) -> None:
    """The numbers below BASE: by definition, each within its class or a listed exception."""
    values = known_values()
    number = stranger(values)
    if number is not None:
        raise ClaimFails(number=number)
    prover.show(values, 0, known=True)
    ledger.add(0, values)


def _block(start: int, stop: int, local_rule: bool = False) -> Row:
    ledger, prover = Ledger(start, stop), Prover(max(stop + 2, BASE), local_rule)
    low, high = start - start % 2, stop + stop % 2
    if low < BASE:
        _begin(prover, ledger)
        low = BASE
    if low >= high:
        return ledger.row()
    window: U8 = np.empty(BELOW + PIECE, dtype=np.uint8)
    window[:BELOW] = known_values()[-BELOW:] if low == BASE else grundy(GAME, low - BELOW, low)
    for first, last, values in grundy_segments(GAME, low, high, PIECE):
        size = last - first
        window[BELOW : BELOW + size] = values
        prover.show(window[: BELOW + size], first - BELOW)
        ledger.add(first, values)
        window[:BELOW] = window[size : size + BELOW].copy()
    return ledger.row()


def exceptions(start: int, stop: int) -> Row:
    """Subtract a Prime: outside the lists, no number has a value foreign to its parity."""
    return _block(start, stop)


def max_grundy(start: int, stop: int) -> Row:
    """Subtract a Prime: no value above 11."""
    return _block(start, stop)


def local_rule(start: int, stop: int) -> Row:
    """Subtract a Prime: from BELOW on, every value is what the local rule says."""
    return _block(start, stop, local_rule=True)
