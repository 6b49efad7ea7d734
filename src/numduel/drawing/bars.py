"""A bar for each of several names, with the interval in which its value lies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from numduel.drawing.svg import Picture

_LEFT, _WIDTH, _ROW, _FOOT = 200, 420, 28, 18


class Bar(NamedTuple):
    """A name, and its value in figures and in words; None where there is none."""

    name: str
    value: float | None
    words: str
    interval: tuple[float, float] | None = None


def draw_bars(
    title: str, bars: Sequence[Bar], top: float | None = None, kind: str = "won"
) -> Picture:
    """The bars, one below the other; a bar of the value `top`, or the largest, is the longest."""
    longest = top or max((bar.value or 0 for bar in bars), default=0) or 1
    described = ", ".join(f"{bar.name} {bar.words}" for bar in bars)
    base = _ROW * len(bars) + 6
    picture = Picture(_LEFT + _WIDTH + 80, base + _FOOT, title, f"{described}.")
    for row, bar in enumerate(bars):
        y = _ROW * row
        picture.text(8, y + 18, bar.name, 13)
        end = _WIDTH * (bar.value or 0) / longest
        if bar.value is not None:
            picture.add("rect", None, kind, x=_LEFT, y=y + 5, width=end, height=16)
        if bar.interval:
            low, high = (_LEFT + _WIDTH * bound / longest for bound in bar.interval)
            shape = f"M{low:.1f} {y + 13}H{high:.1f}M{low:.1f} {y + 8}v10M{high:.1f} {y + 8}v10"
            picture.add("path", None, "way", d=shape)
            end = max(end, high - _LEFT)
        picture.text(_LEFT + end + 8, y + 18, bar.words, 13)
    picture.add("path", None, "line", d=f"M{_LEFT} 0V{base}H{_LEFT + _WIDTH}")
    return picture
