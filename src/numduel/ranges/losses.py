"""Kernels that settle Subtract a Prime on the lines: who is lost, and are the evens all won?

What they rest on. The lost even numbers known are EVEN_LOSSES; that there is no other is
a conjecture (`known.prime_values` says how far it was checked), which `cover` checks again for
every even number it passes. An odd prime changes parity, so the odd n > 310 wins at once when
n - e is prime for one of the five e, and otherwise is lost exactly when n - 2 is won.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from numduel.arithmetic import primes_up
from numduel.known.prime_values import EVEN_LOSSES
from numduel.ranges.kernel import ONE, U64, Table, Word, kernel
from numduel.ranges.wheel import HALO, gather, prime_terms, step_back, table

ODD = 15
FULL = np.uint64(0xFFFFFFFFFFFFFFFF)

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

Found greedily on 9 million numbers at 10^9, 10^12 and 10^15: fewer than one word in fifty is
left. For n = 0, 6, 12, 24, 28 mod 30 the two twins always do: one leaves m = 25 mod 30,
where no m - e is prime, so m is lost exactly when m - 2, which the other leaves, is won.
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

    Idea. `wins` (some n - e is prime) is a few shifted ORs a line. Then along the 15 odd
    residues lost[r] = not (wins[r] or lost[r-2]), 64 values of k in each word; only from
    residue 29 to residue 1 of the next k does the walk cross bits.

    Why it is right. Start every k with "30k - 1 is won" and let `free` mark the k where no
    residue wins by an e. Where k is not free the guess cannot reach residue 29, so that
    bit is final; where k is free fifteen negations turn the bit that comes in. So
    out = guess xor (free and in), in = out moved by one bit, settled word by word (free is
    rare: 0.1 % of the k at 10^9), then one more run with the true bits.

    Cost. About 40 shifted ORs and 45 simple operations for 1920 numbers.
    """
    base = HALO
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
    carry = lost[ODD - 1, base - 1] >> np.uint64(63)
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
        lost[0, base + w] = ~(wins[0, w] | out[w])
    for j in range(1, ODD):
        win = wins[j, :n]
        before = lost[j - 1, base : base + n]
        here = lost[j, base : base + n]
        for w in range(n):
            here[w] = ~(win[w] | before[w])


@kernel(
    "int64(uint64[:,::1], int64, uint64, uint64[::1], int64,"
    " UniTuple(int64[::1], 3), UniTuple(int64[::1], 3))"
)
def cover(lost: U64, n: int, k: Word, found: U64, many: int, terms: Table, reserve: Table) -> int:
    """Show every even number of n words won; put those not shown won into found.

    Idea. n is won when n - p is lost for an odd prime p; the lost bits moved by p are
    OR-ed until a word is full. COVER_PRIMES run over the whole chunk as vector code, five
    on average, and only the words not yet full get more primes, one at a time. Right with
    no assumption: each bit set is a winning move. What is left (nothing, so far) is for an
    exact check with larger primes. Returns the new length of found.
    """
    base = HALO
    more, lines, shifts = reserve
    held = np.empty(n, np.uint64)
    for j in range(ODD):
        gather(held, lost, base, terms, j)
        full = FULL
        for w in range(n):
            full &= held[w]
        if full == FULL:
            continue
        for w in range(n):
            word = held[w]
            t = more[j]
            while word != FULL and t < more[j + 1]:
                back = base + w - (shifts[t] >> 6)
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
