"""Outcomes of Subtract a Prime over a range: sieve, settle, cover, and pack or count."""

from __future__ import annotations

from typing import Final

import numpy as np

from numduel.arithmetic import primes_up
from numduel.errors import ClaimFails
from numduel.known.prime_values import LocalValues
from numduel.ranges.kernel import U64, Table, kernel
from numduel.ranges.lines import CHUNK_WORDS, March, small_values
from numduel.ranges.losses import (
    COVER_TABLE,
    ODD,
    RESERVE_TABLE,
    WIN_TABLE,
    cover,
    move_halo,
    settle,
)
from numduel.ranges.packing import pack
from numduel.ranges.wheel import HALO, STRETCH, WHEEL

NOWHERE: Final[U64] = np.empty(0, dtype=np.uint64)
LEAD: Final = 2
"""Words settled before the first one asked for, so that `cover` has lost bits to look at."""
TRIED: Final = 20_000
"""Primes up to here are tried, one by one, on an even number that the kernels leave."""


def winning_prime(n: int) -> int | None:
    """The least odd prime up to TRIED that leads from n to a lost number; None if there is none."""
    near = LocalValues()
    return next((p for p in primes_up(min(TRIED, n)) if p > 2 and near.lost(n - p)), None)


@kernel(
    "void(uint64[:,::1], int64, int64, int64, uint64[:,::1], uint64[:,::1], uint64[:,::1],"
    " uint64[::1], uint64[::1], UniTuple(int64[::1], 3), UniTuple(int64[::1], 3),"
    " UniTuple(int64[::1], 3), boolean, boolean)"
)
def run(
    primes: U64, at: int, n: int, k: int, lost: U64, wins: U64, rows: U64,
    out: U64, found: U64, winning: Table, covers: Table,
    reserve: Table, covering: bool, packing: bool,
) -> None:  # fmt: skip
    """Settle n words from word `at` of the sieve, chunk by chunk inside the L1 and L2 caches.

    found[0] counts the even numbers not shown won, which follow it.
    """
    done = 0
    many = int(found[0])
    while done < n:
        part = min(CHUNK_WORDS, n - done)
        settle(primes, at + done, part, lost, wins, winning)
        if covering:
            first = np.uint64(k + 64 * done)
            many = cover(lost, part, first, found[1:], many, covers, reserve)
        if packing:
            pack(lost, part, rows, out[30 * done : 30 * (done + part)])
        move_halo(lost, part)
        done += part
    found[0] = np.uint64(many)


class Outcomes:
    """Outcomes of Subtract a Prime from a on, in steps of 1920 numbers, in constant memory.

    Begins at `start`, a multiple of 1920 at or below a: 0 for small a, where the first 7680
    numbers come from the exact table. `uncovered` lists the even numbers from 7680 on
    that no small prime was found to win: each a counterexample to the list of five, or close.
    """

    def __init__(self, a: int, b: int) -> None:
        self._march = march = March(a, b, LEAD)
        self.uncovered: list[int] = []
        self.lost: U64 = np.zeros((ODD, HALO + CHUNK_WORDS), dtype=np.uint64)
        self._wins: U64 = np.empty((ODD, CHUNK_WORDS), dtype=np.uint64)
        self._rows: U64 = np.empty((32, CHUNK_WORDS), dtype=np.uint64)
        self._found: U64 = np.zeros(1 << 12, dtype=np.uint64)
        if march.word:
            if LocalValues().lost(march.word * STRETCH - 1):
                self.lost[ODD - 1, HALO - 1] = np.uint64(1 << 63)
            self._run(LEAD, NOWHERE, covering=False)
        self.start = march.word * STRETCH

    def _run(self, n: int, out: U64, covering: bool = True) -> None:
        """Settle n words, into out if it is not empty."""
        march = self._march
        for done, at, part in march.take(n):
            self._found[0] = 0
            run(
                march.primes, at, part, 64 * march.word, self.lost, self._wins, self._rows,
                out[30 * done :], self._found, WIN_TABLE, COVER_TABLE, RESERVE_TABLE,
                covering, bool(len(out)),
            )  # fmt: skip
            self._check(int(self._found[0]))

    def _check(self, many: int) -> None:
        if many >= len(self._found) - 1:
            raise ClaimFails("even loss", number=int(self._found[1]))
        for n in self._found[1 : many + 1].tolist():
            if winning_prime(n) is None:
                self.uncovered.append(n)

    def _begin(self, out: U64) -> None:
        """The first HALO words of all, from the exact table."""
        bits = small_values() == 0
        out[: 30 * HALO] = np.packbits(bits, bitorder="little").view(np.uint64)
        self._run(HALO, NOWHERE, covering=False)
        for j in range(ODD):
            line = np.packbits(bits[2 * j + 1 :: WHEEL], bitorder="little")
            self.lost[j, :HALO] = line.view(np.uint64)

    def pack(self, out: U64) -> None:
        """Write the next len(out)/30 words of every line as bits in natural order."""
        done = 0
        if self._march.word == 0:
            self._begin(out)
            done = HALO
        self._run(len(out) // 30 - done, out[30 * done :])
