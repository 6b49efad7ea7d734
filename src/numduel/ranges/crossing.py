"""Kernels of the segmented sieve: one line of prime bits at a time.

Idea. The sieve of Eratosthenes on the lines of `wheel`: on line r the multiples of a
prime p are every p-th bit, so crossing off is `bit += p`, the same loop for all eight
lines, and one line (32 KiB) stays in the L1 cache while all primes pass over it.
primesieve (doc/ALGORITHMS.md) taught the regimes, pre-sieve patterns and unrolled
loops with constant masks; sieving residue by residue is the layout of YAFU's sieve.

Why it is right. 30k + r is 0 mod p exactly when k is -r/30 mod p; every composite
below p_max^2 has a prime factor up to p_max. Primes cross themselves off too;
`LineSieve` sets those bits again where a segment is that low.

Cost. For every number about 0.27 * sum(1/p) bit operations (0.19 for all n <= 10^9,
after the patterns), a little over one cycle each.
"""

from __future__ import annotations

from math import gcd

import numpy as np

from numduel.ranges.kernel import I64, ONE, U8, U32, U64, ZERO, Word, kernel
from numduel.ranges.wheel import HALO, WHEEL, prime_line

THREE, SIX, SEVEN, LOW6 = np.uint64(3), np.uint64(6), np.uint64(7), np.uint64(63)
HALO_WORDS = np.uint64(HALO)
LINE = np.array([prime_line(r) or 0 for r in range(WHEEL)], dtype=np.uint64)
GAP = np.array([6, 4, 2, 4, 2, 4, 6, 2], dtype=np.uint64)
"""From each residue coprime to 30 to the next."""
UP_TO_COPRIME = np.array(
    [next(d for d in range(7) if gcd(m + d, WHEEL) == 1) for m in range(WHEEL)], dtype=np.uint64
)


@kernel("void(uint8[::1], uint8[::1], int64[::1], int64[::1], int64)")
def lay_patterns(line: U8, patterns: U8, where: I64, offset: I64, chunk: int) -> None:
    """Fill a line with the pre-sieved patterns: the AND of all groups of small primes.

    The multiples of the primes of one group (product P) repeat after P bytes, and a
    shift by whole bytes reaches every phase because 8 has an inverse mod P; so one
    table a group serves all lines and segments. Each table is P + chunk bytes long:
    a chunk is read without wrapping. Taken four groups at a time, vectorised by LLVM.
    """
    size = line.shape[0]
    groups = where.shape[0] - 1
    pos = 0
    while pos < size:
        n = min(chunk, size - pos)
        target = line[pos : pos + n]
        for g in range(0, groups, 4):
            a = patterns[where[g] + offset[g] :]
            b = patterns[where[g + 1] + offset[g + 1] :]
            c = patterns[where[g + 2] + offset[g + 2] :]
            d = patterns[where[g + 3] + offset[g + 3] :]
            if g == 0:
                for i in range(n):
                    target[i] = a[i] & b[i] & c[i] & d[i]
            else:
                for i in range(n):
                    target[i] &= a[i] & b[i] & c[i] & d[i]
        for g in range(groups):
            period = where[g + 1] - where[g] - chunk
            offset[g] = (offset[g] + n) % period
        pos += n


