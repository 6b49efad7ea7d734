"""Outcomes of Subtract a Prime on the lines: who is lost, and are the evens all won?

They rest on EVEN_LOSSES: an odd n > 310 wins at once when n - e is prime for one of the five e, and
otherwise is lost exactly when n - 2 is won. That there is no sixth is a conjecture, which `cover`
checks again for every even number it passes.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np

from numduel.arithmetic import primes_up
from numduel.errors import ClaimFails
from numduel.known import EVEN_LOSSES, LocalValues
from numduel.ranges.kernel import ONE, U8, U64, Table, Word, kernel
from numduel.ranges.lines import CHUNK_WORDS, March, small_values
from numduel.ranges.wheel import HALO, STRETCH, WHEEL, gather, pack, prime_terms, step_back, table

ODD = 15
FULL = np.uint64(0xFFFFFFFFFFFFFFFF)
NOWHERE: Final[U64] = np.empty(0, dtype=np.uint64)
LEAD: Final = 2
"""Words settled before the first one asked for, so that `cover` has lost bits to look at."""
TRIED: Final = 20_000
"""Primes up to here are tried, one by one, on an even number that the kernels leave."""
WIN_TABLE = table([prime_terms(2 * j + 1, EVEN_LOSSES) for j in range(ODD)])
COVER_PRIMES = {
    0: (5, 7),
    2: (67, 73, 79, 37, 109),
    4: (149, 151, 59, 61, 239, 241, 29, 31),
    6: (11, 13),
    8: (73, 79, 43, 109, 103, 71, 97),
    10: (5, 3, 7, 37, 31, 181, 101, 151, 211, 71),
    12: (17, 19),
    14: (79, 181, 179, 211, 109),
    16: (3, 5, 11, 13, 251, 191, 193, 101),
    18: (83, 89, 53, 59, 61, 23),
    20: (67, 61, 97, 37, 31, 19),
    22: (167, 173, 257, 17, 19, 3, 107, 109),
    24: (29, 31),
    26: (31, 37, 43, 73, 41),
    28: (3, 5),
}
"""Primes that win from nearly every even n, by n mod 30; any choice is right, these are quick.

