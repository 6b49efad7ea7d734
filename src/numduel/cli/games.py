"""`numduel games`, `rules` and `map`: what can be played, how, and the pattern behind it."""

import json
import sys
from typing import Any

import click

from numduel.analysis import analyse
from numduel.cli import options, screen
from numduel.cli.layout import paint, say, show_picture, width_of
from numduel.cli.matches import find_match, who_played
from numduel.drawing import Picture, path, save_picture, square
from numduel.errors import NothingToStudy
from numduel.games import Game, load
from numduel.games.amounts import WORDS
from numduel.match import Record
from numduel.program import typed
from numduel.study import maps
from numduel.wording import rules as rules_of
from numduel.wording import summary, verdict
from numduel.wording.analysis import headline

EXAMPLES = """\b
Examples:
  numduel map divisor-duel                               the hundred square
  numduel map subtract-a-prime --as values --to 60       Grundy values
  numduel map power-play --as graph --to 24              the moves between numbers
  numduel map divisor-duel:60/2.2.7                     the path of a match
"""


@click.command("games")
@options.in_json("a list of objects, as JSON")
def command() -> None:
    """List the games, the default start of each, and its variants."""
    games = options.known_games()
    if options.wants_json():
        click.echo(json.dumps([_fields(game) for game in games], indent=2))
        return
    for game in games:
        say(f"{game.key}  (starts at {game.default_start})\n    {summary(game)}")
        for name, values in game.variants.items():
            say(f"    variant {name}: {', '.join(values)}")
    say("\nOr a rule of your own: its text is its name.")
    for text in ("subtract-1-3-4", "subtract-1-to-3", "subtract-square", "halve-or-subtract-1"):
        say(f"    {text}: {summary(load(text))}")
    say(
        "Join parts with -or-. A part is subtract- with amounts, with a range such as 1-to-3 or"
        f" with a word ({', '.join(WORDS)}); halve; or divide-by- with numbers."
    )


def _fields(game: Game) -> dict[str, object]:
    return {
        "key": game.key,
        "title": game.title,
        "summary": summary(game),
        "start": game.default_start,
        "variants": {name: list(values) for name, values in game.variants.items()},
        "policies": sorted(game.policies),
    }


@click.command("rules")
@click.argument("game", required=False, type=options.GAME)
@options.in_json("an object, as JSON")
@click.pass_context
def rules(context: click.Context, game: Game | None) -> None:
    """Show the rules of GAME in plain words. Without it, list the games."""
    if game is None:
        context.invoke(command)
        return
    told = rules_of(game)
    options.end_in_json(lambda: {"key": game.key, "title": game.title, "rules": told})
    say("\n".join(told))


@click.command("map", epilog=EXAMPLES)
@click.argument("game", type=options.GAME_OR_MORE)
@options.choice(
    "--as", ["square", "values", "graph", "path"],
    "What to draw. Default: square for a game, path for a match.", "kind",
)  # fmt: skip
@options.text("--to", "N", "The largest number. Default: 100; graph: 20.", type=int)
@options.text("--columns", "K", "Numbers in a row. Default: as many as fit, or 10.", type=int)
@options.variants
@options.misere
@options.text("--output", "FILE", "Write a picture instead: .svg or .png.")
@options.in_json()
def map_of(game: str, kind: str | None, output: str | None, **chosen: Any) -> None:
    """Show the traps of GAME: the numbers where whoever must move loses.

    Instead of a game, name a match (its notation, a record file, a number of the
    history): then its path over the number line.
    """
    names_a_match = "/" in game or game.isdigit() or "." in game or game == "-"
    kind, drawn = kind or ("path" if names_a_match else "square"), output is not None
    with options.usage():
        if kind == "path":
            picture = _show_path(find_match(game), drawn)
        else:
            picture = _show_map(game, kind, drawn, **chosen)
    if picture is not None and output is not None:
        save_picture(picture, output)
        click.echo(f"The picture: {output}")


def _show_map(
    what: str, kind: str, drawn: bool, to: int | None, columns: int | None,
    settings: dict[str, str], misere: bool,
) -> Picture | None:  # fmt: skip
    """Print the map, as JSON or in signs, unless it is to be `drawn`: then the picture."""
    if columns is not None and not 1 <= columns <= maps.MAX_COLUMNS:
        raise NothingToStudy(problem="columns", limit=maps.MAX_COLUMNS, value=columns)
    board = options.usual_board(what).having(**settings)
    game, misere = board.numbers[0].game, misere or board.misere
    if kind == "graph":
        return _show_graph(maps.make_graph(game, 20 if to is None else to, misere), drawn)
    if kind == "values" and misere:
        raise click.UsageError("There are no Grundy values under misère: leave out --misere.")
    valued = kind == "values" or options.wants_json()
    made = maps.make_map(game, 100 if to is None else to, misere, values=valued)
    options.end_in_json(lambda: maps.as_json(made))
    if drawn:
        return made.picture(columns or 10)
    lines = square.value_lines if kind == "values" else square.square_lines
    say(f"{made.title}: {'Grundy values' if kind == 'values' else 'the traps'}\n")
    if columns is None:
        labels = len(str(made.cells[-1].number)) + 2 if kind == "values" else 0
        fitting = square.fitting_columns(made.cells, width_of(sys.stdout) - labels)
        columns = fitting if sys.stdout.isatty() else 10
    show_picture(lines(made.cells, columns, paint))
    if said := verdict.pattern(game, misere):
        say(f"\n{said}")
    return None


def _show_graph(graph: maps.Graph, drawn: bool) -> Picture | None:
    moves = {str(n): list(after) for n, after in graph.moves.items()}
    fields = {key: value for key, value in maps.as_json(graph.map).items() if key != "values"}
    options.end_in_json(lambda: {**fields, "moves": moves})
    if drawn:
        return graph.picture()
    say(f"{graph.map.title}: moves from {max(graph.moves)}\n")
    show_picture(square.graph_lines(graph.lost, graph.moves, paint, width_of(sys.stdout)))
    return None


def _show_path(record: Record, drawn: bool) -> Picture | None:
    if options.wants_json():
        raise click.UsageError(f"The path as JSON: {typed('analyse RECORD --json')}.")
    if drawn:
        return path.path_picture(record, analyse(record))
    way = maps.way_of(record)
    made = maps.map_in_play(record.setup.board, way)
    say(f"{headline(record, who_played(record, unmasked=True))}\n")
    screen.show_map(made, *way)
    return None
