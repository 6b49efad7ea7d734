"""`numduel stats`: what the history adds up to."""

from __future__ import annotations

import click

from numduel.cli.layout import columns, paint
from numduel.cli.matches import open_history, whole
from numduel.cli.parameters import json_option, print_json
from numduel.drawing.picture_file import save_picture
from numduel.drawing.plot import draw_plot
from numduel.drawing.text import plot_lines
from numduel.match import DEFAULT_NAMES
from numduel.study.statistics import Statistics, Tally, add_up
from numduel.study.statistics import as_json as facts_of
from numduel.wording.players import KINDS, computer_name

_HEAD = ("Game", "Player", "Against", "Played", "Won", "Lost", "Open", "Accuracy")


@click.command("stats")
@click.option("--output", metavar="FILE", help="Write the plot as a picture: .svg or .png.")
@json_option()
def command(output: str | None, as_json: bool) -> None:
    """Show tallies by game and opponent, and accuracy over time.

    Accuracy is the share of won positions that were kept, counted where a move
    could have thrown the win away.
    """
    with open_history() as store:
        statistics = add_up(kept.record for kept in whole(store.matches()[::-1]))
    if output is not None:
        points = statistics.points
        ends = [points[0].date, points[-1].date] if points else []
        dates = [date.date().isoformat() for date in ends] or ["", ""]
        values = [point.accuracy for point in points]
        save_picture(draw_plot("Accuracy over time", values, *dates), output)
    if as_json:
        print_json(facts_of(statistics))
        return
    click.echo("\n".join(_lines(statistics)))
    if output is not None:
        click.echo(f"The plot: {output}")


def _lines(statistics: Statistics) -> list[str]:
    tallies, computers = statistics.tallies, statistics.between_computers
    if not tallies and not computers:
        return ["No matches yet."]
    lines = columns([_HEAD, *map(_row, _as_shown(tallies))], left=3) if tallies else []
    if computers:
        what = "1 match" if computers == 1 else f"{computers} matches"
        lines.append(f"And {what} between computers." if tallies else f"{what} between computers.")
    if statistics.points:
        values = [point.accuracy for point in statistics.points]
        lines += ["", "Accuracy over time, match by match", ""]
        lines += plot_lines(values, paint)
    return lines


def _as_shown(tallies: list[Tally]) -> list[Tally]:
    """Against the computer, by its own name, a person without a name is "You" in either seat."""
    shown: dict[tuple[str, str, str], Tally] = {}
    for tally in tallies:
        name, against = tally.name, tally.against
        if against in KINDS:
            name = "You" if name in DEFAULT_NAMES else name
            against = computer_name(against)
        key = (tally.game, name, against)
        added = shown.setdefault(key, Tally(*key))
        for count in ("played", "won", "lost", "kept", "keepable"):
            setattr(added, count, getattr(added, count) + getattr(tally, count))
    return list(shown.values())


def _row(tally: Tally) -> tuple[str, ...]:
    accuracy = "-" if tally.accuracy is None else f"{tally.accuracy:.0%}"
    counts = (tally.played, tally.won, tally.lost, tally.unfinished)
    return (tally.game, tally.name, tally.against, *map(str, counts), accuracy)
