"""The layout every kernel of Subtract a Prime shares: numbers by line, one line a residue mod 30.

Number n = 30*k + r is bit k of line r. The eight residues coprime to 30 have a line of
prime bits, the fifteen odd ones a line of lost bits. In this layout a question about a
neighbour, "is n - e prime?", is the same question for every k of a line: another line,
moved by a constant number of bits. So whole words (and vector registers) are answered
at once, and no residue that can never be prime is ever asked.
"""

from typing import Final

import numpy as np

from numduel.known.prime_values import LOOK_BACK
from numduel.ranges.kernel import U64, Table, kernel

WHEEL: Final = 30
PRIME_RESIDUES: Final = (1, 7, 11, 13, 17, 19, 23, 29)
RESIDUES: Final = np.array(PRIME_RESIDUES, dtype=np.int64)
STRETCH: Final = 64 * WHEEL
"""Numbers in one word of every line: 1920, the grid on which ranges are cut."""
HALO: Final = LOOK_BACK // STRETCH
"""Words kept in front of every line: 256 values of k, more than any look back."""


def step_back(residue: int, distance: int) -> tuple[int, int]:
    """Where n - distance lies for n = 30k + residue: (its residue, how far its k is below k).

    >>> step_back(3, 10)
    (23, 1)
    """
    down, there = divmod(residue - distance, WHEEL)
    return there, -down


def prime_line(residue: int) -> int | None:
    """The index of the line of prime bits for a residue, None where no prime above 5 lies."""
    return PRIME_RESIDUES.index(residue) if residue in PRIME_RESIDUES else None


def table(rows: list[list[tuple[int, int]]]) -> Table:
    """Lay out rows of terms (source line, bits to move up) the way `gather` reads them.

    Row i owns the terms begin[i]..begin[i+1]-1 of lines and shifts.
    """
    begin = np.cumsum([0] + [len(row) for row in rows]).astype(np.int64)
    lines = np.array([line for row in rows for line, _ in row], dtype=np.int64)
    shifts = np.array([shift for row in rows for _, shift in row], dtype=np.int64)
    return begin, lines, shifts


def prime_terms(residue: int, distances: tuple[int, ...]) -> list[tuple[int, int]]:
    """The prime lines that hold n - d, d among distances, for n of this residue."""
    terms = []
    for distance in distances:
        there, shift = step_back(residue, distance)
        line = prime_line(there)
        if line is not None:
            terms.append((line, shift))
    return terms


@kernel("void(uint64[::1], uint64[:,::1], int64, UniTuple(int64[::1], 3), int64)")
def gather(target: U64, source: U64, base: int, terms: Table, row: int) -> None:
    """Target = OR of the source lines of one row of terms, each moved up by its shift.

    Bit k of the result asks bit k - shift of the line. Word 0 of target answers for
    word `base` of the source; the loops have no dependence between words, so LLVM
    turns them into vector code.
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
