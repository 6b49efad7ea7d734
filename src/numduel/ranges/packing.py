"""From lines back to the natural order of the numbers: bits packed, or bytes."""

import numpy as np

from numduel.ranges.kernel import U64, kernel
from numduel.ranges.wheel import HALO, WHEEL

LOW = np.uint64(0xFFFFFFFF)
BYTE = np.uint64(255)


@kernel("void(uint64[:,::1], int64)")
def turn(rows: U64, n: int) -> None:
    """Transpose 32 rows of n words in place, each 32 by 32 bits of half a word.

    Row r, bit k becomes row k mod 32, bit r of the same half. The recursive block swap
    (Hacker's Delight 7-3), vectorised over words.
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

    After `turn` the half word of row i holds the 30 bits of one k; 32 of them make 15
    words, appended at shifts that are constants once the loop is unrolled.
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
    turned on its own (32 rows of `rows` each); then eight numbers at a time are four
    table look-ups, which spread eight bits over eight bytes.
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
