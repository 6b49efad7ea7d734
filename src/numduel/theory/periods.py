"""Periods with proof: where the last values come back, all that follows comes back too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Period(NamedTuple):
    """From `start` on, the value at n is the value at n + `length`."""

    start: int
    length: int

    def reduced(self, n: int) -> int:
        """The smallest number with the value of `n` that the period gives."""
        over = n - self.start
        return n if over < self.length else self.start + over % self.length


def proved_period(values: Sequence[int], reach: int) -> Period | None:
    """The period of values of which each follows from the `reach` values before it.

    Theorem: if the last `reach` values also stand p places earlier, the values
    repeat every p from there on, since every later value is computed from equal
    ones. The nearest such place gives the least period; the period then begins
    after the last number whose value differs from the one p places later.
    """
    text = "".join(map(chr, values))
    window = len(text) - reach
    earlier = text.rfind(text[window:], 0, len(text) - 1)
    if earlier < 0:
        return None
    return Period(_agrees_from(text, window - earlier), window - earlier)


def seen_period(values: Sequence[int]) -> Period | None:
    """A period that the values show, for two whole turns at least: seen, not proved."""
    text = "".join(map(chr, values))
    third = len(text) // 3
    earlier = text.rfind(text[len(text) - third :], 0, len(text) - 1)
    if earlier < 0:
        return None
    length = len(text) - third - earlier
    start = _agrees_from(text, length)
    return Period(start, length) if len(text) - start >= 3 * length else None


def _agrees_from(text: str, length: int) -> int:
    """The least number from which on every letter agrees with the one `length` later."""
    high = len(text) - length
    low = 0
    while low < high:
        middle = (low + high) // 2
        if text[middle:-length] == text[middle + length :]:
            high = middle
        else:
            low = middle + 1
    return high
