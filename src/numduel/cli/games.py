"""`numduel games` and `numduel rules`: what can be played, and how."""

import json

import click

from numduel.cli.layout import say
from numduel.cli.parameters import GAME, json_option, print_json
from numduel.errors import InvalidGame
from numduel.games import Game, keys, load
from numduel.games.amounts import WORDS
from numduel.wording import problem, summary
from numduel.wording.rules import rules as rules_of


def known_games() -> list[Game]:
    """All games that can be loaded; a sentence on stderr for an installed one that cannot."""
    games = []
    for key in keys():
        try:
            games.append(load(key))
        except InvalidGame as error:
            say(f"numduel: {problem(error)}", err=True)
    return games


@click.command("games")
@json_option("a list of objects, as JSON")
def command(as_json: bool) -> None:
    """List the games, the default start of each, and its variants."""
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


@click.command("rules")
@click.argument("game", required=False, type=GAME)
@json_option("an object, as JSON")
@click.pass_context
def rules(context: click.Context, game: Game | None, as_json: bool) -> None:
    """Show the rules of GAME in plain words. Without it, list the games."""
    if game is None:
        context.invoke(command, as_json=as_json)
        return
    lines = rules_of(game)
    if as_json:
        print_json({"key": game.key, "title": game.title, "rules": lines})
    else:
        say("\n".join(lines))
