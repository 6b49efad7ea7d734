"""Maps and plots in a terminal: the same data as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from numduel.drawing.plot import running_means
from numduel.drawing.square import Cell

Paint = Callable[[str, str], str]
"""Gives the text the look of a kind: "lost", "won", "bad", "soft" or "here"."""

LEGEND = "[n]: lost for the player to move. n: won."


def fitting_columns(cells: Sequence[Cell], width: int) -> int:
    """How many numbers of a square stand in a row of this width: 20, 10, 5 or fewer."""
    each = len(str(cells[-1].number)) + 2 if cells else 1
    most = max(1, width // each)
    return next((columns for columns in (20, 10, 5) if columns <= most), most)


def square_lines(
    cells: Sequence[Cell], columns: int, paint: Paint, here: int | None = None
) -> list[str]:
    """The hundred square: lost numbers stand in brackets, and `here` between arrows."""
    width = len(str(cells[-1].number)) if cells else 1

    def shown(cell: Cell) -> str:
        text = f"{cell.number:>{width}}"
        if cell.number == here:
            return paint(f">{text}<", "here")
        return paint(f"[{text}]", "lost") if cell.lost else paint(f" {text} ", "won")

    you = [
        f">{cell.number}<: you are here, and it is {'lost' if cell.lost else 'won'}."
        for cell in cells
        if cell.number == here
    ]
    return [*_rows([shown(cell) for cell in cells], columns), "", LEGEND, *you]


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
    return [*lines, "", "Grundy values; each row begins at the number before it. [0]: lost."]


def graph_lines(
    lost: Mapping[int, bool], moves: Mapping[int, tuple[int, ...]], paint: Paint
) -> list[str]:
    """Each number with those that a move leads to; lost ones in brackets."""

    def shown(n: int) -> str:
        return paint(f"[{n}]", "lost") if lost[n] else str(n)

    width = max(len(str(n)) for n in lost) + 2
    lines = []
    for n in sorted(lost, reverse=True):
        plain = f"[{n}]" if lost[n] else f"{n} "
        head = " " * (width - len(plain)) + (paint(plain, "lost") if lost[n] else plain)
        lines.append(f"{head} -> {', '.join(map(shown, moves[n])) or 'no move'}")
    return [*lines, "", f"{LEGEND} Leave a number in brackets to win."]


def path_lines(
    starts: Sequence[int], stations: Sequence[tuple[int, int, str, bool]], paint: Paint
) -> list[str]:
    """The number line, a row a turn; a station is its place, number, words and whether bad."""
    most, width = max(*starts, 1), 40

    def spot(number: int) -> int:
        return number * width // most

    def row(number: int, mark: str) -> str:
        line = ["."] * (width + 1)
        line[spot(number)] = mark
        return "".join(line)

    lines = [f"{row(number, 'o')} {number if number < 10**12 else 'start'}" for number in starts]
    for _, number, words, bad in stations:
        marked = row(number, "!" if bad else "o")
        lines.append(f"{marked} {paint(words, 'bad') if bad else words}")
    return lines


def plot_lines(values: Sequence[float], paint: Paint, height: int = 8) -> list[str]:
    """Accuracy over time: `o` is a match, `-` the mean of the last ten; the last 60 matches."""
    means = running_means(values)[-60:]
    shown = list(values)[-60:]
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
