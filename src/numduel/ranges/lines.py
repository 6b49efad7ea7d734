"""The primes of a long range, one segment of eight lines after the other, and a march on them."""

from collections.abc import Iterator
from functools import cache
from math import isqrt, prod
from typing import Final

import numpy as np

from numduel.arithmetic import prime_flags
from numduel.known import LOOK_BACK, TABLE, by_definition
from numduel.ranges.crossing import activate, cross_large, list_primes, restore, sieve_lines
from numduel.ranges.kernel import I64, U8, U32, U64
from numduel.ranges.wheel import HALO, PRIME_RESIDUES, STRETCH

STORED: Final = 1 << 20
"""Primes below keep their next multiple between segments; larger ones are made anew."""
BLOCK: Final = 1 << 18
"""Bits of a line that are sieved at a time: 32 KiB, the L1 cache."""
CHUNK: Final = 2048
CHUNK_WORDS: Final = 128
"""Words of a line that one kernel takes at a time, so that all of them stay in the cache."""


def small_primes(limit: int) -> U32:
    """All primes up to limit."""
    return np.flatnonzero(np.frombuffer(prime_flags(limit + 1), np.uint8)).astype(np.uint32)


@cache
def small_values() -> U8:
    """g(n) of Subtract a Prime for n < LOOK_BACK, by definition."""
    return np.frombuffer(by_definition(TABLE), np.uint8)[:LOOK_BACK]


class Patterns:
    """The primes 7..163 as repeating byte patterns, and their phase at any place."""

    LARGEST: Final = 163

    def __init__(self) -> None:
        primes = [int(p) for p in small_primes(self.LARGEST) if p >= 29]
        groups = [[7, 11, 13], [17, 19, 23]]
        while primes:
            groups.append([primes.pop(0), primes.pop()] if len(primes) > 1 else [primes.pop()])
        groups += [[1]] * (len(groups) % 2)
        self._turns = [(pow(240, -1, period), period) for period in map(prod, groups)]
        tables = []
        for group in groups:
            bits = np.ones(8 * (prod(group) + CHUNK), dtype=np.uint8)
            for p in group:
                if p > 1:
                    bits[::p] = 0
            tables.append(np.packbits(bits, bitorder="little"))
        self.bytes: U8 = np.concatenate(tables)
        self.where: I64 = np.cumsum([0] + [len(t) for t in tables]).astype(np.int64)

    def phases(self, k: int) -> I64:
        """Byte offsets into each table, by line, for a segment that starts at k (8 divides k)."""
        rows = [[(k // 8 + r * by) % period for by, period in self._turns] for r in PRIME_RESIDUES]
        return np.array(rows, dtype=np.int64)


class LineSieve:
    """Prime bits of the numbers 30k + r, k in [start, stop), in segments of at most `bits` k.

    `fill(bits)` sieves the next `bits` values of k (a multiple of 64) behind a halo of
    HALO words, the end of the segment before; `words[line, HALO + i]` then holds
    k = start + 64*i and on. The buffer is reused. Memory: eight lines and 36 bytes for
    each prime below 2^20. Larger primes are sieved anew for every segment.
    """

    def __init__(self, start: int, stop: int, bits: int) -> None:
        self.start = self.next = start
        self.words: U64 = np.zeros((8, HALO + bits // 64), dtype=np.uint64)
        self.filled = 0
        self.patterns = Patterns()
        primes = small_primes(min(isqrt(30 * stop), STORED) + 1)
        self.primes: U32 = primes[primes > Patterns.LARGEST]
        self.squares: U64 = self.primes.astype(np.uint64) ** 2
        self.starts: U32 = np.zeros((8, len(self.primes)), dtype=np.uint32)
        self.active = 0

    def fill(self, bits: int) -> None:
        words = self.words
        words[:, :HALO] = words[:, self.filled // 64 : self.filled // 64 + HALO]
        self.start, self.next, self.filled = self.next, self.next + bits, bits
        top = 30 * self.next
        active = int(np.searchsorted(self.squares, np.uint64(top)))
        activate(self.primes, self.starts, self.active, active, self.start)
        self.active = active
        patterns, phases = self.patterns, self.patterns.phases(self.start)
        sieve_lines(
            words.view(np.uint8), words, patterns.bytes, patterns.where, phases, CHUNK,
            self.primes, self.starts, active, bits, BLOCK,
        )  # fmt: skip
        for large in primes_between(STORED, isqrt(top)):
            cross_large(words, large, self.start, bits)
        if 30 * self.start <= STORED:
            restore(words, small_primes(STORED), self.start, bits)


def primes_between(low: int, high: int) -> Iterator[U32]:
    """All primes with low < p <= high < 2^32, in parts and in no order; the buffer is reused."""
    if high <= low:
        return
    bits, stop = 4 * BLOCK, high // 30 // 64 * 64 + 64
    sieve, found = LineSieve(low // 30 // 64 * 64, stop, bits), np.empty(8 * bits // 3, np.uint32)
    while sieve.next < stop:
        sieve.fill(min(bits, stop - sieve.next))
        many = list_primes(sieve.words, sieve.start, sieve.filled, low, high, found)
        yield found[:many]


def sieve_bits(stop: int, words: int) -> int:
    """Length of a sieve segment in bits of a line: enough numbers for the primes to sqrt(stop)."""
    wanted = BLOCK
    while wanted < isqrt(stop) and wanted < BLOCK << 5:
        wanted *= 2
    return min(wanted, 64 * max(words, HALO))


class March:
    """The prime bits from a on, `lead` words (of 1920 numbers) early, handed out in order.

    One that would begin below 7680 * 2 begins at 0; otherwise the halo before it is filled too.
    """

    def __init__(self, a: int, b: int, lead: int) -> None:
        word = a // STRETCH - lead
        self.word = word if word >= 2 * HALO else 0
        self.stop = max(-(-b // STRETCH), self.word + HALO)
        bits = sieve_bits(b, self.stop - self.word)
        early = HALO if self.word else 0
        self._sieve = LineSieve(64 * (self.word - early), 64 * self.stop, bits)
        self.primes: U64 = self._sieve.words
        """The eight lines of prime bits; `take` says where in them."""
        self._left = 0
        if early:
            self._sieve.fill(64 * HALO)

    def take(self, n: int) -> Iterator[tuple[int, int, int]]:
        """The next n words, as (words done before, where in `primes`, how many words)."""
        done = 0
        sieve = self._sieve
        while done < n:
            if not self._left:
                rest = 64 * self.stop - sieve.next
                sieve.fill(min(64 * (sieve.words.shape[1] - HALO), rest))
                self._left = sieve.filled // 64
            part = min(self._left, n - done)
            yield done, HALO + sieve.filled // 64 - self._left, part
            self._left -= part
            self.word += part
            done += part
