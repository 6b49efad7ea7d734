"""Periods of values: proved where the last values come back, seen elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Period(NamedTuple):
    """g(n + length) = g(n) for every n >= start; for ever, or as far as was seen."""

    start: int
    length: int
    proved: bool

    def reduced(self, n: int) -> int:
        """The smallest number with the value of `n` that the period gives."""
        over = n - self.start
        return n if over < self.length else self.start + over % self.length


def proved_period(values: Sequence[int], reach: int) -> Period | None:
    """The period of values of which each follows from the `reach` values before it.

    Theorem: if the last `reach` values also stand p places earlier, the values
    repeat every p from there on, since every later value is computed from equal
    ones. The nearest such place gives the least period; the period then begins
    after the last number whose value differs from the one p places later. It takes
    more than `reach` values: then p > 0, and start + p + reach is at most their count.

    >>> proved_period([5, 0, 1, 0, 1, 0], 1)
    Period(start=1, length=2, proved=True)
    """
    if not 0 < reach < len(values):
        return None
    text = "".join(map(chr, values))
    window = len(text) - reach
    earlier = text.rfind(text[window:], 0, len(text) - 1)
    if earlier < 0:
        return None
    length = window - earlier
    return Period(_agrees_from(text, length), length, proved=True)


def seen_period(values: Sequence[int], turns: int = 3) -> Period | None:
    """The shortest period that the values end in, seen so often: it may end beyond them.

    >>> seen_period([5, 0, 1, 0, 1, 0, 1])
    Period(start=1, length=2, proved=False)
    """
    text = "".join(map(chr, values))
    for length in range(1, len(text) // turns + 1):
        if text[-(turns - 1) * length :] == text[-turns * length : -length]:
            return Period(_agrees_from(text, length), length, proved=False)
    return None


def _agrees_from(text: str, length: int) -> int:
    """The least number from which on every letter agrees with the one `length` later."""
    low, high = 0, len(text) - length
    while low < high:
        middle = (low + high) // 2
        if text[middle:-length] == text[middle + length :]:
            high = middle
        else:
            low = middle + 1
    return high
