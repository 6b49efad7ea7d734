"""Kernels of the segmented sieve, one line of prime bits at a time: see docs/ALGORITHMS.md.

Primes cross themselves off too; `restore` sets those bits again where a segment is that low.
"""

from math import gcd

import numpy as np

from numduel.ranges.kernel import I64, ONE, U8, U32, U64, ZERO, Word, kernel
from numduel.ranges.wheel import HALO, RESIDUES, WHEEL

TWO, THREE, FOUR, FIVE, SIX, SEVEN = (np.uint64(n) for n in range(2, 8))
LOW6 = np.uint64(63)
HALO_WORDS = np.uint64(HALO)
LINE = np.searchsorted(RESIDUES, range(WHEEL)).astype(np.uint64)
GAP = np.array([6, 4, 2, 4, 2, 4, 6, 2], dtype=np.uint64)
"""From each residue coprime to 30 to the next."""
UP_TO_COPRIME = np.array(
    [next(d for d in range(7) if gcd(m + d, WHEEL) == 1) for m in range(WHEEL)], dtype=np.uint64
)


@kernel("void(uint8[::1], uint8[::1], int64[::1], int64[::1], int64)")
def lay_patterns(line: U8, patterns: U8, where: I64, offset: I64, chunk: int) -> None:
    """Fill a line with the patterns of all groups, each a chunk longer than its period."""
    size = line.shape[0]
    groups = where.shape[0] - 1
    pos = 0
    while pos < size:
        n = min(chunk, size - pos)
        target = line[pos : pos + n]
        target[:] = 255
        for g in range(0, groups, 2):
            a = patterns[where[g] + offset[g] :]
            b = patterns[where[g + 1] + offset[g + 1] :]
            for i in range(n):
                target[i] &= a[i] & b[i]
        for g in range(groups):
            period = where[g + 1] - where[g] - chunk
            offset[g] = (offset[g] + n) % period
        pos += n


@kernel("uint8(uint64)")
def spared(bit: Word) -> Word:
    """A byte without this bit, counted mod 8."""
    return np.uint8(~(ONE << (bit & SEVEN)))


@kernel("void(uint8[::1], uint32[::1], uint32[::1], uint64)")
def cross_small(line: U8, primes: U32, starts: U32, bits: Word) -> None:
    """Cross off primes with many multiples in the line, eight bits a turn."""
    size = bits >> THREE
    for i in range(primes.shape[0]):
        p = np.uint64(primes[i])
        s = np.uint64(starts[i])
        while s & SEVEN and s < bits:
            line[s >> THREE] &= np.uint8(~(ONE << (s & SEVEN)))
            s += p
        if s >= bits:
            starts[i] = s - bits
            continue
        q1, q2, q3, q4 = p >> THREE, (TWO * p) >> THREE, (THREE * p) >> THREE, (FOUR * p) >> THREE
        q5, q6, q7 = (FIVE * p) >> THREE, (SIX * p) >> THREE, (SEVEN * p) >> THREE
        m1, m2, m3 = spared(p), spared(TWO * p), spared(THREE * p)
        m5, m6, m7 = spared(FIVE * p), spared(SIX * p), spared(SEVEN * p)
        b = s >> THREE
        last = size - p if size > p else ZERO
        while b < last:
            line[b] &= np.uint8(0xFE)
            line[b + q1] &= m1
            line[b + q2] &= m2
            line[b + q3] &= m3
            line[b + q4] &= np.uint8(0xEF)
            line[b + q5] &= m5
            line[b + q6] &= m6
            line[b + q7] &= m7
            b += p
        s = b << THREE
        while s < bits:
            line[s >> THREE] &= np.uint8(~(ONE << (s & SEVEN)))
            s += p
        starts[i] = s - bits


@kernel("void(uint64[::1], uint32[::1], uint32[::1], uint64)")
def cross_medium(words: U64, primes: U32, starts: U32, bits: Word) -> None:
    """Cross off primes with few multiples in the line."""
    for i in range(primes.shape[0]):
        p = np.uint64(primes[i])
        s = np.uint64(starts[i])
        while s < bits:
            words[s >> SIX] &= ~(ONE << (s & LOW6))
            s += p
        starts[i] = s - bits