@kernel("void(uint8[::1], uint32[::1], uint32[::1], uint64)")
def cross_small(line: U8, primes: U32, starts: U32, bits: Word) -> None:
    """Cross off primes with many multiples in the line, eight bits a turn.

    Eight steps of p bits are p bytes, so from a multiple at bit 0 of a byte on, the
    eight masks depend on p mod 8 alone: four loops whose masks are constants in the
    machine code, one read-modify-write a multiple and nothing else.
    """
    size = bits >> THREE
    for i in range(primes.shape[0]):
        p = np.uint64(primes[i])
        s = np.uint64(starts[i])
        while s & SEVEN and s < bits:
            line[s >> THREE] &= np.uint8(~(ONE << (s & SEVEN)))
            s += p
        q = p >> THREE
        q2 = q + q
        q3 = q2 + q
        q4 = q2 + q2
        q5 = q4 + q
        q6 = q4 + q2
        q7 = q4 + q3
        if s >= bits:
            starts[i] = s - bits
            continue
        b = s >> THREE
        kind = p & SEVEN
        last = size - p if size > p else ZERO
        if kind == np.uint64(1):
            while b < last:
                line[b] &= np.uint8(0xFE)
                line[b + q] &= np.uint8(0xFD)
                line[b + q2] &= np.uint8(0xFB)
                line[b + q3] &= np.uint8(0xF7)
                line[b + q4] &= np.uint8(0xEF)
                line[b + q5] &= np.uint8(0xDF)
                line[b + q6] &= np.uint8(0xBF)
                line[b + q7] &= np.uint8(0x7F)
                b += p
        elif kind == np.uint64(3):
            while b < last:
                line[b] &= np.uint8(0xFE)
                line[b + q] &= np.uint8(0xF7)
                line[b + q2] &= np.uint8(0xBF)
                line[b + q3 + np.uint64(1)] &= np.uint8(0xFD)
                line[b + q4 + np.uint64(1)] &= np.uint8(0xEF)
                line[b + q5 + np.uint64(1)] &= np.uint8(0x7F)
                line[b + q6 + np.uint64(2)] &= np.uint8(0xFB)
                line[b + q7 + np.uint64(2)] &= np.uint8(0xDF)
                b += p
        elif kind == np.uint64(5):
            while b < last:
                line[b] &= np.uint8(0xFE)
                line[b + q] &= np.uint8(0xDF)
                line[b + q2 + np.uint64(1)] &= np.uint8(0xFB)
                line[b + q3 + np.uint64(1)] &= np.uint8(0x7F)
                line[b + q4 + np.uint64(2)] &= np.uint8(0xEF)
                line[b + q5 + np.uint64(3)] &= np.uint8(0xFD)
                line[b + q6 + np.uint64(3)] &= np.uint8(0xBF)
                line[b + q7 + np.uint64(4)] &= np.uint8(0xF7)
                b += p
        else:
            while b < last:
                line[b] &= np.uint8(0xFE)
                line[b + q] &= np.uint8(0x7F)
                line[b + q2 + np.uint64(1)] &= np.uint8(0xBF)
                line[b + q3 + np.uint64(2)] &= np.uint8(0xDF)
                line[b + q4 + np.uint64(3)] &= np.uint8(0xEF)
                line[b + q5 + np.uint64(4)] &= np.uint8(0xF7)
                line[b + q6 + np.uint64(5)] &= np.uint8(0xFB)
                line[b + q7 + np.uint64(6)] &= np.uint8(0xFD)
                b += p
        s = b << THREE
        while s < bits:
            line[s >> THREE] &= np.uint8(~(ONE << (s & SEVEN)))
            s += p
        starts[i] = s - bits


@kernel("void(uint64[::1], uint32[::1], uint32[::1], uint64)")
def cross_medium(words: U64, primes: U32, starts: U32, bits: Word) -> None:
    """Cross off primes with few multiples in the line, without a branch that can be missed.

    A prime has bits//p multiples for certain and perhaps one more. Neighbouring primes
    share bits//p, so the inner loop's length is predicted; the last multiple is written
    always, into the spare word behind the line where there is none.
    """
    for i in range(primes.shape[0]):
        p = np.uint64(primes[i])
        s = np.uint64(starts[i])
        for _ in range(bits // p):
            words[s >> SIX] &= ~(ONE << (s & LOW6))
            s += p
        inside = s < bits
        t = s if inside else bits + (s & LOW6)
        words[t >> SIX] &= ~(ONE << (t & LOW6))
        starts[i] = s - bits + (p if inside else ZERO)


@kernel("void(uint64[:,::1], uint32[::1], int64, int64)")
def cross_large(words: U64, primes: U32, k: int, bits: int) -> None:
    """Cross off primes above 2^20 on all lines at once, with no state from before.

    The multiples p*m with m coprime to 30, from the first at or above 30k; one division
    finds it. Cost: the division and 8/30 of the segment's length over p for each prime.
    """
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
