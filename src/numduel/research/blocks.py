"""The block kernels of a CPU: one block of one claim, settled and put into a small row.

A row's hash is of the block's outcomes (one bit per number, 1 for lost, the lowest bit first) or
values (one byte per number).
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from hashlib import sha256
from math import isqrt
from typing import Final

import numpy as np

from numduel.errors import ClaimFails
from numduel.gpu.values import FIRST, numbers_of
from numduel.known import LOOK_BACK
from numduel.ranges import count_bits, grundy, grundy_segments, outcomes
from numduel.ranges.kernel import I64, U8, kernel
from numduel.ranges.lines import small_primes
from numduel.research import witnesses
from numduel.research.claims import HASH_DIGITS, Row, digest, first_of
from numduel.research.low_values import has_witness, shown_values

GAME: Final = "subtract-a-prime"
OUTCOMES: Final = 1 << 28
"""Numbers whose outcomes are in memory at a time, 32 MiB; a multiple of 8."""
SEGMENT: Final = 2048 * 1920
FAR: Final = 1 << 20
"""Rare values are looked for among the numbers below, too: their places are listed."""
LISTED: Final = 2000


def even_losses(start: int, stop: int) -> Row:
    """Subtract a Prime: every even number but the five shown won, losses counted.

    Each even n above 310 of the block has a prime p with n-p lost; n-p is known to be lost if
    no even number below n but the five is. So a run of blocks from 0 is an induction.
    """
    hashed, losses = sha256(), 0
    for low in range(start, stop, OUTCOMES):
        bits = outcomes(GAME, low, min(low + OUTCOMES, stop))
        losses += count_bits(bits)
        hashed.update(bits.data)
    return {"losses": losses, "hash": hashed.hexdigest()[:HASH_DIGITS]}


def digit_first_occurrence(start: int, stop: int) -> Row:
    """Digit Subtraction Duel: no value below its place 12...v, and each place has its value."""
    hashed, counts = sha256(), np.zeros(16, dtype=np.int64)
    for low, high, values in grundy_segments("digit-subtraction-duel", start, stop):
        counts += np.bincount(values, minlength=16)
        hashed.update(values.data)
        for value in range(10):
            place = first_of(value)
            early = np.flatnonzero(values[: max(0, place - low)] == value)
            if len(early):
                raise ClaimFails(number=low + int(early[0]))
            if low <= place < high and values[place - low] != value:
                raise ClaimFails(number=place)
    return {"values": counts[:10].tolist(), "hash": hashed.hexdigest()[:HASH_DIGITS]}


def all_values(start: int, stop: int) -> Row:
    """Subtract a Prime: each value shown, and that it is usual for n or a listed exception.

    The guess comes from the kernels of `ranges`, the proof from `witnesses`. If the values below
    `start` are known and keep their classes, and those of the LOOK_BACK numbers under it have the
    hash `enters`, then the values of the block are the ones hashed, and keep their classes too;
    `leaves` is the next block's `enters`. From LOOK_BACK on each is what the local rule says.
    """
    hashed, counts = sha256(), np.zeros((2, 16), dtype=np.int64)
    last = grundy(GAME, max(0, start - LOOK_BACK), start)
    enters = digest(last)
    for low, values in _shown(start - start % 2, stop + stop % 2):
        first = max(start, low)
        inside = values[first - low : max(stop - low, 0)]
        for parity in range(2):
            counts[(first + parity) % 2] += np.bincount(inside[parity::2], minlength=16)
        hashed.update(inside.data)
        last = np.concatenate((last, inside[-LOOK_BACK:]))[-LOOK_BACK:]
    return {
        "even": counts[0, :12].tolist(),
        "odd": counts[1, :12].tolist(),
        "hash": hashed.hexdigest()[:HASH_DIGITS],
        "enters": enters,
        "leaves": digest(last),
    }


def _shown(low: int, high: int) -> Iterator[tuple[int, U8]]:
    """The values from low on to high (both even) in pieces, each with its first number: shown."""
    window = np.empty(LOOK_BACK + SEGMENT, dtype=np.uint8)
    if low < FIRST:
        yield 0, shown_values()
        low, window[:LOOK_BACK] = FIRST, shown_values()[-LOOK_BACK:]
    else:
        window[:LOOK_BACK] = grundy(GAME, low - LOOK_BACK, low)
    for first, last, values in grundy_segments(GAME, low, max(low, high), SEGMENT):
        size = last - first
        window[LOOK_BACK : LOOK_BACK + size] = values
        show(window[: LOOK_BACK + size], first - LOOK_BACK)
        yield first, values
        window[:LOOK_BACK] = window[size : size + LOOK_BACK].copy()


def show(values: U8, low: int) -> None:
    """Show the values from low + LOOK_BACK on right by `witnesses`; low is even, and their number.

    The sieve, a byte an odd number, shares nothing with that of `numduel.ranges`, so that what is
    shown does not rest on the kernels that made the guess. Raises `ClaimFails`.
    """
    pending: I64 = np.empty((1 << 12, 2), dtype=np.int64)
    stop = low + len(values)
    flags = flag_primes(max(1, low - FAR + 1), stop, _odd_primes(1 << isqrt(stop).bit_length()))
    wrong, many = witnesses.unproved(
        values, flags, low, _odd_primes(2000), witnesses.EXCEPTIONS, witnesses.CLASSES,
        witnesses.ALWAYS, witnesses.IF_FIVE, *_places(), pending,
    )  # fmt: skip
    if wrong >= 0:
        raise ClaimFails(number=wrong)
    for n, missing in pending[:many].tolist():
        if not all(has_witness(n, v) for v in range(16) if missing >> v & 1):
            raise ClaimFails(number=n)
    if many == len(pending):
        raise ClaimFails(number=low + LOOK_BACK)


@lru_cache(maxsize=2)
def _odd_primes(limit: int) -> I64:
    return small_primes(limit)[1:].astype(np.int64)


@cache
def _places() -> tuple[I64, I64]:
    """Numbers below FAR by parity and value, at most LISTED each, as `unproved` reads them.

    That they have these values is part of what a block takes from the blocks below.
    """
    values = grundy(GAME, 0, FAR)
    rows = [numbers_of(values, parity, v)[:LISTED] for parity in range(2) for v in range(16)]
    return np.cumsum([0, *map(len, rows)]), np.concatenate(rows)


@kernel("uint8[::1](int64, int64, int64[::1])")
def flag_primes(start: int, stop: int, primes: I64) -> U8:
    """1 for each odd number from start (odd) to stop that is prime, else 0; primes from 3 on."""
    flags = np.ones((stop - start + 1) // 2, np.uint8)
    flags[0] = start != 1
    for p in primes:
        if p * p > stop:
            break
        m = max((start + p - 1) // p | 1, p)
        for i in range((p * m - start) >> 1, flags.shape[0], p):
            flags[i] = 0
    return flags
