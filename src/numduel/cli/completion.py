"""`numduel completion`: tab completion for the shell, and what it completes."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem, get_completion_class

from numduel.cli.app import app


def complete_games(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The keys of the games that begin so."""
    from numduel.games import keys

    return [CompletionItem(key) for key in keys() if key.startswith(incomplete)]


def complete_players(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The words for players that begin so."""
    from numduel.players import player_words

    return [CompletionItem(word) for word in player_words() if word.startswith(incomplete)]


EXAMPLES = """\b
Set it up:
  bash:  eval "$(numduel completion bash)"   in ~/.bashrc
  zsh:   eval "$(numduel completion zsh)"    in ~/.zshrc
  fish:  numduel completion fish > ~/.config/fish/completions/numduel.fish
"""


@click.command("completion", epilog=EXAMPLES)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a script that teaches SHELL to complete numduel's words."""
    completion = get_completion_class(shell)
    if completion is None:
        raise click.ClickException(f"There is no completion for {shell}.")
    click.echo(completion(app, {}, "numduel", "_NUMDUEL_COMPLETE").source())
