"""`numduel games`: what can be played."""

from __future__ import annotations

import json

import click

from numduel.board import Board
from numduel.cli.layout import say
from numduel.errors import InvalidGame, InvalidRule, UnknownGame
from numduel.games import Game, keys, load
from numduel.games.amounts import WORDS
from numduel.games.own import is_rule
from numduel.games.own.text import in_grammar
from numduel.wording import problem, summary


def known_games() -> list[Game]:
    """All games that can be loaded; a sentence on stderr for an installed one that cannot."""
    games = []
    for key in keys():
        try:
            games.append(load(key))
        except InvalidGame as error:
            say(f"numduel: {problem(error)}", err=True)
    return games


def find_game(typed: str) -> Game:
    """The game that was typed: its key, its title, or a rule in words. Raises what `load` does."""
    try:
        return load(typed.strip().lower().replace(" ", "-"))
    except (InvalidRule, UnknownGame):
        return load(in_grammar(typed))


def read_board(typed: str) -> Board:
    """A board; a rule that begins it may be in words: "take 1 or 2: 21". Raises as `parse` does."""
    name, colon, rest = typed.lower().partition(":")
    if colon and is_rule(in_grammar(name)):
        name = find_game(name).key
    return Board.parse(f"{name}{colon}{rest}")


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects, as JSON.")
def command(as_json: bool) -> None:
    """List the games, the usual start of each, and its variants."""
    games = known_games()
    if as_json:
        click.echo(json.dumps([_fields(game) for game in games], indent=2))
        return
    for game in games:
        say(f"{game.key}  (starts at {game.default_start})")
        say(f"    {summary(game)}")
        for name, values in game.variants.items():
            say(f"    variant {name}: {', '.join(values)}")
    say("")
    say("Or a rule of your own: its text is its name.")
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
