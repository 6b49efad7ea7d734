"""Maps and plots in a terminal: the same data as lines of text."""

from collections.abc import Callable, Mapping, Sequence

from numduel.drawing.plot import running_means
from numduel.drawing.square import Cell

Paint = Callable[[str, str], str]
"""Gives the text the look of a kind: "lost", "won", "bad", "soft", "here" or "here lost"."""

LEGEND = "[n] is a trap: whoever must move here loses."


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
        told = [f">n< is the way of this match: {' -> '.join(taken)}"]
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


def _rows(cells: list[str], columns: int) -> list[str]:
    return ["".join(cells[at : at + columns]).rstrip() for at in range(0, len(cells), columns)]
