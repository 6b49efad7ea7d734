"""`numduel map`: a game's pattern, as a hundred square, values, a graph; or a match's path."""

import sys
from typing import Any

import click

from numduel.analysis import analyse
from numduel.cli.layout import paint, say, show_picture, width_of
from numduel.cli.matches import find_match, who_played
from numduel.cli.parameters import (
    GAME_OR_MORE,
    json_option,
    misere_option,
    print_json,
    set_option,
    usage,
    usual_board,
)
from numduel.cli.screen import show_map
from numduel.drawing import Picture, save_picture
from numduel.drawing.path import path_picture
from numduel.drawing.square import fitting_columns, graph_lines, square_lines, value_lines
from numduel.errors import NothingToStudy
from numduel.match import Record
from numduel.program import typed
from numduel.study.maps import MAX_COLUMNS, Graph, make_graph, make_map, map_in_play, way_of
from numduel.study.maps import as_json as facts_of
from numduel.wording.analysis import headline
from numduel.wording.verdict import pattern

EXAMPLES = """\b
Examples:
  numduel map divisor-duel                               the hundred square
  numduel map subtract-a-prime --as values --to 60       Grundy values
  numduel map power-play --as graph --to 24              the moves between numbers
  numduel map divisor-duel:60/2.2.7                     the path of a match
"""
KINDS = ("square", "values", "graph", "path")


@click.command("map", epilog=EXAMPLES)
@click.argument("game", type=GAME_OR_MORE)
@click.option(
    "--as", "kind", type=click.Choice(KINDS),
    help="What to draw. Default: square for a game, path for a match.",
)  # fmt: skip
@click.option("--to", type=int, metavar="N", help="The largest number. Default: 100; graph: 20.")
@click.option(
    "--columns", type=int, metavar="K", help="Numbers in a row. Default: as many as fit, or 10."
)
@set_option
@misere_option
@click.option("--output", metavar="FILE", help="Write a picture instead: .svg or .png.")
@json_option()
def command(game: str, kind: str | None, output: str | None, as_json: bool, **options: Any) -> None:
    """Show the traps of GAME: the numbers where whoever must move loses.

    Instead of a game, name a match (its notation, a record file, a number of the
    history): then its path over the number line.
    """
    names_a_match = "/" in game or game.isdigit() or "." in game or game == "-"
    chosen = kind or ("path" if names_a_match else "square")
    drawn = output is not None
    with usage():
        if chosen == "path":
            picture = _show_path(find_match(game), drawn, as_json)
        else:
            picture = _show_map(game, chosen, drawn, as_json, **options)
    if picture is not None and output is not None:
        save_picture(picture, output)
        click.echo(f"The picture: {output}")


def _show_map(
    what: str,
    kind: str,
    drawn: bool,
    as_json: bool,
    to: int | None,
    columns: int | None,
    settings: dict[str, str],
    misere: bool,
) -> Picture | None:
    if columns is not None and not 1 <= columns <= MAX_COLUMNS:
        raise NothingToStudy(problem="columns", limit=MAX_COLUMNS, value=columns)
    board = usual_board(what).having(**settings)
    game, misere = board.numbers[0].game, misere or board.misere
    if kind == "graph":
        return _show_graph(make_graph(game, 20 if to is None else to, misere), drawn, as_json)
    if kind == "values" and misere:
        raise click.UsageError("There are no Grundy values under misère: leave out --misere.")
    made = make_map(game, 100 if to is None else to, misere, values=kind == "values" or as_json)
    if as_json:
        print_json(facts_of(made))
        return None
    if drawn:
        return made.picture(columns or 10)
    lines = value_lines if kind == "values" else square_lines
    say(f"{made.title}: {'Grundy values' if kind == 'values' else 'the traps'}\n")
    if columns is None:
        labels = len(str(made.cells[-1].number)) + 2 if kind == "values" else 0
        fitting = fitting_columns(made.cells, width_of(sys.stdout) - labels)
        columns = fitting if sys.stdout.isatty() else 10
    show_picture(lines(made.cells, columns, paint))
    if said := pattern(game, misere):
        say(f"\n{said}")
    return None


def _show_graph(graph: Graph, drawn: bool, as_json: bool) -> Picture | None:
    if as_json:
        moves = {str(n): list(after) for n, after in graph.moves.items()}
        fields = {key: value for key, value in facts_of(graph.map).items() if key != "values"}
        print_json({**fields, "moves": moves})
        return None
    if drawn:
        return graph.picture()
    say(f"{graph.map.title}: moves from {max(graph.moves)}\n")
    show_picture(graph_lines(graph.lost, graph.moves, paint, width_of(sys.stdout)))
    return None


def _show_path(record: Record, drawn: bool, as_json: bool) -> Picture | None:
    if as_json:
        raise click.UsageError(f"The path as JSON: {typed('analyse RECORD --json')}.")
    if drawn:
        return path_picture(record, analyse(record))
    way = way_of(record)
    made = map_in_play(record.setup.board, way)
    say(f"{headline(record, who_played(record, unmasked=True))}\n")
    show_map(made, *way)
    return None
