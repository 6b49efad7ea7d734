"""Make the picture that stands beside a link to numduel: `python tools/preview.py`.

It needs the extra `images` and a font of `drawing/svg.py`, and writes
src/numduel/web/static/preview.png, 1200 x 630 pixels. It is not made again by `make reference`:
another machine's fonts would draw other bytes.
"""

from pathlib import Path

from numduel import Board, Move, solve
from numduel.drawing.svg import Picture, to_png

FILE = Path(__file__).parents[1] / "src" / "numduel" / "web" / "static" / "preview.png"
START, MOVES = 25, (5, 2, 8)
"""A match of Digit Subtraction Duel: the first player leaves the other on gold, twice."""

_LEFT, _STRIP, _CELL = 27, 232, 21
_WIDE, _HIGH = 600, 315
"""Half of the PNG's size, which is drawn at twice the picture's."""


def preview() -> Picture:
    """The name, what it is, and a number line with its traps and three hops."""
    picture = Picture(_WIDE, _HIGH, "numduel", "Two players, one number.")
    picture.add("rect", x=0, y=0, width=_WIDE, height=_HIGH, kind="paper")  # no round corners
    picture.text(_LEFT, 70, "numduel", 50, bold=True)
    picture.text(_LEFT, 108, "Two players, one number.", 24, "soft")
    board = Board.parse(f"digit-subtraction-duel:{START}")
    for number in range(START + 1):
        trap = solve(Board.parse(f"digit-subtraction-duel:{number}")).outcome == "loss"
        picture.add(
            "rect", x=_middle(number) - 9, y=_STRIP, width=18, height=34, rx=4,
            kind="lost" if trap else "won",
        )  # fmt: skip
        kind = "on-gold" if trap else "ink"
        picture.text(_middle(number), _STRIP + 22, str(number), 12, kind, "middle", trap)
    for turn, amount in enumerate(MOVES):
        before = board.numbers[0].value
        board = board.play(Move(0, amount))
        _hop(picture, before, board.numbers[0].value, ("one", "two")[turn % 2])
    return picture


def _hop(picture: Picture, before: int, after: int, kind: str) -> None:
    start, end = _middle(before), _middle(after)
    top = _STRIP - 8 - (start - end)
    picture.add(
        "path", kind=kind, style="stroke-width: 4",
        d=f"M{start} {_STRIP - 6} Q{(start + end) / 2} {top} {end} {_STRIP - 6}",
    )  # fmt: skip
    picture.text((start + end) / 2, (_STRIP + top) / 2 - 8, f"−{before - after}", 18,
                 anchor="middle", bold=True)  # fmt: skip


def _middle(number: int) -> int:
    return _LEFT + 9 + number * _CELL


if __name__ == "__main__":
    FILE.write_bytes(to_png(preview()))
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")
