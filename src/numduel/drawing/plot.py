"""Accuracy over time: a dot for each match, a line for the mean of the last ten."""

from __future__ import annotations

from collections.abc import Sequence

from numduel.drawing.svg import Picture

WIDTH, HEIGHT = 640, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 20, 62, 46
MEAN_OF = 10


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
    picture = Picture(WIDTH, HEIGHT, title, words)
    picture.text(20, 34, title, 18, bold=True)
    width, height = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def place(at: int, value: float) -> tuple[float, float]:
        share = at / (len(values) - 1) if len(values) > 1 else 0.5
        return _LEFT + 12 + share * (width - 24), _TOP + (1 - value) * height

    for percent in (0, 25, 50, 75, 100):
        y = _TOP + (1 - percent / 100) * height
        picture.line(_LEFT, y, WIDTH - _RIGHT, y, "line")
        picture.text(_LEFT - 8, y + 4, f"{percent}%", 12, "soft", anchor="end")
    spots = [place(at, mean) for at, mean in enumerate(means)]
    if len(spots) > 1:
        picture.add("polyline", None, "way", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in spots))
    for at, value in enumerate(values):
        x, y = place(at, value)
        picture.add("circle", None, "dot", cx=x, cy=y, r=4)
    foot = HEIGHT - 18
    picture.text(_LEFT, foot, first, 12, "soft")
    picture.text(WIDTH - _RIGHT, foot, last, 12, "soft", anchor="end")
    picture.text(
        (_LEFT + WIDTH - _RIGHT) / 2, foot, "dot: a match, line: mean of ten", 12, "soft", "middle"
    )
    return picture
