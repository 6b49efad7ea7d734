"""`numduel map`: a game's pattern, as a hundred square, values, a graph; or a match's path."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Any

import click

from numduel.analysis import analyse
from numduel.board import Board
from numduel.cli.completion import complete_games, complete_variants
from numduel.cli.games import find_game
from numduel.cli.layout import say, width_of
from numduel.cli.match_source import find_match
from numduel.cli.paint import paint, show_picture
from numduel.cli.seats import who_played
from numduel.cli.usage import usage
from numduel.drawing import Picture, save_picture
from numduel.drawing.path import path_picture
from numduel.drawing.text import fitting_columns, graph_lines, path_lines, square_lines, value_lines
from numduel.errors import FileError, MissingExtra, NothingToStudy, NumduelError
from numduel.games import Game
from numduel.match import Record
from numduel.program import typed
from numduel.study.maps import MAX_COLUMNS, Graph, as_json, make_graph, make_map
from numduel.wording import problem
from numduel.wording.analysis import headline, rows
from numduel.wording.verdict import pattern

EXAMPLES = """\b
Examples:
  numduel map divisor-duel                               the hundred square
  numduel map subtract-a-prime --as values --to 60       Grundy values
  numduel map power-play --as graph --to 24              the moves between numbers
  numduel map divisor-duel:60/2.2.7                     the path of a match
  numduel map divisor-duel --output map.svg              a picture; also .png
"""
KINDS = ("square", "values", "graph", "path")


@click.command("map", epilog=EXAMPLES)
@click.argument("game", shell_complete=complete_games)
@click.option(
    "--as",
    "kind",
    type=click.Choice(KINDS),
    help="What to draw. Usual: square for a game, path for a match.",
)
@click.option("--to", type=int, metavar="N", help="The largest number. Usual: 100; graph: 20.")
@click.option(
    "--columns", type=int, metavar="K", help="Numbers in a row. Usual: as many as fit, or 10."
)
@click.option(
    "--set", "variants", multiple=True, metavar="VARIANT=VALUE", help="Set a variant.",
    shell_complete=complete_variants,
)  # fmt: skip
@click.option("--misere", is_flag=True, help="Whoever cannot move wins instead of losing.")
@click.option("--output", metavar="FILE", help="Write a picture instead: .svg or .png.")
@click.option("--json", "json_", is_flag=True, help="Print one object, as JSON.")
def command(game: str, kind: str | None, output: str | None, json_: bool, **options: Any) -> None:
    """Show the traps of GAME: the numbers where whoever must move loses.

    Instead of a game, name a match (its notation, a record file, a number of the
    history): then its path over the number line.
    """
    try:
        chosen = kind or ("path" if _names_a_match(game) else "square")
        if chosen == "path":
            with usage():
                record = find_match(game)
            _show_path(record, output, json_)
            return
        columns = options["columns"]
        if columns is not None and not 1 <= columns <= MAX_COLUMNS:
            raise NothingToStudy(problem="columns", limit=MAX_COLUMNS, value=columns)
        _show_map(_read_game(game, options["variants"]), chosen, options, output, json_)
    except (FileError, MissingExtra, click.ClickException):
        raise
    except NumduelError as error:
        raise click.UsageError(problem(error)) from error


def _names_a_match(what: str) -> bool:
    return "/" in what or what.isdigit() or "." in what or what == "-"


def _read_game(what: str, variants: tuple[str, ...]) -> Game:
    name, _, own = what.partition(",") if "=" in what else (what, "", "")
    game = find_game(name)
    settings = dict(
        part.partition("=")[::2] for part in [*(own.split(",") if own else []), *variants]
    )
    return Board.of(game, game.default_start).having(**settings).numbers[0].game


def _show_map(
    game: Game, kind: str, options: dict[str, Any], output: str | None, json_: bool
) -> None:
    to, misere, columns = options["to"], options["misere"], options["columns"]
    if kind == "graph":
        _show_graph(make_graph(game, 20 if to is None else to, misere), output, json_)
        return
    if kind == "values" and misere:
        raise click.UsageError("There are no Grundy values under misère: leave out --misere.")
    made = make_map(game, 100 if to is None else to, misere, values=kind == "values" or json_)
    if json_:
        click.echo(json.dumps(as_json(made)))
        return
    if output is not None:
        _save(made.picture(columns or 10), output)
        return
    lines = value_lines if kind == "values" else square_lines
    what = "Grundy values" if kind == "values" else "the traps"
    say(f"{made.title}: {what}\n")
    if columns is None:
        labels = len(str(made.cells[-1].number)) + 2 if kind == "values" else 0
        fitting = fitting_columns(made.cells, width_of(sys.stdout) - labels)
        columns = fitting if sys.stdout.isatty() else 10
    show_picture(lines(made.cells, columns, paint))
    said = pattern(game, misere)
    if said is not None:
        say(f"\n{said}")


def _show_graph(graph: Graph, output: str | None, json_: bool) -> None:
    if json_:
        moves = {str(n): list(after) for n, after in graph.moves.items()}
        fields = {key: value for key, value in as_json(graph.map).items() if key != "values"}
        click.echo(json.dumps({**fields, "moves": moves}))
    elif output is not None:
        _save(graph.picture(), output)
    else:
        say(f"{graph.map.title}: moves from {max(graph.moves)}\n")
        show_picture(graph_lines(graph.lost, graph.moves, paint, width_of(sys.stdout)))


def _show_path(record: Record, output: str | None, json_: bool) -> None:
    if json_:
        raise click.UsageError(f"The path as JSON: {typed('analyse RECORD --json')}.")
    if output is not None:
        _save(path_picture(record, analyse(record)), output)
        return
    starts = [number.value for number in record.setup.board.numbers]
    who = who_played(record)
    analysis = replace(analyse(record), names=(str(who[0]), str(who[1])))
    say(f"{headline(record, who_played(record, unmasked=True))}\n")
    click.echo("\n".join(path_lines(starts, rows(analysis), paint, width_of(sys.stdout))))


def _save(picture: Picture, path: str) -> None:
    save_picture(picture, path)
    click.echo(f"The picture: {path}")
