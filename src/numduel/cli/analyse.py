"""`numduel analyse`: where a match was decided."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from numduel.analysis import Analysis, analyse
from numduel.analysis import as_json as facts_of
from numduel.cli.layout import paint, say, width_of, wrapped
from numduel.cli.matches import MATCH, latest_match, who_played
from numduel.cli.parameters import json_option, print_json
from numduel.cli.patience import thinking
from numduel.cli.table import Table, run_match
from numduel.drawing.path import analysis_page
from numduel.drawing.picture_file import save_bytes
from numduel.errors import NothingToStudy, NumduelError
from numduel.match import Record, write_notation
from numduel.players import PERSON
from numduel.wording import problem
from numduel.wording.analysis import conclusions, headline, turn_lines

EXAMPLES = """\b
Examples:
  numduel analyse                              the latest match of the history
  numduel analyse match.txt                    a record file; of several, the last
  numduel analyse divisor-duel:60/2.2.7       a match's notation
  numduel analyse 12 --html match.html         a page with a figure
  numduel analyse 12 --retry                   play on from the first mistake
"""


@click.command("analyse", epilog=EXAMPLES)
@click.argument("record", required=False, type=MATCH)
@json_option()
@click.option("--html", metavar="FILE", help="Write a page in one file, with the figure.")
@click.option("--retry", is_flag=True, help="Play on from the first mistake.")
@click.option("--no-save", is_flag=True, help="Do not keep the retried match in the history.")
def command(
    record: Record | None, as_json: bool, html: str | None, retry: bool, no_save: bool
) -> int | None:
    """Judge every move of a match: the wins thrown away, the moves that kept them.

    RECORD is a record file (- for standard input), a match's notation, or its
    number in the history. Without it, the latest match of the history.
    """
    match = record or latest_match()
    with thinking():
        analysis = analyse(match)
    if html is not None:
        save_bytes(analysis_page(match, analysis).encode(), html)
    if as_json:
        print_json({"match": write_notation(match), **facts_of(analysis)})
        return None
    show_analysis(match, analysis)
    if html is not None:
        click.echo(f"The page: {html}")
    if not retry:
        return None
    try:
        table = lay_retry(match, analysis, saves=not no_save)
    except NumduelError as error:
        say(f"\n{problem(error)}")
        return 0
    click.echo("\nHere is that position again, against the perfect player.\n")
    return run_match(table)


def show_analysis(match: Record, analysis: Analysis) -> None:
    who = who_played(match)
    say(f"{headline(match, who_played(match, unmasked=True))}\n")
    for line, mistake in turn_lines(analysis, who):
        for part in wrapped(line, width_of(sys.stdout)):
            click.echo(paint(part, "bad") if mistake else part)
    person = match.players.index(PERSON) if match.players.count(PERSON) == 1 else None
    say("\n".join(["", *conclusions(analysis, who, person)]))


def lay_retry(record: Record, analysis: Analysis, saves: bool = True) -> Table:
    """A table at the first win a person, or else a program, threw away. Raises `NothingToStudy`."""
    thrown = [judged for judged in analysis.moves if judged.mistake and judged.move is not None]
    if not thrown:
        raise NothingToStudy(problem="no mistake")
    persons = [judged for judged in thrown if record.players[judged.player] == PERSON]
    point = (persons or thrown)[0]
    words = (PERSON, "perfect") if point.player == 0 else ("perfect", PERSON)
    return Table(replace(record.setup, board=point.board, first=point.player), words, saves=saves)
