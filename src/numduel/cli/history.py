"""`numduel history` and `numduel stats`: the matches that were kept, and what they add up to."""

import sys
from typing import TYPE_CHECKING

import click

from numduel.cli import analyse, options
from numduel.cli.alone import told_of_days, told_of_puzzles
from numduel.cli.layout import paint, say, width_of
from numduel.cli.matches import open_history, who_played, whole_matches
from numduel.drawing import plot, svg
from numduel.players import PERSON
from numduel.program import typed
from numduel.study.statistics import Tally, add_up
from numduel.study.statistics import as_json as facts_of
from numduel.wording.analysis import headline
from numduel.wording.players import computer_name
from numduel.wording.text import counted, series_words

if TYPE_CHECKING:
    from numduel.store import Damaged, Kept

EXAMPLES = """\b
Examples:
  numduel history                          the latest matches
  numduel history export > matches.txt     all, as records
  numduel history export 12 13 --json      some, as JSON
  numduel history delete 12
"""


@click.group("history", invoke_without_command=True, epilog=EXAMPLES)
@options.number("--last", "K", "List the latest K matches.", default=20)
@options.in_json("a list of objects, as JSON")
@click.pass_context
def command(context: click.Context, last: int) -> None:
    """List the matches in the history, the latest last; export or delete some.

    The history is a file in your data folder. The environment variable
    NUMDUEL_DATABASE_URL names another file, or a PostgreSQL database.
    """
    if context.invoked_subcommand is not None:
        return
    from numduel.store import Kept

    with open_history() as store:
        matches = store.matches(limit=last)[::-1]
        place = store.place
    options.end_in_json(lambda: [_fields(kept) for kept in matches])
    if not matches:
        say(f"No matches yet. The history is {place}.")
        return
    width = len(str(matches[-1].id))
    for kept in matches:
        if not isinstance(kept, Kept):
            say(f"{kept.id:>{width}}  This match is damaged and cannot be read.")
            continue
        when = kept.record.date.astimezone().strftime("%Y-%m-%d %H:%M")
        said = headline(kept.record, who_played(kept.record, unmasked=True))
        say(f"{kept.id:>{width}}  {when}  {said}{series_words(kept.series)}")


def _fields(kept: "Kept | Damaged") -> dict[str, object]:
    from numduel.store import Kept

    if not isinstance(kept, Kept):
        return {"id": kept.id, "damaged": True}
    series = kept.series
    told = series and {"match": series.played + 1, "of": series.length, "wins": series.wins}
    return {"id": kept.id, "series": told, **analyse.record_fields(kept.record)}


@command.command("export")
@click.argument("ids", nargs=-1, type=int, metavar="[ID]...")
@options.in_json("a list of objects, as JSON")
def export(ids: tuple[int, ...]) -> None:
    """Print matches as records, or as JSON: all of them, or those named."""
    with open_history() as store:
        matches = [store.load(i) for i in ids] if ids else [*whole_matches(store)]
    options.end_in_json(lambda: [_fields(kept) for kept in matches])
    click.echo("\n".join(str(kept.record) for kept in matches), nl=False)


@command.command("delete")
@click.argument("ids", nargs=-1, type=int, metavar="[ID]...")
@options.flag("--all", "Delete the whole history.", "everything")
@options.flag("--yes", "Do not ask.")
def delete(ids: tuple[int, ...], everything: bool, yes: bool) -> None:
    """Delete the matches named, or all of them with --all."""
    if bool(ids) == everything:
        raise click.UsageError("Name the matches to delete, or use --all.")
    with open_history() as store:
        chosen = [kept.id for kept in store.matches()] if everything else list(dict.fromkeys(ids))
        what = f"match {chosen[0]}" if len(chosen) == 1 else f"{len(chosen)} matches"
        if not chosen:
            click.echo("No matches yet.")
        elif yes or click.confirm(f"Delete {what}?"):
            store.delete(chosen)
            click.echo(f"Deleted {what}.")
        else:
            click.echo("Nothing was deleted.")


@click.command("stats")
@options.text("--output", "FILE", "Write the plot as a picture: .svg or .png.")
@options.in_json("everybody's tallies, as one object of JSON")
def stats(output: str | None) -> None:
    """Show how you are doing against the computer, and your accuracy over time.

    Accuracy is the share of won positions that were kept, counted where a move
    could have thrown the win away.
    """
    with open_history() as store:
        records = [kept.record for kept in whole_matches(store)]
        answers = store.answers()
    own = add_up(record for record in records if record.players.count(PERSON) == 1)
    values = [point.accuracy for point in own.points]
    if output is not None:
        dates = [point.date.date().isoformat() for point in own.points] or [""]
        svg.save_picture(plot.draw_plot("Accuracy over time", values, dates[0], dates[-1]), output)
    options.end_in_json(lambda: facts_of(add_up(records)))
    _show_tallies(own.tallies)
    if any(answer.day for answer in answers):
        say(told_of_days(answers))
    if any(answer.day is None for answer in answers):
        say(f"Puzzles: {told_of_puzzles(answers)}")
    others = len(records) - sum(tally.played for tally in own.tallies)
    if others:
        say(f"{counted(others, 'match', 'matches')} without you: {typed('history')} lists them.")
    if not records and not answers:
        say("No matches yet.")
    if values:
        lines = plot.plot_lines(values, paint, most=min(60, width_of(sys.stdout) - 8))
        click.echo("\n".join(["", "Accuracy over time, match by match", "", *lines]))
    if output is not None:
        click.echo(f"The plot: {output}")


def _show_tallies(tallies: list[Tally]) -> None:
    """A line for each game, and one for each opponent in it: 40 columns are enough."""
    shown: dict[str, dict[str, Tally]] = {}
    for tally in tallies:
        against = computer_name(tally.against)
        added = shown.setdefault(tally.game, {}).setdefault(against, Tally(tally.game, "", against))
        for count in ("played", "won", "lost", "kept", "keepable"):
            setattr(added, count, getattr(added, count) + getattr(tally, count))
    for game, opponents in shown.items():
        say(game, bold=True)
        for name, tally in opponents.items():
            accuracy = "" if tally.accuracy is None else f", accuracy {tally.accuracy:.0%}"
            say(f"  {name:8} won {tally.won} of {tally.played}{accuracy}")
