"""A sheet of puzzles to print: the puzzles, and the answers on a page of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from numduel.drawing.page import heading, make_page, make_table, paragraph
from numduel.drawing.svg import FONTS

STYLE = f"""
@page {{ margin: 12mm; }}
:root {{ color-scheme: light; }}
body {{ font-family: {FONTS}; font-size: 10pt; line-height: 1.35; max-width: 18cm;
  margin: 1.5rem auto; padding: 0 1rem; background: #fff; color: #000; }}
h1 {{ font-size: 17pt; line-height: 1.2; margin: 0 0 0.6rem; }}
h2 {{ font-size: 13pt; margin: 0 0 0.6rem; }}
p {{ margin: 0 0 0.3rem; }}
.write {{ display: flex; align-items: end; gap: 0.5rem; }}
.write i {{ flex: 1; border-bottom: 1px solid #000; height: 1.9em; }}
.write i.short {{ flex: none; width: 8rem; }}
.puzzles {{ list-style: none; display: grid; grid-template-columns: repeat(3, 1fr);
  gap: 2.5mm; margin: 0.6rem 0; padding: 0; }}
.puzzles li {{ border: 1px solid #000; border-radius: 2mm; padding: 2mm 3mm;
  break-inside: avoid; display: flex; flex-direction: column; }}
.puzzles p {{ margin: 0; }}
.puzzles .write {{ margin-top: auto; }}
.puzzles b {{ overflow-wrap: anywhere; }}
.alone {{ font-size: 16pt; line-height: 1.2; }}
.answers {{ break-before: page; margin-top: 3rem; }}
table {{ border-collapse: collapse; margin-bottom: 0.6rem; }}
th, td {{ text-align: left; vertical-align: top; padding: 1mm 3mm 1mm 0;
  border-bottom: 1px solid #999; }}
tr {{ break-inside: avoid; }}
td:first-child {{ min-width: 9rem; }}
td:nth-child(2) {{ font-weight: bold; }}
code {{ overflow-wrap: anywhere; }}
@media screen and (max-width: 36rem) {{ .puzzles {{ grid-template-columns: 1fr; }} }}
@media print {{
  body {{ max-width: none; margin: 0; padding: 0; }}
  .screen {{ display: none; }}
  .answers {{ margin-top: 0; }}
}}
"""


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
