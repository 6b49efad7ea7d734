"""A march through the numbers of Subtract a Prime in steps of 1920, sieve in hand."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import Final

from numduel.ranges.kernel import U64
from numduel.ranges.lines import BLOCK, LineSieve
from numduel.ranges.wheel import HALO, STRETCH

CHUNK_WORDS: Final = 128
"""Words of a line that one kernel takes at a time, so that all of them stay in the cache."""


def sieve_bits(stop: int, words: int) -> int:
    """Length of a sieve segment in bits of a line: enough numbers for the primes to sqrt(stop)."""
    wanted = BLOCK
    while wanted < isqrt(stop) and wanted < BLOCK << 5:
        wanted *= 2
    return min(wanted, 64 * max(words, HALO))


class March:
    """The prime bits from a on, `lead` words early, handed out in order.

    `word` counts words of a line (1920 numbers each). A march that would begin below
    7680 * 2 begins at 0; otherwise the sieve also fills the halo before the first word.
    """

    def __init__(self, a: int, b: int, lead: int) -> None:
        word = a // STRETCH - lead
        self.word = word if word >= 2 * HALO else 0
        self.stop = max(-(-b // STRETCH), self.word + HALO)
        bits = sieve_bits(b, self.stop - self.word)
        early = HALO if self.word else 0
        self._sieve = LineSieve(64 * (self.word - early), 64 * self.stop, bits)
        self._left = 0
        if early:
            self._sieve.fill(64 * HALO)

    @property
    def primes(self) -> U64:
        """The eight lines of prime bits; `take` says where in them."""
        return self._sieve.words

    def take(self, n: int) -> Iterator[tuple[int, int, int]]:
        """The next n words, as (words done before, where in `primes`, how many words)."""
        done = 0
        sieve = self._sieve
        while done < n:
            if not self._left:
                rest = 64 * self.stop - sieve.next
                sieve.fill(min(64 * (sieve.words.shape[1] - HALO - 1), rest))
                self._left = sieve.filled // 64
            part = min(self._left, n - done)
            yield done, HALO + sieve.filled // 64 - self._left, part
            self._left -= part
            self.word += part
            done += part
