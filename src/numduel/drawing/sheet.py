"""A sheet of puzzles to print: the puzzles, and the answers on a page of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from numduel.drawing.page import heading, make_page, make_table, paragraph, read_style

STYLE = read_style("sheet")


class SheetPuzzle(NamedTuple):
    """A puzzle as it is printed: games with their numbers, what is asked, and the answer."""

    numbers: Sequence[tuple[str, str]]
    asks: str
    answer: str
    reason: str


def draw_sheet(
    title: str,
    says: str,
    rules: Sequence[tuple[str, str]],
    puzzles: Sequence[SheetPuzzle],
    sheet: str,
    again: str,
) -> str:
    """The page: what to do, the rules and the puzzles; then answers, and how to make it again.

    `sheet` names it on both pages, so that answers are not taken for those of another sheet.
    """
    rows = [
        [f"{at}. {_told(puzzle)}", puzzle.answer, puzzle.reason]
        for at, puzzle in enumerate(puzzles, 1)
    ]
    return make_page(
        title,
        [
            '<p class="screen">Print this page. The answers come on a page of their own.</p>',
            '<p class="write">Name: <i></i> Date: <i class="short"></i></p>',
            paragraph(says),
            *(f"<p><b>{escape(name)}</b>: {escape(rule)}</p>" for name, rule in rules),
            '<ol class="puzzles">',
            *(_drawn(at, puzzle) for at, puzzle in enumerate(puzzles, 1)),
            "</ol>",
            f"<p><small>{escape(sheet)}</small></p>",
            '<section class="answers">',
            heading(f"Answers: {title}"),
            make_table(["Puzzle", "Answer", "Why"], rows),
            paragraph(sheet),
            paragraph("To make it again:", again),
            "</section>",
        ],
        STYLE,
    )


def _told(puzzle: SheetPuzzle) -> str:
    return ", ".join(f"{game} {number}" for game, number in puzzle.numbers)


def _drawn(at: int, puzzle: SheetPuzzle) -> str:
    numbers = [(escape(game), f"<b>{escape(number)}</b>") for game, number in puzzle.numbers]
    if len(numbers) == 1:
        ((game, number),) = numbers
        lines = f'<p>{at}. {game}</p><p class="alone">{number}</p>'
    else:
        shown = [f"<p>{place}: {game} {n}</p>" for place, (game, n) in enumerate(numbers, 1)]
        lines = f"<p>{at}. Several numbers</p>{''.join(shown)}"
    return f'<li>{lines}<p class="write">{escape(puzzle.asks)} <i></i></p></li>'
