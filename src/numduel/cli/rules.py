"""`numduel rules`: a game's rules on one screen."""

from __future__ import annotations

import json

import click

from numduel.cli.completion import complete_games
from numduel.cli.games import find_game, known_games
from numduel.cli.layout import columns, say
from numduel.cli.usage import usage
from numduel.program import typed
from numduel.wording import rules, summary


@click.command("rules")
@click.argument("game", required=False, shell_complete=complete_games)
@click.option("--json", "as_json", is_flag=True, help="Print an object, as JSON.")
def command(game: str | None, as_json: bool) -> None:
    """Show the rules of GAME in plain words. Without it, list the games."""
    if game is None:
        if as_json:
            raise click.UsageError(f"Name a game: {typed('games')} lists them.")
        _list_games()
        return
    with usage():
        found = find_game(game)
    lines = rules(found)
    if as_json:
        click.echo(json.dumps({"key": found.key, "title": found.title, "rules": lines}))
    else:
        say("\n".join(lines))


def _list_games() -> None:
    games = known_games()
    for line in columns([(game.key, summary(game)) for game in games], left=2):
        say(line)
    say(f"\nTo read the rules of one: {typed(f'rules {games[0].key}')}")