@kernel("void(uint64[:,::1], uint32[::1], int64, int64)")
def cross_large(words: U64, primes: U32, k: int, bits: int) -> None:
    """Cross off primes above 2^20 on all lines at once: their multiples p*m, m coprime to 30."""
    low = np.uint64(30 * k)
    span = np.uint64(30 * bits)
    thirty = np.uint64(30)
    stride = np.uint64(words.shape[1])
    flat = words.reshape(words.size)
    for i in range(primes.shape[0]):
        p = np.uint64(primes[i])
        m = (low + p - ONE) // p
        m += UP_TO_COPRIME[m % thirty]
        spoke = LINE[m % thirty]
        n = p * m - low
        while n < span:
            at = n // thirty
            line = LINE[n - at * thirty]
            flat[line * stride + HALO_WORDS + (at >> SIX)] &= ~(ONE << (at & LOW6))
            n += p * GAP[spoke]
            spoke = (spoke + ONE) & SEVEN


@kernel(
    "void(uint8[:,::1], uint64[:,::1], uint8[::1], int64[::1], int64[:,::1], int64,"
    " uint32[::1], uint32[:,::1], int64, int64, int64)"
)
def sieve_lines(
    octets: U8, words: U64, patterns: U8, where: I64, phases: I64, chunk: int,
    primes: U32, starts: U32, active: int, bits: int, block: int,
) -> None:  # fmt: skip
    """One segment: every line, block by block, by patterns, then by prime size.

    Small primes have more than 64 multiples in a block; the others pass over the whole line.
    """
    small = np.searchsorted(primes[:active], np.uint32(block >> 6))
    for r in range(8):
        done = 0
        while done < bits:
            part = min(block, bits - done)
            first = 8 * HALO + (done >> 3)
            line = octets[r, first : first + (part >> 3)]
            lay_patterns(line, patterns, where, phases[r], chunk)
            cross_small(line, primes[:small], starts[r, :small], np.uint64(part))
            done += part
        cross_medium(
            words[r, HALO:], primes[small:active], starts[r, small:active], np.uint64(bits)
        )


@kernel("void(uint32[::1], uint32[:,::1], int64, int64, int64)")
def activate(primes: U32, starts: U32, first: int, last: int, k: int) -> None:
    """First multiples at or after k, on every line, of the primes from first to last."""
    for n in range(first, last):
        p = np.int64(primes[n])
        inverse = np.int64(1)
        while inverse % 30:
            inverse += p
        inverse //= 30
        offset = k % p
        for line in range(8):
            starts[line, n] = np.uint32((p - (RESIDUES[line] * inverse + offset) % p) % p)


@kernel("void(uint64[:,::1], uint32[::1], int64, int64)")
def restore(words: U64, primes: U32, k: int, bits: int) -> None:
    """Set the bits of the primes themselves, which crossed themselves off; clear that of 1."""
    for i in range(3, primes.shape[0]):
        p = np.int64(primes[i])
        at = p // 30 - k
        if 0 <= at < bits:
            words[LINE[p % 30], HALO + (at >> 6)] |= ONE << np.uint64(at & 63)
    if k == 0:
        words[0, HALO] &= ~ONE


BIT_OF = np.zeros(67, dtype=np.int64)
BIT_OF[[pow(2, bit, 67) for bit in range(64)]] = range(64)
"""Which bit a word with one bit is, by its remainder: 2 is a primitive root of 67."""


@kernel("int64(uint64[:,::1], int64, int64, int64, int64, uint32[::1])")
def list_primes(words: U64, k: int, bits: int, low: int, high: int, found: U32) -> int:
    """Write the primes of a segment with low < p <= high, line by line; returns how many."""
    many = 0
    for line in range(8):
        for w in range(bits >> 6):
            word = words[line, HALO + w]
            while word:
                bit = word & (ZERO - word)
                word ^= bit
                p = 30 * (k + 64 * w + BIT_OF[bit % np.uint64(67)]) + RESIDUES[line]
                if low < p <= high:
                    found[many] = p
                    many += 1
    return many
