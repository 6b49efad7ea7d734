"""Digit Subtraction Duel over a range: ten numbers at a time, each ten remembered.

The values of the ten numbers 10t..10t+9 follow from two things only: which nonzero digits
t has, and the nine values before 10t. Few such pairs ever occur (78,892 up to 10^19, and
the count stopped growing at 10^15), so what follows from a pair is worked out once by
plain mex and then looked up. Exact: nothing is assumed.
"""

from typing import Final

import numpy as np

from numduel.known.digit_values import before
from numduel.ranges.kernel import ONE, U8, U64, Word, kernel

NINE = np.uint64(0xFFFFFFFFF)
FOUR, FIFTEEN = np.uint64(4), np.uint64(15)
SLOTS: Final = 1 << 18
DIGITS_OF = np.array(
    [sum(1 << int(d) for d in set(str(n)) - {"0"}) for n in range(1000)], dtype=np.uint64
)
"""Bit d is set when d is a nonzero digit of n."""


@kernel("uint64(uint64, uint64)")
def ten_values(digits: Word, before: Word) -> Word:
    """The next ten values, four bits each, the latest lowest; before holds nine likewise.

    digits has bit d set for each digit d of the numbers without their last one.
    """
    past = before
    for last in range(10):
        taken = digits | (ONE << np.uint64(last))
        seen = np.uint64(0)
        for d in range(1, 10):
            value = (past >> np.uint64(4 * d - 4)) & FIFTEEN
            seen |= ((taken >> np.uint64(d)) & ONE) << value
        mex = np.uint64(0)
        while (seen >> mex) & ONE:
            mex += ONE
        past = (past << FOUR) | mex
    return past & np.uint64(0xFFFFFFFFFF)


@kernel("uint64(uint8[::1], int64, uint64, uint64[:,::1])")
def write_tens(out: U8, ten: int, before: Word, memory: U64) -> Word:
    """Values of 10*ten and on into out (whole tens); returns the last nine, packed.

    memory is a table of (digits and past, what follows) addressed by a hash; a pair that
    finds another one in its place is worked out again and takes it.
    """
    slots = np.uint64(memory.shape[0] - 1)
    high = -1
    above = np.uint64(0)
    for t in range(out.shape[0] // 10):
        if (ten + t) // 1000 != high:
            high = (ten + t) // 1000
            above = np.uint64(0)
            rest = high
            while rest:
                above |= DIGITS_OF[rest % 1000]
                rest //= 1000
        digits = above | DIGITS_OF[(ten + t) % 1000]
        key = (digits << np.uint64(36)) | before
        slot = ((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)) & slots
        if memory[slot, 0] != key:
            memory[slot, 0] = key
            memory[slot, 1] = ten_values(digits, before)
        values = memory[slot, 1]
        for i in range(10):
            out[10 * t + i] = np.uint8((values >> np.uint64(36 - 4 * i)) & FIFTEEN)
        before = values & NINE
    return before


class DigitDuel:
    """Values from a multiple of ten on; each call of `write` takes the next whole tens."""

    def __init__(self, start: int) -> None:
        self._ten = start // 10
        self._before = 0
        for value in before(self._ten)[0]:
            self._before = self._before << 4 | value
        self._memory: U64 = np.full((SLOTS, 2), np.uint64(2**64 - 1), dtype=np.uint64)

    def write(self, out: U8) -> None:
        self._before = int(write_tens(out, self._ten, np.uint64(self._before), self._memory))
        self._ten += len(out) // 10