Found greedily on 9 million numbers at 10^9, 10^12 and 10^15: fewer than one word in fifty is left.
"""


def _cover_terms(residue: int, primes: Iterable[int]) -> list[tuple[int, int]]:
    steps = [step_back(residue, p) for p in primes]
    return [((there - 1) // 2, shift) for there, shift in steps]


RESERVE = [*primes_up(1500)][1:]
COVER_TABLE = table([_cover_terms(2 * j, COVER_PRIMES[2 * j]) for j in range(ODD)])
RESERVE_TABLE = table([_cover_terms(2 * j, RESERVE) for j in range(ODD)])


@kernel("void(uint64[:,::1], int64, int64, uint64[:,::1], uint64[:,::1], UniTuple(int64[::1], 3))")
def settle(primes: U64, at: int, n: int, lost: U64, wins: U64, terms: Table) -> None:
    """Lost bits of the odd numbers for n words of every line, after the HALO words of lost.

    `free` marks the k where no residue wins, so that what comes in goes on to the next k.
    """
    out = np.empty(n, np.uint64)
    free = np.empty(n, np.uint64)
    for j in range(ODD):
        gather(wins[j, :n], primes, at, terms, j)
    for w in range(n):
        out[w] = 0
        free[w] = FULL
    for j in range(ODD):
        win = wins[j, :n]
        for w in range(n):
            out[w] = ~(win[w] | out[w])
            free[w] &= ~win[w]
    carry = lost[ODD - 1, HALO - 1] >> np.uint64(63)
    for w in range(n):
        guess = out[w]
        settled = guess
        came = (settled << ONE) | carry
        while free[w]:
            again = guess ^ (free[w] & came)
            came = (again << ONE) | carry
            if again == settled:
                break
            settled = again
        out[w] = came
        carry = settled >> np.uint64(63)
    for w in range(n):
        lost[0, HALO + w] = ~(wins[0, w] | out[w])
    for j in range(1, ODD):
        win = wins[j, :n]
        before = lost[j - 1, HALO : HALO + n]
        here = lost[j, HALO : HALO + n]
        for w in range(n):
            here[w] = ~(win[w] | before[w])


@kernel(
    "int64(uint64[:,::1], int64, uint64, uint64[::1], int64,"
    " UniTuple(int64[::1], 3), UniTuple(int64[::1], 3))"
)
def cover(lost: U64, n: int, k: Word, found: U64, many: int, terms: Table, reserve: Table) -> int:
    """Show every even number of n words won; put the others into found, and return its new length.

    First by the primes of `terms`, the whole chunk at once; words not full then get those of
    `reserve` one at a time. What is left (nothing, so far) is for an exact check.
    """
    more, lines, shifts = reserve
    held = np.empty(n, np.uint64)
    for j in range(ODD):
        gather(held, lost, HALO, terms, j)
        full = FULL
        for w in range(n):
            full &= held[w]
        if full == FULL:
            continue
        for w in range(n):
            word = held[w]
            t = more[j]
            while word != FULL and t < more[j + 1]:
                back = HALO + w - (shifts[t] >> 6)
                up = np.uint64(shifts[t] & 63)
                word |= lost[lines[t], back] << up
                word |= (lost[lines[t], back - 1] >> ONE) >> (np.uint64(63) - up)
                t += 1
            for bit in range(64 if word != FULL else 0):
                if not (word >> np.uint64(bit)) & ONE and many < found.shape[0]:
                    found[many] = np.uint64(30) * (k + np.uint64(64 * w + bit)) + np.uint64(2 * j)
                    many += 1
    return many


@kernel("void(uint64[:,::1], int64)")
def move_halo(lines: U64, n: int) -> None:
    """Make the last HALO words of n + HALO the first ones: the past of the next chunk."""
    for j in range(lines.shape[0]):
        for w in range(HALO):
            lines[j, w] = lines[j, n + w]


def winning_prime(n: int) -> int | None:
    """The least odd prime up to TRIED that leads from n to a lost number; None if there is none."""
    near = LocalValues()
    return next((p for p in primes_up(min(TRIED, n)) if p > 2 and near.lost(n - p)), None)


@kernel(
    "void(uint64[:,::1], int64, int64, int64, uint64[:,::1], uint64[::1], uint64[::1],"
    " UniTuple(int64[::1], 3), UniTuple(int64[::1], 3), UniTuple(int64[::1], 3), boolean)"
)
def run(
    primes: U64, at: int, n: int, k: int, lost: U64, out: U64, found: U64,
    winning: Table, covers: Table, reserve: Table, covering: bool,
) -> None:  # fmt: skip
    """Settle n words from word `at` of the sieve, chunk by chunk inside the L1 and L2 caches.

    found[0] counts the even numbers not shown won, which follow it.
    """
    wins, rows = np.empty((ODD, CHUNK_WORDS), np.uint64), np.empty((32, CHUNK_WORDS), np.uint64)
    done, many = 0, 0
    while done < n:
        part = min(CHUNK_WORDS, n - done)
        settle(primes, at + done, part, lost, wins, winning)
        if covering:
            first = np.uint64(k + 64 * done)
            many = cover(lost, part, first, found[1:], many, covers, reserve)
        if out.shape[0]:
            pack(lost, part, rows, out[30 * done : 30 * (done + part)])
        move_halo(lost, part)
        done += part
    found[0] = np.uint64(many)


class Outcomes:
    """Outcomes of Subtract a Prime from `start` on, in constant memory.

    `start` is a multiple of 1920 at or below a: 0 for small a, where the first 7680 numbers come
    from the exact table. `uncovered` lists the even numbers of [a, b), from 7680 on, that no small
    prime was found to win: each a counterexample to the list of five, or close.
    """

    def __init__(self, a: int, b: int) -> None:
        self._march = march = March(a, b, LEAD)
        self._asked, self.uncovered = range(a, b), list[int]()
        self.lost: U64 = np.zeros((ODD, HALO + CHUNK_WORDS), dtype=np.uint64)
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
            run(
                march.primes, at, part, 64 * march.word, self.lost, out[30 * done :], self._found,
                WIN_TABLE, COVER_TABLE, RESERVE_TABLE, covering,
            )  # fmt: skip
            many = int(self._found[0])
            if many >= len(self._found) - 1:
                raise ClaimFails("even loss", number=int(self._found[1]))
            left = self._found[1 : many + 1].tolist()
            self.uncovered += [n for n in left if n in self._asked and winning_prime(n) is None]

    def write(self, out: U8) -> None:
        """Write the next 8 * len(out) outcomes, a multiple of 1920, as bits in natural order."""
        words = out.view(np.uint64)
        if self._march.word == 0:
            bits = small_values() == 0
            words[: 30 * HALO] = np.packbits(bits, bitorder="little").view(np.uint64)
            words = words[30 * HALO :]
            self._run(HALO, NOWHERE, covering=False)
            for j in range(ODD):
                line = np.packbits(bits[2 * j + 1 :: WHEEL], bitorder="little")
                self.lost[j, :HALO] = line.view(np.uint64)
        self._run(len(words) // 30, words)
