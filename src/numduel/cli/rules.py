"""`numduel rules`: a game's rules on one screen."""

from __future__ import annotations

import json

import click

from numduel.cli.completion import complete_games
from numduel.cli.layout import say
from numduel.cli.usage import usage
from numduel.games import load
from numduel.wording import rules


@click.command("rules")
@click.argument("game", shell_complete=complete_games)
@click.option("--json", "as_json", is_flag=True, help="Print an object, as JSON.")
def command(game: str, as_json: bool) -> None:
    """Show the rules of GAME in plain words."""
    with usage():
        found = load(game.strip().lower().replace(" ", "-"))
    lines = rules(found)
    if as_json:
        click.echo(json.dumps({"key": found.key, "title": found.title, "rules": lines}))
    else:
        say("\n".join(lines))
