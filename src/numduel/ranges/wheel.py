"""The layout every kernel of Subtract a Prime shares, and the way back to the natural order.

Number n = 30*k + r is bit k of line r: a line of prime bits for each residue coprime to 30, one of
lost bits for each odd residue. Explained in docs/ALGORITHMS.md, as are the kernels.
"""

from typing import Final

import numpy as np

from numduel.known import LOOK_BACK
from numduel.ranges.kernel import U64, Table, kernel

WHEEL: Final = 30
PRIME_RESIDUES: Final = (1, 7, 11, 13, 17, 19, 23, 29)
RESIDUES: Final = np.array(PRIME_RESIDUES, dtype=np.int64)
STRETCH: Final = 64 * WHEEL
"""Numbers in one word of every line: 1920, the grid on which ranges are cut."""
HALO: Final = LOOK_BACK // STRETCH
"""Words kept in front of every line: 256 values of k, more than any look back."""
LOW = np.uint64(0xFFFFFFFF)
BYTE = np.uint64(255)


def step_back(residue: int, distance: int) -> tuple[int, int]:
    """Where n - distance lies for n = 30k + residue: (its residue, how far its k is below k).

    >>> step_back(3, 10)
    (23, 1)
    """
    down, there = divmod(residue - distance, WHEEL)
    return there, -down


def table(rows: list[list[tuple[int, int]]]) -> Table:
    """Rows of terms (source line, bits to move up): row i owns begin[i]..begin[i+1]-1."""
    begin = np.cumsum([0, *map(len, rows)])
    lines = np.array([line for row in rows for line, _ in row], dtype=np.int64)
    shifts = np.array([shift for row in rows for _, shift in row], dtype=np.int64)
    return begin, lines, shifts


def prime_terms(residue: int, distances: tuple[int, ...]) -> list[tuple[int, int]]:
    """The prime lines that hold n - d, d among distances, for n of this residue."""
    steps = [step_back(residue, distance) for distance in distances]
    return [(PRIME_RESIDUES.index(r), shift) for r, shift in steps if r in PRIME_RESIDUES]


@kernel("void(uint64[::1], uint64[:,::1], int64, UniTuple(int64[::1], 3), int64)")
def gather(target: U64, source: U64, base: int, terms: Table, row: int) -> None:
    """Target = OR of the source lines of one row of terms, each moved up by its shift.

    Word 0 of target answers for word `base` of the source. The loops have no dependence between
    words, so LLVM turns them into vector code.
    """
    begin, lines, shifts = terms
    n = target.shape[0]
    for w in range(n):
        target[w] = 0
    for t in range(begin[row], begin[row + 1]):
        line = lines[t]
        back = base - (shifts[t] >> 6)
        up = np.uint64(shifts[t] & 63)
        down = np.uint64(63) - up
        here = source[line, back : back + n]
        below = source[line, back - 1 : back - 1 + n]
        for w in range(n):
            target[w] |= (here[w] << up) | ((below[w] >> np.uint64(1)) >> down)


@kernel("void(uint64[:,::1], int64)")
def turn(rows: U64, n: int) -> None:
    """Transpose 32 rows of n words in place: row r, bit k becomes row k mod 32, bit r of its half.

    The recursive block swap (Hacker's Delight 7-3), vectorised over words.
    """
    step = 16
    mask = np.uint64(0x0000FFFF0000FFFF)
    while step:
        by = np.uint64(step)
        for i in range(32):
            if not i & step:
                a = rows[i, :n]
                b = rows[i + step, :n]
                for w in range(n):
                    t = ((a[w] >> by) ^ b[w]) & mask
                    b[w] ^= t
                    a[w] ^= t << by
        step >>= 1
        mask ^= mask << np.uint64(step)


@kernel("void(uint64[:,::1], int64, uint64[:,::1], uint64[::1])")
def pack(lost: U64, n: int, rows: U64, out: U64) -> None:
    """Write the lost bits of n words of k as 30*n words in natural order, evens zero.

    After `turn` the half word of row i holds the 30 bits of one k; 32 of them make 15 words.
    """
    for r in range(32):
        row = rows[r, :n]
        if r & 1 and r < 30:
            line = lost[r >> 1, HALO : HALO + n]
            for w in range(n):
                row[w] = line[w]
        else:
            for w in range(n):
                row[w] = 0
    turn(rows, n)
    for w in range(n):
        for half in range(2):
            lane = np.uint64(32 * half)
            at = 30 * w + 15 * half
            word = np.uint64(0)
            for i in range(32):
                x = (rows[i, w] >> lane) & LOW
                used = (30 * i) & 63
                word |= x << np.uint64(used)
                if used >= 34:
                    out[at] = word
                    at += 1
                    word = x >> np.uint64(64 - used) if used > 34 else np.uint64(0)


SPREAD = np.array(
    [
        [sum(((byte >> i) & 1) << (8 * i + b) for i in range(8)) for byte in range(256)]
        for b in range(4)
    ],
    dtype=np.uint64,
)


@kernel("void(uint64[::1], int64, int64, uint64[:,::1], uint64[::1])")
def lay_bytes(values: U64, row: int, n: int, rows: U64, out: U64) -> None:
    """Write the values of n words of k as 240*n words, a byte a number, in natural order.

    values holds bit b of residue r from word row * (4*r + b) on. Each of the four bit lines is
    turned on its own; then four look-ups spread eight numbers at a time over eight bytes.
    """
    for b in range(4):
        part = rows[32 * b : 32 * b + 32]
        for r in range(WHEEL):
            line = values[row * (4 * r + b) :]
            for w in range(n):
                part[r, w] = line[w]
        for w in range(n):
            part[30, w] = 0
            part[31, w] = 0
        turn(part, n)
    for w in range(n):
        for half in range(2):
            at = 240 * w + 120 * half
            lane = np.uint64(32 * half)
            hold = np.uint64(0)
            for i in range(32):
                a = rows[i, w] >> lane
                b = rows[32 + i, w] >> lane
                c = rows[64 + i, w] >> lane
                d = rows[96 + i, w] >> lane
                # 30 bytes a number k: this one begins `used` bits into a word, 0, 48, 32 or 16.
                used = np.uint64((48 * i) & 63)
                rest = (np.uint64(64) - used) & np.uint64(63)
                for eight in range(4):
                    s = np.uint64(8 * eight)
                    word = (
                        SPREAD[0, (a >> s) & BYTE] | SPREAD[1, (b >> s) & BYTE]
                        | SPREAD[2, (c >> s) & BYTE] | SPREAD[3, (d >> s) & BYTE]
                    )  # fmt: skip
                    if used:
                        out[at] = hold | (word << used)
                        hold = word >> rest
                        at += 1
                    elif eight < 3:
                        out[at] = word
                        at += 1
                    else:
                        hold = word
