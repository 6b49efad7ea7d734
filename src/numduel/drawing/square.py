"""The hundred square: a map of the traps, or of Grundy values; a small one; and the move graph.

Each as a picture, and the same as lines of text for a terminal.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from numduel.arguments import checked
from numduel.drawing.svg import DARK, LIGHT, Paint, Picture

SIZE = 46
_MARGIN, _HEAD, _FOOT = 20, 56, 40
_SHADES = ("#eaf2f9", "#d3e4f2", "#b9d5ea", "#9cc4e0", "#7db0d5", "#5f9bc8", "#4486b9", "#2f71a7",
           "#1f5d92", "#134a7a", "#0b3961")  # fmt: skip
"""For the values from 1 on; those beyond the last have its shade."""
_WHITE_FROM = 6
COLUMNS, ROWS, _SMALL = 10, 5, 8  # of a thumbnail: its squares, and the size of one
_STEP, _SIDE, _TOP = 40, 34, 60  # of a move graph: from number to number, and the room around them
LEGEND = "[n] is a trap: whoever must move here loses."


class Cell(NamedTuple):
    """One number of a map: whether it is a trap, and its Grundy value."""

    number: int
    lost: bool | None  # None where it is too large to be known
    value: int | None = None  # None under misère, and where it was not asked for


@checked
def draw_square(title: str, cells: Sequence[Cell], columns: int) -> Picture:
    """The map of traps, which stand out by a frame, a diamond and gold."""
    picture = _frame(f"{title}: the traps", _listing(cells), cells, columns)
    for cell, x, y in _placed(cells, columns):
        inset, kind = (2, "on-gold") if cell.lost else (1, "ink")
        colour = {True: "lost", False: "won", None: "other"}[cell.lost]
        picture.box(x + inset, y + inset, SIZE - 2 * inset, colour)
        spot = (x + SIZE / 2, y + SIZE / 2 + 6)
        size = 16 if cell.number < 1000 else 13
        picture.text(*spot, in_a_cell(cell.number), size, kind, "middle", bool(cell.lost))
        if cell.lost:
            picture.diamond(x + SIZE - 9, y + 9, 4)
    at = picture.height - 16
    legend = [(0, "lost", "trap: whoever must move here loses"), (290, "won", "no trap")]
    legend += [(380, "other", "not known")] * any(cell.lost is None for cell in cells)
    for right, kind, words in legend:
        picture.box(_MARGIN + right, at - 14, 18, kind, rx=3)
        picture.text(_MARGIN + right + 26, at, words, 13)
    picture.diamond(_MARGIN + 9, at - 5, 5)
    return picture


@checked
def draw_values(title: str, cells: Sequence[Cell], columns: int) -> Picture:
    """Grundy values: the value in large figures, the number in small ones, darker is more."""
    highest = max((cell.value or 0 for cell in cells), default=0)
    words = f"Grundy values from 0 to {highest}. A number with the value 0 is a trap."
    picture = _frame(f"{title}: Grundy values", words, cells, columns)
    for cell, x, y in _placed(cells, columns):
        value, kind, ink = cell.value or 0, "on-gold", ""
        if value:
            shade, kind = min(value, len(_SHADES)) - 1, ""
            ink = "#ffffff" if shade >= _WHITE_FROM else "#1c2126"
            picture.box(x + 1, y + 1, SIZE - 2, "", fill=_SHADES[shade])
        else:
            picture.box(x + 2, y + 2, SIZE - 4, "lost")
            picture.diamond(x + SIZE - 9, y + 9, 4)
        picture.text(x + 6, y + 14, in_a_cell(cell.number), 9.5, kind, fill=ink)
        spot = (x + SIZE / 2, y + SIZE / 2 + 12)
        picture.text(*spot, str(value), 18, kind, "middle", not value, ink)
    words = "Large: the Grundy value (0: a trap). Small: the number."
    picture.text(_MARGIN, picture.height - 16, words, 13)
    return picture


def in_a_cell(number: int) -> str:
    """The number, or the last digits of one that is too long for its cell."""
    return str(number) if number < 10_000 else f"…{number % 1000:03}"


def _frame(title: str, description: str, cells: Sequence[Cell], columns: int) -> Picture:
    rows = -(-len(cells) // columns)
    width = max(columns * SIZE + 2 * _MARGIN, 400)
    picture = Picture(width, rows * SIZE + _HEAD + _FOOT, title, description)
    size = 18 if len(title) < width / 11 else 14
    picture.text(_MARGIN, 34, title, size, bold=True)
    return picture


def _placed(cells: Sequence[Cell], columns: int) -> Iterator[tuple[Cell, int, int]]:
    for place, cell in enumerate(cells):
        yield cell, _MARGIN + place % columns * SIZE, _HEAD + place // columns * SIZE


def _listing(cells: Sequence[Cell]) -> str:
    numbers = [str(cell.number) for cell in cells if cell.lost]
    known = all(cell.lost is not None for cell in cells)
    others = "No other number is a trap." if known else "Some of the others are not known."
    if not numbers:
        return "No number is a trap." if known else others
    shown = ", ".join(numbers[:60]) + (f" and {len(numbers) - 60} more" * (len(numbers) > 60))
    return f"Traps: {shown}. {others}"


def draw_thumbnail(lost: Iterable[int]) -> str:
    """The numbers from 1 to 50, the traps in gold; not for screen readers: words stand beside."""
    places = [divmod(n - 1, COLUMNS) for n in sorted(lost) if 1 <= n <= COLUMNS * ROWS]
    traps = "".join(f"M{across * _SMALL} {down * _SMALL}h7v7h-7z" for down, across in places)
    rows = "".join(f"M0 {row * _SMALL + 3.5}h{COLUMNS * _SMALL}" for row in range(ROWS))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {COLUMNS * _SMALL - 1} '
        f'{ROWS * _SMALL - 1}"><style>{_style(LIGHT)}@media(prefers-color-scheme:dark)'
        f'{{{_style(DARK)}}}</style><path class="w" d="{rows}"/><path class="l" d="{traps}"/></svg>'
    )


def _style(colours: dict[str, str]) -> str:
    return (
        f".w{{stroke:{colours['won_edge']};stroke-width:7;stroke-dasharray:7 1}}"
        f".l{{fill:{colours['gold']};stroke:{colours['gold_edge']}}}"
    )


@checked
def draw_graph(
    title: str, lost: Mapping[int, bool], moves: Mapping[int, tuple[int, ...]]
) -> Picture:
    """Numbers in a row, the largest first. Moves that win run above, the others below."""
    ordered = sorted(lost, reverse=True)
    at = {n: _SIDE + place * _STEP for place, n in enumerate(ordered)}
    spans = [(n, after) for n in ordered for after in moves[n]]
    above = max((at[b] - at[a] for a, b in spans if lost[b]), default=0) / 2.6
    below = max((at[b] - at[a] for a, b in spans if not lost[b]), default=0) / 2.6
    width = max(2 * _SIDE + (len(ordered) - 1) * _STEP, 430)
    middle = _TOP + above + 22
    traps = ", ".join(str(n) for n in ordered if lost[n])
    title = f"{title}: moves from {ordered[0]}"
    words = f"{len(spans)} moves between {len(ordered)} numbers. Traps: {traps}."
    picture = Picture(width, middle + below + 22 + 52, title, words)
    picture.text(_SIDE - 14, 34, title, 18, bold=True)
    for wins, side, kind in ((False, 1, "other"), (True, -1, "way")):
        for a, b in spans:
            if lost[b] == wins:
                y, reach = middle + 14 * side, (at[b] - at[a]) / 2.6 * side
                # A curve whose control points lie 4/3 as far out reaches just `reach`.
                start, end, far = (f"{one:.1f}" for one in (at[a], at[b], y + reach * 4 / 3))
                shape = f"M{start} {y:.1f}C{start} {far} {end} {far} {end} {y:.1f}"
                picture.add("path", None, kind, d=shape)
    for n in ordered:
        if lost[n]:
            picture.box(at[n] - 14, middle - 14, 28, "lost")
            picture.diamond(at[n] + 9, middle - 9, 3)
        else:
            picture.circle(at[n], middle, 14, "won")
        size = 13 if n < 1000 else 9.5
        kind = "on-gold" if lost[n] else "ink"
        picture.text(at[n], middle + 5, str(n), size, kind, anchor="middle", bold=lost[n])
    foot = picture.height - 16
    picture.line(_SIDE - 14, foot - 5, _SIDE + 10, foot - 5, "way")
    picture.text(_SIDE + 18, foot, "above: a move that wins", 13)
    picture.line(_SIDE + 200, foot - 5, _SIDE + 224, foot - 5, "other")
    picture.text(_SIDE + 232, foot, "below: any other move", 13)
    return picture


def fitting_columns(cells: Sequence[Cell], width: int) -> int:
    """How many numbers of a square stand in a row of this width: 20, 10, 5 or fewer."""
    each = len(str(cells[-1].number)) + 2 if cells else 1
    most = max(1, width // each)
    return next((columns for columns in (20, 10, 5) if columns <= most), most)


def square_lines(
    cells: Sequence[Cell], columns: int, paint: Paint, way: Sequence[int] = ()
) -> list[str]:
    """The hundred square: traps in brackets, and between arrows where one is, or has been."""
    width = len(str(cells[-1].number)) if cells else 1
    lost = {cell.number for cell in cells if cell.lost}

    def shown(cell: Cell) -> str:
        text = f"{cell.number:>{width}}"
        if cell.number in way:
            return paint(f">{text}<", "here lost" if cell.lost else "here")
        return paint(f"[{text}]", "lost") if cell.lost else paint(f" {text} ", "won")

    told = []
    if len(way) == 1:
        told = [f">{way[0]}<: you are here, and it is {'a' if way[0] in lost else 'no'} trap."]
    elif way:
        taken = [f"[{n}]" if n in lost else str(n) for n in way]
        told = [f">n< is the path of this match: {' -> '.join(taken)}"]
    return [*_rows([shown(cell) for cell in cells], columns), "", LEGEND, *told]


def value_lines(cells: Sequence[Cell], columns: int, paint: Paint) -> list[str]:
    """Grundy values, with the first number of each row before it."""
    width = max((len(str(cell.value)) for cell in cells), default=1)
    label = len(str(cells[-1].number)) if cells else 1
    shown = [
        paint(f"[{c.value:>{width}}]", "lost") if c.lost else paint(f" {c.value:>{width}} ", "won")
        for c in cells
    ]
    firsts = [cell.number for cell in cells[::columns]]
    rows = zip(firsts, _rows(shown, columns), strict=True)
    lines = [f"{paint(f'{first:>{label}}:', 'soft')} {row}" for first, row in rows]
    return [*lines, "", "Grundy values; each row begins at the number before it. [0] is a trap."]


def graph_lines(
    lost: Mapping[int, bool], moves: Mapping[int, tuple[int, ...]], paint: Paint, columns: int
) -> list[str]:
    """Each number with those that a move leads to, within this many columns; traps in brackets."""
    width = max(len(str(n)) for n in lost) + 2
    lines = []
    for n in sorted(lost, reverse=True):
        plain = f"[{n}]" if lost[n] else f"{n} "
        line = " " * (width - len(plain)) + (paint(plain, "lost") if lost[n] else plain) + " ->"
        used = width + 3
        for after in moves[n]:
            text = f"[{after}]" if lost[after] else str(after)
            comma = "," if after != moves[n][-1] else ""
            if used + len(f" {text}{comma}") > columns:
                lines.append(line)
                line, used = " " * (width + 3), width + 3
            line += f" {paint(text, 'lost') if lost[after] else text}{comma}"
            used += len(f" {text}{comma}")
        lines.append(line if moves[n] else f"{line} no move")
    return [*lines, "", f"{LEGEND} Leave a trap to win."]


def _rows(cells: list[str], columns: int) -> list[str]:
    return ["".join(cells[at : at + columns]).rstrip() for at in range(0, len(cells), columns)]
