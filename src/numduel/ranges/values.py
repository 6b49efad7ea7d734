"""Grundy values of Subtract a Prime on the lines, by the local rule; Prime Subtractor's opening.

The rule, its first and second choices, and how far it was checked: `LocalValues` in
`known.py`. A value is four bits, each a line of its own.
"""

import numpy as np

from numduel.arithmetic import primes_up
from numduel.known import EVEN, EVEN_LOSSES, LOOK_BACK, ODD, LocalValues
from numduel.ranges.kernel import ONE, U8, U64, Table, kernel
from numduel.ranges.lines import March, small_values
from numduel.ranges.wheel import RESIDUES, STRETCH, WHEEL, gather, lay_bytes, prime_terms, table

TOP = np.uint64(63)
ROW = 128
"""Words in a row of the work arrays, a constant so that LLVM sees that rows do not overlap."""

REACHED = ((ODD[4], ODD[5], ODD[6], (), ()), (EVEN[0], EVEN[1], EVEN[2], EVEN[3], EVEN[7]))
REACH_TABLE = table([prime_terms(r, few) for r in range(WHEEL) for few in REACHED[r % 2]])
"""Five rows a residue: what brings 0, 1, 2, 3, 7 (odd) or 4, 5, 6 (even) into R."""
OPENING_TABLE = table([prime_terms(r, EVEN_LOSSES[1:]) for r in RESIDUES.tolist()])


@kernel("void(uint64[:,::1], int64, int64, uint64[::1], uint64[::1], UniTuple(int64[::1], 3))")
def choose(primes: U64, at: int, n: int, reach: U64, choices: U64, terms: Table) -> None:
    """First and second choice of every number of n <= ROW words, as if 9 were always in R.

    Rows 8*r..8*r+3 hold the bits of the first choice, the next four those of the second. An even n
    has no second choice past 11: of n-17, n-19, n-21, all prime then, one is a multiple of 3.
    """
    for r in range(WHEEL):
        for v in range(5):
            gather(reach[ROW * v : ROW * v + n], primes, at, terms, 5 * r + v)
        out = choices[8 * ROW * r : 8 * ROW * (r + 1)]
        if r & 1:
            for w in range(n):
                a, b, c = reach[w], reach[ROW + w], reach[2 * ROW + w]
                d, e = reach[3 * ROW + w], reach[4 * ROW + w]
                ab, abcd = a & b, a & b & c & d
                f1, f2, f3, f7, f8 = a & ~b, ab & ~c, ab & c & ~d, abcd & ~e, abcd & e
                out[w] = f1 | f3 | f7
                out[ROW + w] = f2 | f3 | f7
                out[2 * ROW + w] = f7
                out[3 * ROW + w] = f8
                second = (~a & b) | f1
                s1, s2 = ~a & ~b, second & ~c
                second = (second & c) | f2
                s3 = second & ~d
                second = (second & d) | f3
                s7 = second & ~e
                s8 = (second & e) | f7
                out[4 * ROW + w] = s1 | s3 | s7
                out[5 * ROW + w] = s2 | s3 | s7 | f8
                out[6 * ROW + w] = s7
                out[7 * ROW + w] = s8 | f8
        else:
            for w in range(n):
                a, b, c = reach[w], reach[ROW + w], reach[2 * ROW + w]
                f5, f6, f11 = a & ~b, a & b & ~c, a & b & c
                out[w] = f5 | f11
                out[ROW + w] = f6 | f11
                out[2 * ROW + w] = ~f11
                out[3 * ROW + w] = f11
                second = (~a & b) | f5
                s5, s6, s11 = ~a & ~b, second & ~c, (second & c) | f6
                out[4 * ROW + w] = s5 | s11
                out[5 * ROW + w] = s6 | s11
                out[6 * ROW + w] = s5 | s6
                out[7 * ROW + w] = s11


@kernel("void(uint64[::1], uint64[::1], int64)")
def follow(choices: U64, values: U64, n: int) -> None:
    """One run along the thirty residues: values from the choices and from what came in.

    Rows 0-7 of values are what came in, g(30k-2) and g(30k-1); row 8 + 4*r + b is bit b of
    residue r, so g(n-2) is always eight rows up. At 13, 18 and 23 mod 30 the exception for 9
    is put right: 10 (11 for even n) becomes 9 where 9 is missing.
    """
    for r in range(WHEEL):
        before = values[4 * ROW * r : 4 * ROW * (r + 3)]
        choice = choices[8 * ROW * r : 8 * ROW * (r + 1)]
        for w in range(n):
            f0, f1 = choice[w], choice[ROW + w]
            f2, f3 = choice[2 * ROW + w], choice[3 * ROW + w]
            free = (f0 ^ before[w]) | (f1 ^ before[ROW + w])
            free |= (f2 ^ before[2 * ROW + w]) | (f3 ^ before[3 * ROW + w])
            before[8 * ROW + w] = (free & f0) | (~free & choice[4 * ROW + w])
            before[9 * ROW + w] = (free & f1) | (~free & choice[5 * ROW + w])
            before[10 * ROW + w] = (free & f2) | (~free & choice[6 * ROW + w])
            before[11 * ROW + w] = (free & f3) | (~free & choice[7 * ROW + w])
        if r == 13 or r == 18 or r == 23:
            here = values[4 * ROW * (r + 2) :]
            five = values[4 * ROW * (r - 3) :]
            for w in range(n):
                nine = five[w] & ~five[ROW + w] & five[3 * ROW + w]
                nine = np.uint64(0) if r == 13 else nine
                change = here[ROW + w] & here[3 * ROW + w] & ~nine
                here[w] |= change
                here[ROW + w] ^= change


