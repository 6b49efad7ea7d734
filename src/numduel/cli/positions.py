"""`numduel positions`: positions and their answers, drawn from a seed."""

from __future__ import annotations

import json
from itertools import islice

import click

from numduel.cli.parameters import Option, number_option, usage, with_options
from numduel.study.positions import DIFFICULTIES, SKILLS, Position, as_json, draw_positions
from numduel.study.skills import Difficulty, Skill
from numduel.wording import joined

EXAMPLES = """\b
Examples:
  numduel positions --count 7                  one of each skill
  numduel positions --count 1000 --seed 2026 --format jsonl > positions.jsonl
  numduel positions --skill misere --skill own-rule --difficulty hard
"""


def position_options(count: int) -> Option:
    return with_options(
        number_option("--count", "N", "How many positions.", default=count),
        click.option(
            "--seed", default="0", show_default=True, metavar="S",
            help="Draw the same positions again, on any machine; any text.",
        ),
        click.option(
            "--skill", "skills", multiple=True, type=click.Choice(SKILLS), metavar="SKILL",
            help=f"What it takes: {joined([*SKILLS])}. Give it again for more. Default: all.",
            callback=lambda _context, _option, given: tuple(dict.fromkeys(given)) or SKILLS,
        ),
        click.option("--difficulty", type=click.Choice(DIFFICULTIES), help="How hard."),
    )  # fmt: skip


@click.command("positions", epilog=EXAMPLES)
@position_options(10)
@click.option(
    "--format", "form", type=click.Choice(["text", "jsonl"]), default="text", show_default=True,
    help="Lines to read, or one JSON object a line.",
)  # fmt: skip
def command(
    count: int, seed: str, skills: tuple[Skill, ...], difficulty: Difficulty | None, form: str
) -> None:
    """Draw positions and their answers: which move wins, or is there none?

    The skills take turns, except those that have no such difficulty. No position comes
    twice, and on one in three of each skill no move wins. The same seed gives the same positions
    on any machine.
    """
    with usage():
        for position in islice(draw_positions(seed, skills, difficulty), count):
            click.echo(json.dumps(as_json(position)) if form == "jsonl" else _line(position))


def _line(position: Position) -> str:
    fields = as_json(position)
    wins = ", ".join(fields["winning_moves"]) or "none"
    return f"{fields['board']}  {fields['skill']}, {fields['difficulty']}  wins: {wins}"
