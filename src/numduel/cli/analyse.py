"""`numduel analyse`: where a match was decided; `show` and `share`: its record, its notation."""

import sys
from dataclasses import replace

import click

from numduel.analysis import Analysis, analyse
from numduel.analysis import as_json as facts_of
from numduel.cli import options, patience
from numduel.cli.layout import paint, say, width_of, wrapped
from numduel.cli.matches import MATCH, latest_match, shown_names, who_played
from numduel.cli.table import Table, run_match
from numduel.drawing import path, svg
from numduel.errors import NothingToStudy, NumduelError
from numduel.match import DEFAULT_NAMES, Record, write_notation
from numduel.match.events import plain
from numduel.players import PERSON
from numduel.program import typed
from numduel.wording import problem
from numduel.wording.analysis import conclusions, described, headline, turn_lines
from numduel.wording.text import counted

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
@options.in_json()
@options.text("--html", "FILE", "Write a page in one file, with the figure.")
@options.flag("--retry", "Play on from the first mistake.")
@options.flag("--no-save", "Do not keep the retried match in the history.")
def command(record: Record | None, html: str | None, retry: bool, no_save: bool) -> None:
    """Judge every move of a match: the wins thrown away, the moves that kept them.

    RECORD is a record file (- for standard input), a match's notation, or its
    number in the history. Without it, the latest match of the history.
    """
    match = record or latest_match()
    with patience.thinking():
        analysis = analyse(match)
    if html is not None:
        svg.save_bytes(path.analysis_page(match, analysis).encode(), html)
    options.end_in_json(lambda: {"match": write_notation(match), **facts_of(analysis)})
    show_analysis(match, analysis)
    if html is not None:
        click.echo(f"The page: {html}")
    if not retry:
        return
    try:
        table = lay_retry(match, analysis, saves=not no_save)
    except NumduelError as error:
        say(f"\n{problem(error)}")
        return
    click.echo("\nHere is that position again, against the perfect player.\n")
    run_match(table)


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


@click.command("show")
@click.argument("match", required=False, type=MATCH)
@options.in_json()
def show(match: Record | None) -> None:
    """Show a match: who played, every turn, how it ended.

    MATCH is the notation of a match (divisor-duel:60/15.15.5, say), a record file
    (- for standard input), or a number of the history. Without it, the latest
    match of the history.
    """
    record = match or latest_match()
    options.end_in_json(lambda: record_fields(record))
    names, _ = shown_names(record.setup.names, record.players)
    players = [  # what is the same is said once
        player if name in (usual, player.capitalize()) else f"{name}, {player}"
        for name, usual, player in zip(names, DEFAULT_NAMES, record.players, strict=True)
    ]
    click.echo(replace(record, setup=replace(record.setup, names=names)).told(players))
    click.echo(f"Notation: {write_notation(record)}")


def record_fields(record: Record) -> dict[str, object]:
    """The match with plain values; documented in docs/formats.md."""
    fields = {"match": write_notation(record), "date": record.date.isoformat()}
    setup = plain(("board", "names", "players", "first"), record.setup, players=[*record.players])
    return {**fields, **setup, **plain(("moves", "winner", "ending"), record)}


@click.command("share")
@click.argument("match", required=False, type=MATCH)
@options.text("--image", "FILE", "Write a card as well: .svg or .png.")
@options.in_json()
def share(match: Record | None, image: str | None) -> None:
    """Print the notation of a match, to send to someone, with a few words.

    MATCH is a number of the history, a record file or a match's notation. Without it, the
    latest match of the history. Names are left out.
    """
    record = match or latest_match()
    notation, board = write_notation(record), described(record.setup.board)
    turns = counted(len(record.turns), "turn")
    text, asks = f"Unfinished after {turns}.", "What would you play?"
    if record.winner is not None:
        began = "who began" if record.winner == record.setup.first else "who moved second"
        text, asks = f"Won by the player {began}, in {turns}.", "Where was it decided?"
    if image is not None:
        boards = [record.setup.board, *(turn.board for turn in record.replay().turns)]
        sums = [sum(number.value for number in board.numbers) for board in boards]
        svg.save_picture(path.draw_card(board, [text, asks], sums, notation), image)
    options.end_in_json(lambda: {"match": notation, "text": text, "image": image})
    say(f"{board}: {text[0].lower()}{text[1:]}")
    click.echo(f"{notation}\nSee it: {typed(f'show {notation}')}")
    if image is not None:
        click.echo(f"The card: {image}")
