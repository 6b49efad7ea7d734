"""Grundy values of Subtract a Prime and of Prime Subtractor's opening over a range."""

from __future__ import annotations

import numpy as np

from numduel.arithmetic.miller_rabin import is_prime
from numduel.ranges.exact import EXACT, small_values, value_pair
from numduel.ranges.kernel import U8, U64, Table, kernel
from numduel.ranges.march import March
from numduel.ranges.packing import lay_bytes
from numduel.ranges.values import (
    OPENING_TABLE,
    REACH_TABLE,
    ROW,
    choose,
    open_values,
    settle_values,
)
from numduel.ranges.wheel import HALO, STRETCH, WHEEL


@kernel(
    "void(uint64[:,::1], int64, int64, uint64[::1], uint64[::1], uint64[::1], uint64[:,::1],"
    " uint64[::1], uint64[::1], UniTuple(int64[::1], 3), UniTuple(int64[::1], 3), boolean)"
)
def run(
    primes: U64, at: int, n: int, reach: U64, choices: U64, values: U64, rows: U64,
    last: U64, out: U64, reaching: Table, others: Table, opening: bool,
) -> None:  # fmt: skip
    """Values of n words from word `at` of the sieve, written to out as bytes."""
    done = 0
    while done < n:
        part = min(ROW, n - done)
        choose(primes, at + done, part, reach, choices, reaching)
        settle_values(choices, values, last, part)
        if opening:
            open_values(primes, at + done, part, values, reach, others)
        lay_bytes(values[8 * ROW :], ROW, part, rows, out[240 * done : 240 * (done + part)])
        done += part


def small_openings() -> U8:
    """Prime Subtractor's opening values below EXACT: mex without the move to 0."""
    values = small_values()
    openings = values.copy()
    primes = [p for p in range(2, EXACT) if is_prime(p)]
    for at, n in enumerate(primes):
        reached = set(values[n - np.array(primes[:at], dtype=np.int64)].tolist())
        openings[n] = next(v for v in range(16) if v not in reached)
    return openings


class Values:
    """Values from a on, in steps of 1920 numbers, in constant memory; `start` as in Outcomes."""

    def __init__(self, a: int, b: int, opening: bool = False) -> None:
        self._march = march = March(a, b, 0)
        self._opening = opening
        self.start = march.word * STRETCH
        self._reach: U64 = np.empty(5 * ROW, dtype=np.uint64)
        self._choices: U64 = np.empty(8 * WHEEL * ROW, dtype=np.uint64)
        self._values: U64 = np.empty((8 + 4 * WHEEL) * ROW, dtype=np.uint64)
        self._rows: U64 = np.empty((4 * 32, ROW), dtype=np.uint64)
        self._last: U64 = np.zeros(8, dtype=np.uint64)
        if march.word:
            self._remember(*value_pair(self.start - 2))

    def _remember(self, even: int, odd: int) -> None:
        self._last[:] = [(v >> b) & 1 for v in (even, odd) for b in range(4)]

    def write(self, out: U8) -> None:
        """Write the next len(out) values, a multiple of 1920, a byte each."""
        march = self._march
        if march.word == 0:
            for _ in march.take(HALO):
                continue
            out[:EXACT] = small_openings() if self._opening else small_values()
            self._remember(int(small_values()[-2]), int(small_values()[-1]))
            out = out[EXACT:]
        words = out.view(np.uint64)
        for done, at, part in march.take(len(out) // STRETCH):
            run(
                march.primes, at, part, self._reach, self._choices, self._values,
                self._rows, self._last, words[240 * done :],
                REACH_TABLE, OPENING_TABLE, self._opening,
            )  # fmt: skip
