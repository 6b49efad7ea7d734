"""A card to share: what was played, how it ended, its path, and the match's notation."""

from __future__ import annotations

from collections.abc import Sequence

from numduel.drawing.svg import Picture

WIDTH, HEIGHT = 640, 336
_PER_LINE = 62


def draw_card(heading: str, lines: Sequence[str], numbers: Sequence[int], notation: str) -> Picture:
    """`numbers` is the number that was played on, from the start to the end."""
    picture = Picture(WIDTH, HEIGHT, heading, " ".join([*lines, f"The match: {notation}"]))
    picture.text(28, 50, heading, min(24, 900 / len(heading)), bold=True)
    for at, line in enumerate(lines):
        picture.text(28, 82 + 22 * at, line, 15, "soft")
    top, bottom = 138, 236
    most = max(*numbers, 1)
    count = max(len(numbers) - 1, 1)
    spots = [
        (40 + 560 * at / count, bottom - (bottom - top) * (n * 1000 // most) / 1000)
        for at, n in enumerate(numbers)
    ]
    picture.line(28, bottom + 8, WIDTH - 28, bottom + 8, "line")
    if len(spots) > 1:
        picture.add("polyline", None, "way", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in spots))
    for at, (x, y) in enumerate(spots[:80]):
        picture.add("circle", None, "dot", cx=x, cy=y, r=4)
        if len(spots) <= 14 and numbers[at] < 10**6:
            picture.text(x, y - 9, str(numbers[at]), 13, anchor="middle")
    rows = [notation[start : start + _PER_LINE] for start in range(0, len(notation), _PER_LINE)]
    if len(rows) > 2:
        rows = [rows[0], f"{rows[1][:-3]}..."]
    for at, row in enumerate(rows):
        picture.add("text", row, "ink mono", x=28, y=276 + 20 * at, font_size=15)
    picture.text(WIDTH - 28, HEIGHT - 14, "numduel", 13, "soft", anchor="end")
    return picture
