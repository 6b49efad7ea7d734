"""The path of a match over the number line: one row for each turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from numduel.drawing.svg import Picture

_ROW = 30
_HEAD = 84
_LEFT, _LINE, _RIGHT = 190, 380, 270
_SHOWN = 300
"""The most turns that are drawn; the rest of a longer match is left out."""


class Station(NamedTuple):
    """A number as a turn left it: who moved, what is said of the turn, which number it was.

    `lost` says whether the other player was left a trap; None where that is not
    known. The first stations, one for each number, have no `who`.
    """

    number: int
    who: str
    move: str
    said: str
    lost: bool | None
    mistake: bool = False
    place: int = 0


def draw_path(title: str, starts: Sequence[int], stations: Sequence[Station]) -> Picture:
    """The numbers at the start, and the stations of the match from top to bottom."""
    shown = stations[:_SHOWN]
    description = " ".join(
        f"Turn {turn}: {s.who} {s.move}, {s.said}." for turn, s in enumerate(shown, 1)
    )
    height = _HEAD + (len(shown) + 1) * _ROW + 40
    picture = Picture(_LEFT + _LINE + _RIGHT, height, title, description or "No moves yet.")
    picture.text(20, 34, title, min(18, 1200 / len(title)), bold=True)
    most = max(*starts, 1)

    def x_of(number: int) -> float:
        return _LEFT + _LINE * (number * 10_000 // most) / 10_000

    top, bottom = _HEAD - 8, _HEAD + (len(shown) + 0.5) * _ROW
    for quarter in range(5):
        x = _LEFT + _LINE * quarter / 4
        picture.line(x, top, x, bottom, "line")
        label = most * quarter // 4
        picture.text(x, top - 8, _tick(label), 11, "soft", anchor="middle")
    at = {place: (x_of(number), _HEAD + 6.0) for place, number in enumerate(starts)}
    for turn, station in enumerate(shown, 1):
        x, y = x_of(station.number), _HEAD + 6.0 + turn * _ROW
        before = at[station.place]
        picture.line(*before, x, y, ("one", "two")[station.place % 2])
        at[station.place] = (x, y)
    for number in starts:
        picture.add("circle", None, "dot", cx=x_of(number), cy=_HEAD + 6.0, r=5)
    picture.text(20, _HEAD + 11, "start", 13, "soft")
    for turn, station in enumerate(shown, 1):
        _station(picture, turn, station, x_of(station.number), _HEAD + 6.0 + turn * _ROW)
    _legend(picture, height - 18)
    if len(stations) > _SHOWN:
        picture.text(20, height - 14, f"The first {_SHOWN} of {len(stations)} turns.", 12, "soft")
    return picture


def _legend(picture: Picture, y: float) -> None:
    entries = (("lost", 0, "a trap is left"), ("won", 140, "no trap is left"), ("bad", 300, ""))
    for kind, right, words in entries:
        x = _LEFT + right
        if kind == "lost":
            picture.add("rect", None, kind, x=x - 7, y=y - 11, width=14, height=14, rx=2)
            picture.diamond(x, y - 4, 4)
        else:
            picture.add("circle", None, kind, cx=x, cy=y - 4, r=7)
        picture.text(x + 16, y, words or "a win thrown away", 12, "soft")


def _station(picture: Picture, turn: int, station: Station, x: float, y: float) -> None:
    if station.lost:
        picture.add("rect", None, "lost", x=x - 7, y=y - 7, width=14, height=14, rx=2)
        picture.diamond(x, y, 4)
    else:
        picture.add("circle", None, "won", cx=x, cy=y, r=7)
    if station.mistake:
        picture.add("circle", None, "bad", cx=x, cy=y, r=12)
    picture.text(20, y + 5, _cut(f"{turn}. {station.who}: {station.move}", 23), 13)
    right = _LEFT + _LINE + 18
    kind = "wrong" if station.mistake else "soft"
    picture.text(right, y + 5, _cut(station.said, 40), 12, kind, bold=station.mistake)


def _tick(number: int) -> str:
    return str(number) if number < 10**9 else f"{len(str(number))} digits"


def _cut(words: str, limit: int) -> str:
    return words if len(words) <= limit else f"{words[: limit - 3]}..."