@kernel("void(uint64[::1], uint64[::1], uint64[::1], int64)")
def settle_values(choices: U64, values: U64, last: U64, n: int) -> None:
    """Repeat `follow` until what leaves residues 28 and 29 is what came in at the next k.

    Each run makes one more k final at least; about six do. `last` has the eight bits before.
    """
    for b in range(8):
        for w in range(n):
            values[ROW * b + w] = 0
    same = False
    while not same:
        follow(choices, values, n)
        differ = np.uint64(0)
        for b in range(8):
            came = values[ROW * b : ROW * b + n]
            leaves = values[ROW * (120 + b) : ROW * (120 + b) + n]
            differ |= came[0] ^ ((leaves[0] << ONE) | last[b])
            came[0] = (leaves[0] << ONE) | last[b]
            for w in range(1, n):
                new = (leaves[w] << ONE) | (leaves[w - 1] >> TOP)
                differ |= new ^ came[w]
                came[w] = new
        same = differ == np.uint64(0)
    for b in range(8):
        last[b] = values[ROW * (120 + b) + n - 1] >> TOP


@kernel("void(uint64[:,::1], int64, int64, uint64[::1], uint64[::1], UniTuple(int64[::1], 3))")
def open_values(primes: U64, at: int, n: int, values: U64, reach: U64, terms: Table) -> None:
    """Turn values into those of Prime Subtractor's opening: no move to 0 from a prime.

    Downwards, so that g(n-2) is still the value in play: 0 stays where it or another e reaches 0.
    """
    for line in range(7, -1, -1):
        before = values[4 * ROW * RESIDUES[line] :]
        gather(reach[:n], primes, at, terms, line)
        prime = primes[line, at : at + n]
        for w in range(n):
            nonzero = before[w] | before[ROW + w] | before[2 * ROW + w] | before[3 * ROW + w]
            keep = ~(prime[w] & ~reach[w] & nonzero)
            before[8 * ROW + w] &= keep
            before[9 * ROW + w] &= keep
            before[10 * ROW + w] &= keep
            before[11 * ROW + w] &= keep


@kernel(
    "void(uint64[:,::1], int64, int64, uint64[::1], uint64[::1], UniTuple(int64[::1], 3),"
    " UniTuple(int64[::1], 3), boolean)"
)
def run(
    primes: U64, at: int, n: int, last: U64, out: U64, reaching: Table, others: Table,
    opening: bool,
) -> None:  # fmt: skip
    """Values of n words from word `at` of the sieve, written to out as bytes."""
    reach, choices = np.empty(5 * ROW, np.uint64), np.empty(8 * WHEEL * ROW, np.uint64)
    values, rows = np.empty((8 + 4 * WHEEL) * ROW, np.uint64), np.empty((4 * 32, ROW), np.uint64)
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
    """Prime Subtractor's opening values below LOOK_BACK: mex without the move to 0."""
    values = small_values()
    openings = values.copy()
    primes = np.array(list(primes_up(LOOK_BACK - 1)))
    for at, n in enumerate(primes):
        reached = set(values[n - primes[:at]].tolist())
        openings[n] = next(v for v in range(16) if v not in reached)
    return openings


class Values:
    """Values from a on, in steps of 1920 numbers, in constant memory; `start` as in Outcomes."""

    def __init__(self, a: int, b: int, opening: bool = False) -> None:
        self._march = march = March(a, b, 0)
        self._opening = opening
        self.start = march.word * STRETCH
        self._last: U64 = np.zeros(8, dtype=np.uint64)
        if march.word:
            values = LocalValues()
            self._remember(values.at(self.start - 2), values.at(self.start - 1))

    def _remember(self, even: int, odd: int) -> None:
        self._last[:] = [(v >> b) & 1 for v in (even, odd) for b in range(4)]

    def write(self, out: U8) -> None:
        """Write the next len(out) values, a multiple of 1920, a byte each."""
        march = self._march
        if march.word == 0:
            for _ in march.take(LOOK_BACK // STRETCH):
                continue
            out[:LOOK_BACK] = small_openings() if self._opening else small_values()
            self._remember(*small_values()[-2:].tolist())
            out = out[LOOK_BACK:]
        words = out.view(np.uint64)
        for done, at, part in march.take(len(out) // STRETCH):
            run(
                march.primes, at, part, self._last, words[240 * done :], REACH_TABLE,
                OPENING_TABLE, self._opening,
            )  # fmt: skip
