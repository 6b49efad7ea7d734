"""`numduel completion`: tab completion for the shell, and what it completes."""

from __future__ import annotations

import re

import click
from click.shell_completion import BashComplete, CompletionItem, get_completion_class

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
    from numduel.players import installed_words, player_words

    words = [*player_words(), *installed_words()]
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def complete_variants(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The variants that begin so: of the game that was named, or of all."""
    from numduel.games import keys, load

    # Click has not taken the words apart yet where --set still lacks its value.
    words = [context.params.get("what"), context.params.get("game"), *context.args]
    named = {re.split("[:,~]", str(word))[0] for word in words}
    games = [load(key) for key in keys() if key in named or named.isdisjoint(keys())]
    settings = dict.fromkeys(
        f"{name}={value}"
        for game in games
        for name, values in game.variants.items()
        for value in values
    )
    return [CompletionItem(setting) for setting in settings if setting.startswith(incomplete)]


class _Bash(BashComplete):
    """Click's completion for bash, also for words with a sign, like level:3 or divisors=odd.

    Bash takes colons and equals signs for the end of a word: the parts are put together
    again for numduel, and what stands before the last sign is left out of its answers.
    """

    source_template = """\
%(complete_func)s() {
    local IFS=$'\\n' response completion type value at word signs prefix=''
    local words=()
    for ((at = 0; at <= COMP_CWORD; at++)); do
        word="${COMP_WORDS[at]}"
        if ((at > 1)) && [[ $word == [:=]* || ${COMP_WORDS[at - 1]} == *[:=] ]]; then
            words[-1]+="$word"
        else
            words+=("$word")
        fi
    done
    word="${words[-1]}"
    [[ $word == -*=* ]] && word="${word#*=}"
    signs="${COMP_WORDBREAKS//[^:=]/}"
    [[ $signs ]] && prefix="${word%%"${word##*[$signs]}"}"
    response=$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((${#words[@]} - 1)) \
        %(complete_var)s=bash_complete $1)
    for completion in $response; do
        IFS=',' read type value <<< "$completion"
        case $type in
            dir) COMPREPLY=(); compopt -o dirnames ;;
            file) COMPREPLY=(); compopt -o default ;;
            plain) COMPREPLY+=("${value#"$prefix"}") ;;
        esac
    done
    return 0
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


EXAMPLES = """\b
Set it up:
  bash:  eval "$(numduel completion bash)"   in ~/.bashrc
  zsh:   eval "$(numduel completion zsh)"    in ~/.zshrc
  fish:  numduel completion fish > ~/.config/fish/completions/numduel.fish
"""


@click.command("completion", epilog=EXAMPLES)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a script that lets SHELL complete numduel's commands."""
    completion = _Bash if shell == "bash" else get_completion_class(shell)
    if completion is None:
        raise click.ClickException(f"There is no completion for {shell}.")
    click.echo(completion(app, {}, "numduel", "_NUMDUEL_COMPLETE").source())
