"""Plain compiled search: the same rows as the block kernels give, found another way.

For `numduel check`. The primes come from `flags`, outcomes and values number by number:
a number's moves are tried one after the other until the answer is there. Five to fifty times slower
than the kernels, and short enough to be read in one go. Where a search needs
what lies just below its block, it takes that from below, as the claims do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from math import isqrt
from typing import Final

import numpy as np

from numduel.errors import ClaimFails
from numduel.gpu.fingerprint import fingerprint, text, values_fingerprint
from numduel.ranges import grundy
from numduel.ranges.kernel import I64, U8
from numduel.research.blocks import EVEN_LOSSES, HASH_DIGITS, BitHash, Row, count_bits, digest
from numduel.research.divisor_blocks import small_odd_parts
from numduel.research.flags import OddFlags, plain_primes
from numduel.research.searches import (
    search_digits,
    search_divisors,
    search_losses,
    search_values,
)
from numduel.research.witnesses import BASE, known_values, tally

LOOK_BACK: Final = 7680
PIECE: Final = 1 << 22
LONGEST: Final = 7000
"""The largest prime that a search tries one by one."""
FEW: Final = 10
FAR: Final = 1 << 22
LISTED: Final = 2000
NEAR: Final = 10**9
"""Blocks of Digit Subtraction Duel up to here are searched from 0 on."""


def losses_row(start: int, stop: int) -> Row:
    """The row of `even-losses`. It has `fails` where the claim does."""
    hashed, losses = BitHash(), 0
    try:
        for _, inside in _lost(start, stop):
            bits = np.packbits(inside, bitorder="little")
            losses += count_bits(bits)
            hashed.add(bits, len(inside))
    except ClaimFails as error:
        return {"fails": error.number}
    return {"losses": losses, "hash": hashed.digest()}


def losses_fingerprint(start: int, stop: int) -> Row:
    """The same with a fingerprint for the hash, as rows from a GPU have it."""
    losses = total = 0
    try:
        for first, inside in _lost(start, stop):
            lost = np.flatnonzero(inside).astype(np.uint64) + np.uint64(first)
            losses += len(lost)
            total += fingerprint(lost)
    except ClaimFails as error:
        return {"fails": error.number}
    return {"losses": losses, "fingerprint": text(total)}


def _lost(start: int, stop: int) -> Iterator[tuple[int, U8]]:
    """The lost numbers of a block in pieces: the first number, and a 1 for each that is lost.

    A walk by twos, and a winning prime for each even number. The walk begins 15360 below the
    block. Whether the first number there is lost is a guess, which the walk forgets at the first
    number that wins at once; evens below the block are only filled in.
    """
    sieve, primes = OddFlags(stop + 2), plain_primes(LONGEST)
    evens = np.array(EVEN_LOSSES, dtype=np.int64)
    low = max(0, start - start % 2 - 2 * LOOK_BACK)
    lost: U8 = np.zeros(LOOK_BACK, dtype=np.uint8)
    if low == 0:
        lost[:] = known_values()[:LOOK_BACK] == 0
        yield start, lost[start:stop]
    while low + LOOK_BACK < stop:
        size = min(PIECE, stop + stop % 2 - low - LOOK_BACK)
        lost = np.concatenate((lost[-LOOK_BACK:], np.zeros(size, dtype=np.uint8)))
        odd: U8 = np.empty(len(lost) // 2, dtype=np.uint8)
        sieve.fill(odd, low + 1)
        failed = search_losses(lost, odd, low, LOOK_BACK, primes, evens, start)
        if failed >= 0:
            raise ClaimFails(number=failed)
        first = low + LOOK_BACK
        begin = max(first, start)
        yield begin, lost[LOOK_BACK + begin - first : max(0, stop - low)]
        low += size


@cache
def _places() -> tuple[U8, I64, I64]:
    """Which values are common at either parity, and up to LISTED numbers below FAR of each."""
    table = grundy("subtract-a-prime", 0, FAR)
    common: U8 = np.zeros((2, 16), dtype=np.uint8)
    rows = []
    for parity in range(2):
        for v in range(16):
            have = 2 * np.flatnonzero(table[parity::2] == v) + parity
            common[parity, v] = len(have) > FEW
            rows.append(have[:LISTED])
    begin = np.cumsum([0] + [len(row) for row in rows]).astype(np.int64)
    return common, begin, np.concatenate(rows).astype(np.int64)


def values_row(start: int, stop: int) -> Row:
    """The row of the claims on values of Subtract a Prime: each value by search, from 0 up."""
    hashed = hashlib.sha256()
    row = _searched_row(start, stop, lambda _, inside: hashed.update(inside.data))
    return {**row, "hash": hashed.hexdigest()[:HASH_DIGITS]}


def values_fingerprint_row(start: int, stop: int) -> Row:
    """The same with a fingerprint for the hash, as rows from a GPU have it."""
    marks: list[int] = []
    row = _searched_row(
        start, stop, lambda first, inside: marks.append(values_fingerprint(first, inside))
    )
    return {**row, "fingerprint": text(sum(marks))}


def _searched_row(start: int, stop: int, mark: Callable[[int, U8], None]) -> Row:
    counts: I64 = np.zeros((2, 16), dtype=np.int64)
    last = grundy("subtract-a-prime", max(0, start - LOOK_BACK), start)
    enters = digest(last)
    for first, inside in _values(start, stop):
        tally(inside, counts, first % 2)
        mark(first, inside)
        last = np.concatenate((last, inside[-LOOK_BACK:]))[-LOOK_BACK:]
    return {
        "even": counts[0, :12].tolist(),
        "odd": counts[1, :12].tolist(),
        "enters": enters,
        "leaves": digest(last),
    }


def _values(start: int, stop: int) -> Iterator[tuple[int, U8]]:
    """The values of a block in pieces: the first number, and the values from there on.

    No rule and no list of exceptions: a value that is not close below is looked for at small
    numbers e that have it, with n-e prime. Those, and the 7680 values below the block, are taken
    from the kernels.
    """
    sieve, primes = OddFlags(max(stop + 2, BASE)), plain_primes(LONGEST)
    common, begin, places = _places()
    low = start - start % 2
    if low < BASE:
        yield start, known_values()[start:stop].copy()
        low = BASE
        window = known_values()[-LOOK_BACK:]
    else:
        window = grundy("subtract-a-prime", low - LOOK_BACK, low)
    while low < stop:
        size = min(PIECE, stop + stop % 2 - low)
        window = np.concatenate((window[-LOOK_BACK:], np.zeros(size, dtype=np.uint8)))
        begins = max(1, low - LOOK_BACK - FAR + 1)
        flags: U8 = np.empty((low + size - begins + 1) // 2, dtype=np.uint8)
        sieve.fill(flags, begins)
        search_values(window, flags, low - LOOK_BACK, LOOK_BACK, primes, common, begin, places)
        first = max(start, low)
        yield first, window[LOOK_BACK + first - low : LOOK_BACK + min(size, stop - low)]
        low += size


def _row_of(values: U8, counted: int) -> Row:
    counts = np.bincount(values, minlength=counted)
    return {"values": counts.tolist(), "hash": digest(values)}


def divisor_row(start: int, stop: int) -> Row:
    """The row of `divisor-grundy`: every number factored by trial, mex over all its divisors."""
    values: U8 = np.zeros(stop - start, dtype=np.uint8)
    search_divisors(start, values, plain_primes(isqrt(stop)), small_odd_parts())
    return _row_of(values, 0)


def digits_row(start: int, stop: int) -> Row:
    """The row of `digit-first-occurrence`: plain mex, from 0 on where that is not too far."""
    low = 0 if start <= NEAR else start - 9
    window: U8 = np.zeros(9, dtype=np.uint8)
    if low:
        window[:] = grundy("digit-subtraction-duel", low, start)
    hashed, counts = hashlib.sha256(), np.zeros(10, dtype=np.int64)
    at = low + 9 if low else 0
    while at < stop:
        size = min(PIECE, stop - at)
        window = np.concatenate((window[-9:], np.zeros(size, dtype=np.uint8)))
        search_digits(window, at - 9, 9)
        inside = window[9 + max(0, start - at) :]
        counts += np.bincount(inside, minlength=10)
        hashed.update(inside.data)
        at += size
    return {"values": counts.tolist(), "hash": hashed.hexdigest()[:HASH_DIGITS]}
