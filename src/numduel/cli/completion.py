"""`numduel completion`: tab completion for the shell. What it offers: `parameters.py`."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from numduel.cli.app import app


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


_SHELLS = {"bash": _Bash, "zsh": ZshComplete, "fish": FishComplete}
EXAMPLES = """\b
Set it up:
  bash:  eval "$(numduel completion bash)"   in ~/.bashrc
  zsh:   eval "$(numduel completion zsh)"    in ~/.zshrc
  fish:  numduel completion fish > ~/.config/fish/completions/numduel.fish
"""


@click.command("completion", epilog=EXAMPLES)
@click.argument("shell", type=click.Choice(list(_SHELLS)))
def command(shell: str) -> None:
    """Print a script that lets SHELL complete numduel's commands."""
    click.echo(_SHELLS[shell](app, {}, "numduel", "_NUMDUEL_COMPLETE").source())
