"""Grundy values of Digit Subtraction Duel, digit by digit."""

from functools import cache

State = tuple[int, ...]
"""The values of the nine numbers before a multiple of ten, the nearest last."""
NOTHING_BEFORE: State = (0,) * 9
"""At 0: no number below 10 looks further back than 0, so these values are never used."""
PERIODIC = 5
"""From blocks of 10^5 numbers on, a block of 10^(k+2) does what one of 10^k does."""


def value(n: int) -> int:
    """The Grundy value of `n`, at any size.

    A move takes at most 9, so the nine values before a block of 10^k numbers and the digits they
    share fix the nine at its end, and a block is ten smaller ones in a row.

    Theorem (by computation, run again in the tests). On all pairs of leading digits and nine values
    that are met at sizes 5 and 6, starting from 0, blocks of 10^7 and 10^8 do what blocks of 10^5
    and 10^6 do. By induction the same holds for 10^(k+2) and 10^k, k >= 5: sizes 1 to 6 serve all.
    """
    tens, last = divmod(n, 10)
    state, leading = before(tens)
    for digit in range(last + 1):
        state = _step(leading | bit(digit), state)
    return state[-1]


def before(tens: int) -> tuple[State, int]:
    """The nine values before 10 * tens, and the set of the digits of `tens`."""
    state, leading = NOTHING_BEFORE, 0
    text = str(tens)
    for place, digit in enumerate(map(int, text)):
        for lower in range(digit):
            state = block(len(text) - place, leading | bit(lower), state)
        leading |= bit(digit)
    return state, leading


def bit(digit: int) -> int:
    """The set that holds the digit, unless it is 0, which is no move."""
    return 1 << digit & ~1


def block(size: int, leading: int, state: State) -> State:
    """The nine values at the end of the 10^size numbers that share the leading digits."""
    if size > PERIODIC + 1:
        size = PERIODIC + (size - PERIODIC) % 2
    return run(size, leading, state)


@cache
def run(size: int, leading: int, state: State) -> State:
    """The same without the theorem: ten smaller blocks in a row."""
    for digit in range(10):
        inner = leading | bit(digit)
        state = _step(inner, state) if size == 1 else run(size - 1, inner, state)
    return state


def _step(digits: int, state: State) -> State:
    """The nine values one number further, from the set of that number's digits."""
    reached = 0
    for digit in range(1, 10):
        if digits >> digit & 1:
            reached |= 1 << state[-digit]
    least = (~reached & reached + 1).bit_length() - 1
    return (*state[1:], least)
