"""The move graph: every position that can come up, and the moves between them."""

from __future__ import annotations

from collections.abc import Mapping

from numduel.arguments import checked
from numduel.drawing.svg import Picture

_STEP, _MARGIN, _HEAD = 40, 34, 60


@checked
def draw_graph(
    title: str, lost: Mapping[int, bool], moves: Mapping[int, tuple[int, ...]]
) -> Picture:
    """Numbers in a row, the largest first. Moves that win run above, the others below."""
    ordered = sorted(lost, reverse=True)
    at = {n: _MARGIN + place * _STEP for place, n in enumerate(ordered)}
    spans = [(n, after) for n in ordered for after in moves[n]]
    above = max((at[b] - at[a] for a, b in spans if lost[b]), default=0) / 2.6
    below = max((at[b] - at[a] for a, b in spans if not lost[b]), default=0) / 2.6
    width = max(2 * _MARGIN + (len(ordered) - 1) * _STEP, 430)
    middle = _HEAD + above + 22
    traps = ", ".join(str(n) for n in ordered if lost[n])
    title = f"{title}: moves from {ordered[0]}"
    words = f"{len(spans)} moves between {len(ordered)} numbers. Traps: {traps}."
    picture = Picture(width, middle + below + 22 + 52, title, words)
    picture.text(_MARGIN - 14, 34, title, 18, bold=True)
    for wins in (False, True):
        for a, b in spans:
            if lost[b] == wins:
                _arc(picture, at[a], at[b], middle, wins)
    for n in ordered:
        if lost[n]:
            picture.box(at[n] - 14, middle - 14, 28, "lost")
            picture.diamond(at[n] + 9, middle - 9, 3)
        else:
            picture.add("circle", None, "won", cx=at[n], cy=middle, r=14)
        size = 13 if n < 1000 else 9.5
        kind = "on-gold" if lost[n] else "ink"
        picture.text(at[n], middle + 5, str(n), size, kind, anchor="middle", bold=lost[n])
    foot = picture.height - 16
    picture.line(_MARGIN - 14, foot - 5, _MARGIN + 10, foot - 5, "way")
    picture.text(_MARGIN + 18, foot, "above: a move that wins", 13)
    picture.line(_MARGIN + 200, foot - 5, _MARGIN + 224, foot - 5, "other")
    picture.text(_MARGIN + 232, foot, "below: any other move", 13)
    return picture


def _arc(picture: Picture, start: float, end: float, middle: float, wins: bool) -> None:
    reach, side = (end - start) / 2.6 * (-1 if wins else 1), (-14 if wins else 14)
    y = middle + side
    # A curve whose control points lie 4/3 as far out reaches just `reach`.
    shape = (
        f"M{start:.1f} {y:.1f}C{start:.1f} {y + reach * 4 / 3:.1f} "
        f"{end:.1f} {y + reach * 4 / 3:.1f} {end:.1f} {y:.1f}"
    )
    picture.add("path", None, "way" if wins else "other", d=shape)
