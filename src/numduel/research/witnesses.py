"""Grundy values of Subtract a Prime shown right, number by number, by witnesses.

Say that the values below n are known and keep to their classes (`CLASSES`), but for the listed
exceptions (`EXCEPTIONS`). Then v is the value of n when
  (a) v is in the class of n, so that the hypothesis holds for n + 1 too;
  (b) no prime leads from n to v: 2 leads to n-2, 5 is the only prime from a 9 to a 9, and where
      only exceptions e have v, no n-e may be prime;
  (c) every u < v has a witness: a prime p with g(n-p) = u, small, or with n-p small.
So a range is settled, wherever the guess came from (docs/paper.md, "Values"). The local rule is
checked beside it in its own words. Sets of values are 16-bit masks, even and odd numbers apart.
"""

from typing import Final

import numpy as np

from numduel.known import EVEN, LOOK_BACK, NINES, ODD, USUAL
from numduel.ranges.kernel import I64, U8, U16, kernel

HALF: Final = LOOK_BACK // 2
CHUNK: Final = 2048
"""Numbers of one parity settled at a time, small enough for the caches."""
SPREAD: Final = 100
"""Primes tried on all even numbers at once; what is left then is tried one by one."""
NINE: Final = 1 << 9
Masks = tuple[U16, U16]


def _brought(listed: dict[int, tuple[int, ...]]) -> I64:
    return np.array([[(e + 1) // 2, v] for v, few in listed.items() for e in few], dtype=np.int64)


def _masks(even: int, odd: int, residues: tuple[int, ...] = NINES) -> Masks:
    """The masks by residue mod 30, the bit of 9 turned at these residues.

    Even and odd residues apart, twice over and a chunk longer.
    """
    row = [(odd if r % 2 else even) ^ NINE * (r in residues) for r in range(30)]
    masks = np.array(row, dtype=np.uint16)
    return np.resize(masks[::2], CHUNK + 15), np.resize(masks[1::2], CHUNK + 15)


EXCEPTIONS: Final = (_brought(ODD), _brought(EVEN))
"""By the parity of n: n - e prime brings the value of e into reach."""
CLASSES: Final = _masks(*USUAL)
ALWAYS: Final = _masks(USUAL[1] | NINE, USUAL[0] | NINE)
"""What the local rule puts into R(n) at once."""
IF_FIVE: Final = _masks(0, 0, NINES[1:])
"""What it puts there when n-5 has it."""


@kernel(
    "UniTuple(int64, 2)(uint8[::1], uint8[::1], int64, int64[::1], UniTuple(int64[:,::1], 2),"
    " UniTuple(uint16[::1], 2), UniTuple(uint16[::1], 2), UniTuple(uint16[::1], 2),"
    " int64[::1], int64[::1], int64[:,::1])"
)
def unproved(
    values: U8, flags: U8, low: int, primes: I64, exceptions: tuple[I64, I64],
    classes: Masks, always: Masks, if_five: Masks, begin: I64, places: I64, pending: I64,
) -> tuple[int, int]:  # fmt: skip
    """A number that fails (a) or (b) or breaks the local rule, the first of its parity in a chunk,
    or -1; and how many rows (n, mask of values without a witness yet) were written to pending.

    values[i] belongs to low + i; low is even. The first LOOK_BACK values are taken as known, the
    rest is shown. The last flag says whether the last odd number of the range is prime, those
    before it go back in twos. Row 16 * parity + v of (begin, places) lists small numbers of the
    parity that have value v.
    """
    size = values.shape[0] // 2
    evens = np.empty(size, np.uint16)
    odds = np.empty(size, np.uint16)
    for k in range(size):
        evens[k] = np.uint16(1) << np.uint16(values[2 * k])
        odds[k] = np.uint16(1) << np.uint16(values[2 * k + 1])
    reach = np.empty(CHUNK, np.uint16)
    need = np.empty(CHUNK, np.uint16)
    wrong = np.empty(CHUNK, np.uint16)
    many = 0
    odd = flags[flags.shape[0] - size :]
    back = flags.shape[0] - size
    s = HALF
    while s < size:
        n = min(CHUNK, size - s)
        phase = (low // 2 + s) % 15
        for parity in range(2):
            mine, others = (odds, evens) if parity else (evens, odds)
            here, before = mine[s : s + n], mine[s - 1 : s - 1 + n]
            five = evens[s - 2 : s - 2 + n] if parity else odds[s - 3 : s - 3 + n]
            for k in range(n):
                reach[k] = before[k]
            listed = exceptions[parity]
            for t in range(listed.shape[0]):
                prime = odd[s - listed[t, 0] : s - listed[t, 0] + n]
                up = np.uint16(listed[t, 1])
                for k in range(n):
                    reach[k] |= np.uint16(prime[k]) << up
            group, sure = classes[parity][phase:], always[parity][phase:]
            maybe = if_five[parity][phase:]
            fails = np.uint16(0)
            for k in range(n):
                v = here[k]
                below = v - np.uint16(1)
                rule = reach[k] | sure[k] | (five[k] & maybe[k])
                five_nine = five[k] & v & np.uint16(NINE)
                wrong[k] = (v & ~group[k]) | (v & rule) | (below & ~rule) | five_nine
                need[k] = below & ~reach[k]
                fails |= wrong[k]
            if fails:
                for k in range(n):
                    if wrong[k]:
                        return low + 2 * (s + k) + parity, many
            for t in range(SPREAD if parity == 0 else 0):
                shift = s - (primes[t] + 1) // 2
                there = others[shift : shift + n]
                for k in range(n):
                    need[k] &= ~there[k]
            for k in range(n):
                left = need[k]
                if not left:
                    continue
                for t in range(primes.shape[0]):
                    left &= ~others[s + k - (primes[t] + 1 - parity) // 2]
                    if not left:
                        break
                n_here = low + 2 * (s + k) + parity
                for v in range(16):
                    if (left >> np.uint16(v)) & np.uint16(1):
                        row = 16 * (1 - parity) + v
                        for t in range(begin[row], begin[row + 1]):
                            at = back + (n_here - places[t] - 1 - low) // 2
                            if at < 0 or places[t] >= n_here:
                                continue
                            if flags[at]:
                                left &= ~(np.uint16(1) << np.uint16(v))
                                break
                if left:
                    pending[many, 0] = n_here
                    pending[many, 1] = left
                    many += 1
                    if many == pending.shape[0]:
                        return -1, many
        s += n
    return -1, many
