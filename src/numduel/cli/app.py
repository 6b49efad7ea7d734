"""The command `numduel`: its subcommands, each imported only when it is used."""

import os
import sys
from importlib import import_module
from io import StringIO, TextIOWrapper

import click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, ZshComplete

import numduel
from numduel.cli.layout import HelpFormatter, on_terminal, say
from numduel.errors import NumduelError
from numduel.program import typed

GROUPS = {
    "Play": {
        "play": "Play a match.",
        "resume": "Continue an unfinished match.",
        "games": "List the games.",
        "rules": "Show the rules of a game.",
        "serve": "Serve the games to browsers.",
    },
    "Get better": {
        "learn": "Learn the winning idea of a game, step by step.",
        "puzzle": "Play the daily duel, or solve puzzles.",
        "map": "Show the traps of a game.",
        "solve": "Say who wins a board, what to play, and why.",
    },
    "Look back": {
        "analyse": "Say where a match was decided.",
        "show": "Show a match.",
        "share": "Print the notation of a match, to send to someone.",
        "history": "List, export or delete saved matches.",
        "stats": "Show how you are doing, and accuracy over time.",
    },
    "Measure players": {
        "arena": "Let players meet many times, and see who plays best.",
        "exam": "Ask players about positions, and score every answer.",
        "positions": "Draw positions with their answers, for an exam of your own.",
        "engine": "Play by a line protocol, for programs.",
        "mcp": "Serve the Model Context Protocol, for language models.",
    },
    "Research": {
        "sequence": "Print a sequence of a game, or compare it with a file.",
        "verify": "Verify a claim over a range, with a certificate.",
        "check": "Check a certificate.",
    },
    "Set up": {"completion": "Print a script for tab completion in your shell."},
}  # the subcommands as `numduel --help` groups them, with the lines shown there
COMMANDS = {name: said for group in GROUPS.values() for name, said in group.items()}
_HOMES = {"rules": "games", "map": "games", "show": "analyse", "share": "analyse",
          "resume": "play", "learn": "puzzle", "check": "solve", "stats": "history",
          "positions": "exam", "engine": "arena", "mcp": "arena", "sequence": "research",
          "verify": "research", "completion": "app"}  # fmt: skip
"""The files of commands that have none of their own."""

EXAMPLES = """\b
Examples:
  numduel                                     choose from a menu
  numduel play divisor-duel                   two people at one keyboard
  numduel play subtract-a-prime --p2 iris     against the computer
  numduel play subtract-a-prime:20+divisor-duel:60 --misere
  numduel solve divisor-duel:60               who wins, what to play, and why
  numduel learn divisor-duel                  six short steps to the winning idea
"""

click.Context.formatter_class = HelpFormatter


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        file = import_module(f"numduel.cli.{_HOMES.get(cmd_name, cmd_name)}")
        found = (one for one in vars(file).values() if isinstance(one, click.Command))
        return next(command for command in found if command.name == cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            from numduel.wording import joined, quoted

            said = f"There is no command {quoted(args[0])}."
            near = get_close_matches(args[0].casefold(), COMMANDS)
            ctx.fail(f"{said} Did you mean {joined(near)}?" if near else said)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        words = ((name, said) for name, said in COMMANDS.items() if name.startswith(incomplete))
        found = [CompletionItem(name, help=said) for name, said in words]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:10}", said) for name, said in commands.items()])
        click.Command.format_options(self, ctx, formatter)


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(numduel.__version__, message="numduel %(version)s")
@click.pass_context
def app(context: click.Context) -> None:
    """Number duels: two players, one shared number, a rule for making it smaller.

    Without a command, numduel shows a menu.
    """
    if context.invoked_subcommand is None:
        if on_terminal():
            from numduel.cli.menu import run_menu

            run_menu()
        click.echo(context.get_help())


class _Bash(BashComplete):
    """Click's completion for bash, also for words with a sign, like level:3 or divisors=odd. Bash
    takes colons and equals signs for the end of a word: the parts are put together again for
    numduel, and what stands before the last sign is left out of its answers.
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
SET_UP = """\b
Set it up:
  bash:  eval "$(numduel completion bash)"   in ~/.bashrc
  zsh:   eval "$(numduel completion zsh)"    in ~/.zshrc
  fish:  numduel completion fish > ~/.config/fish/completions/numduel.fish
"""


@click.command("completion", epilog=SET_UP)
@click.argument("shell", type=click.Choice(list(_SHELLS)))
def completion(shell: str) -> None:
    """Print a script that lets SHELL complete numduel's commands."""
    click.echo(_SHELLS[shell](app, {}, "numduel", "_NUMDUEL_COMPLETE").source())


def run(arguments: list[str]) -> int:
    """Run the command line and give its exit code. Prints sentences, never a traceback."""
    _prepare_streams()
    try:
        code = app.main(
            arguments, prog_name=typed(), complete_var="_NUMDUEL_COMPLETE", standalone_mode=False
        )
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        shown = StringIO()
        error.show(shown)
        say(shown.getvalue().removesuffix("\n"), err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo(err=True)
        return 130
    except NumduelError as error:
        from numduel.wording import problem

        say(f"numduel: {problem(error)}", err=True)
        return 1
    except OSError as error:
        # Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            say(f"numduel: {error.strerror or error}.", err=True)
        return 1


def _prepare_streams() -> None:
    """Take any bytes in and show any text; stand in for streams that were closed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
        stream = getattr(sys, name)
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace" if mode == "r" else "backslashreplace")
