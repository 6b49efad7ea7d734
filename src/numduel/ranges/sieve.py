"""One segment of the sieve: start the primes, pass them over the lines, list what is left."""

from __future__ import annotations

import numpy as np

from numduel.ranges.crossing import LINE, cross_medium, cross_small, lay_patterns
from numduel.ranges.kernel import I64, ONE, U8, U32, U64, ZERO, kernel
from numduel.ranges.wheel import HALO, RESIDUES

DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
BIT_OF = np.zeros(64, dtype=np.int64)
for _bit in range(64):
    BIT_OF[((int(DE_BRUIJN) << _bit) & (2**64 - 1)) >> 58] = _bit


@kernel(
    "void(uint8[:,::1], uint64[:,::1], uint8[::1], int64[::1], int64[:,::1], int64,"
    " uint32[::1], uint32[:,::1], int64, int64, int64)"
)
def sieve_lines(
    octets: U8, words: U64, patterns: U8, where: I64, phases: I64, chunk: int,
    primes: U32, starts: U32, active: int, bits: int, block: int,
) -> None:  # fmt: skip
    """One segment: every line, block by block, by patterns, then by prime size.

    Small primes have more than 64 multiples in a block, medium ones fewer; primes beyond
    twice the block pass over the whole line at once, since most blocks hold none of theirs.
    """
    small = np.searchsorted(primes[:active], np.uint32(block >> 6))
    medium = np.searchsorted(primes[:active], np.uint32(block << 1))
    for r in range(8):
        done = 0
        while done < bits:
            part = min(block, bits - done)
            first = 8 * HALO + (done >> 3)
            line = octets[r, first : first + (part >> 3)]
            lay_patterns(line, patterns, where, phases[r], chunk)
            cross_small(line, primes[:small], starts[r, :small], np.uint64(part))
            # The bit behind the block is spare for cross_medium: kept, not trusted.
            end = HALO + ((done + part) >> 6)
            spare = words[r, end]
            block_words = words[r, HALO + (done >> 6) : end + 1]
            cross_medium(
                block_words, primes[small:medium], starts[r, small:medium], np.uint64(part)
            )
            words[r, end] = spare
            done += part
        cross_medium(
            words[r, HALO:], primes[medium:active], starts[r, medium:active], np.uint64(bits)
        )


@kernel("void(uint32[::1], uint32[:,::1], int64, int64, int64)")
def activate(primes: U32, starts: U32, first: int, last: int, k: int) -> None:
    """First multiples at or after k, on every line, of the primes first..last-1.

    With 30*i = 1 mod p, line r needs k = -r*i mod p; i is (1 + t*p)/30 for the t < 30 that
    makes it whole.
    """
    for n in range(first, last):
        p = np.int64(primes[n])
        t = 0
        while (1 + t * p) % 30:
            t += 1
        inverse = (1 + t * p) // 30
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


@kernel("int64(uint64[:,::1], int64, int64, int64, int64, uint32[::1])")
def list_primes(words: U64, k: int, bits: int, low: int, high: int, found: U32) -> int:
    """Write the primes of a segment with low < p <= high, line by line; returns how many."""
    many = 0
    for line in range(8):
        for w in range(bits >> 6):
            word = words[line, HALO + w]
            at = 30 * (k + 64 * w) + RESIDUES[line]
            while word:
                bit = word & (ZERO - word)
                p = at + 30 * np.int64(BIT_OF[(bit * DE_BRUIJN) >> np.uint64(58)])
                word ^= bit
                if low < p <= high:
                    found[many] = np.uint32(p)
                    many += 1
    return many
