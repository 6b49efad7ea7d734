"""Maps and plots in a terminal: the same data as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from numduel.drawing.plot import running_means
from numduel.drawing.square import Cell

Paint = Callable[[str, str], str]
"""Gives the text the look of a kind: "lost", "won", "bad" or "soft"."""

LEGEND = "[n]: lost for the player to move. n: won."


def square_lines(cells: Sequence[Cell], columns: int, paint: Paint) -> list[str]:
    """The hundred square: lost numbers stand in brackets."""
    width = len(str(cells[-1].number)) if cells else 1
    shown = [
        paint(f"[{c.number:>{width}}]", "lost")
        if c.lost
        else paint(f" {c.number:>{width}} ", "won")
        for c in cells
    ]
    return [*_rows(shown, columns), "", LEGEND]


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
