"""Shares as plots: accuracy over time, also in a terminal; curves of several names; and bars."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from numduel.drawing.svg import Paint, Picture

WIDTH, HEIGHT = 640, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 20, 62, 46
MEAN_OF = 10
_NAMES, _LONGEST, _KEY = 130, 17, 30  # of curves: room for names, the longest, room below
_BARS_LEFT, _LONGEST_BAR, _ROW, _FOOT = 200, 420, 28, 18


def running_means(values: Sequence[float]) -> list[float]:
    """The mean of each value and up to nine before it."""
    windows = [values[max(0, at - MEAN_OF + 1) : at + 1] for at in range(len(values))]
    return [sum(window) / len(window) for window in windows]


def draw_plot(title: str, values: Sequence[float], first: str = "", last: str = "") -> Picture:
    """The values, each from 0 to 1, from left to right; the dates of the first and the last."""
    means = running_means(values)
    words = f"{len(values)} matches."
    if means:
        words += f" The mean of the last {min(len(values), MEAN_OF)} is {means[-1]:.0%}."
    right = WIDTH - _RIGHT
    picture = _scaled(HEIGHT, title, words, right)
    xs = _across(len(values), right)
    if len(means) > 1:
        picture.way(zip(xs, map(_up, means), strict=True))
    for x, value in zip(xs, values, strict=True):
        picture.circle(x, _up(value))
    foot, says = HEIGHT - 18, "dot: a match, line: mean of ten"
    picture.text(_LEFT, foot, first, 12, "soft")
    picture.text(right, foot, last, 12, "soft", anchor="end")
    picture.text((_LEFT + right) / 2, foot, says, 12, "soft", "middle")
    return picture


def plot_lines(values: Sequence[float], paint: Paint, height: int = 8, most: int = 60) -> list[str]:
    """Accuracy over time: `o` is a match, `-` the mean of the last ten; the last `most` matches."""
    means = running_means(values)[-most:]
    shown = list(values)[-most:]
    lines = []
    for level in range(height, -1, -1):
        row = ""
        for value, mean in zip(shown, means, strict=True):
            here = round(value * height) == level
            row += "o" if here else ("-" if round(mean * height) == level else " ")
        lines.append(f"{level * 100 // height:>4}% {paint('|', 'soft')}{row.rstrip()}")
    return [*lines, f"{'':5} +{'-' * max(len(shown), 10)}", f"{'':7}o: a match  -: mean of ten"]


class Spot(NamedTuple):
    value: float
    interval: tuple[float, float]


def draw_curves(
    title: str,
    steps: Sequence[str],
    curves: Mapping[str, Sequence[Spot | None]],
    beside: Collection[str] = (),
) -> Picture:
    """A line for each name over the steps, from left to right; those `beside` are drawn thin.

    A spot's stroke is its interval. None leaves a gap in the dots, not in the line.
    """
    ends = {name: next((s.value for s in reversed(c) if s), 0.0) for name, c in curves.items()}
    words = ", ".join(f"{name} {value:.0%}" for name, value in ends.items())
    right = WIDTH - _RIGHT - _NAMES
    picture = _scaled(HEIGHT + _KEY, title, f"At the last step: {words}.", right)
    xs = _across(len(steps), right)
    for x, step in zip(xs, steps, strict=True):
        picture.text(x, HEIGHT - 22, step, 12, "soft", "middle")
    for name, curve in sorted(curves.items(), key=lambda item: item[0] not in beside):
        spots = [(x, spot) for x, spot in zip(xs, curve, strict=True) if spot]
        heights = ((x, _up(spot.value)) for x, spot in spots)
        picture.way(heights, "other" if name in beside else "way")
        for x, spot in spots if name not in beside else ():
            low, high = map(_up, spot.interval)
            picture.line(x, low, x, high, "one")
            picture.circle(x, _up(spot.value))
    by_value = sorted(ends.items(), key=lambda item: -item[1])
    free = 0.0  # no name stands on another: 14 below the last, or beside the end of its line
    for name, value in by_value:
        y = max(_up(value), free)
        free = y + 14
        shown = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
        picture.text(right + 8, y + 4, shown, 12, "soft" if name in beside else "ink")
    return picture


def _across(count: int, right: float) -> list[float]:
    """Where so many spots stand from left to right; a single one in the middle."""
    shares = (at / (count - 1) if count > 1 else 0.5 for at in range(count))
    return [_LEFT + 12 + share * (right - _LEFT - 24) for share in shares]


def _up(value: float) -> float:
    return _TOP + (1 - value) * (HEIGHT - _TOP - _BOTTOM)


def _scaled(height: int, title: str, words: str, right: float) -> Picture:
    picture = Picture(WIDTH, height, title, words)
    picture.text(20, 34, title, 18, bold=True)
    for percent in (0, 25, 50, 75, 100):
        y = _up(percent / 100)
        picture.line(_LEFT, y, right, y, "line")
        picture.text(_LEFT - 8, y + 4, f"{percent}%", 12, "soft", anchor="end")
    return picture


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
    picture = Picture(_BARS_LEFT + _LONGEST_BAR + 80, base + _FOOT, title, f"{described}.")
    for row, bar in enumerate(bars):
        y = _ROW * row
        picture.text(8, y + 18, bar.name, 13)
        end = _LONGEST_BAR * (bar.value or 0) / longest
        if bar.value is not None:
            picture.add("rect", None, kind, x=_BARS_LEFT, y=y + 5, width=end, height=16)
        if bar.interval:
            low, high = (_BARS_LEFT + _LONGEST_BAR * bound / longest for bound in bar.interval)
            shape = f"M{low:.1f} {y + 13}H{high:.1f}M{low:.1f} {y + 8}v10M{high:.1f} {y + 8}v10"
            picture.add("path", None, "way", d=shape)
            end = max(end, high - _BARS_LEFT)
        picture.text(_BARS_LEFT + end + 8, y + 18, bar.words, 13)
    picture.add("path", None, "line", d=f"M{_BARS_LEFT} 0V{base}H{_BARS_LEFT + _LONGEST_BAR}")
    return picture
