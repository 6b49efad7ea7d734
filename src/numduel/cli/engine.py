"""`numduel engine` and `numduel mcp`: protocols for programs, on standard input and output."""

from __future__ import annotations

import sys
from random import Random

import click

import numduel
from numduel.adaptors.engine import Engine
from numduel.cli.console import LONGEST_LINE
from numduel.cli.parameters import PLAYER, seed_option, usage
from numduel.players import make_computer

EXAMPLES = """\b
Example:
  $ printf 'board divisor-duel:60\\ngenmove\\nquit\\n' | numduel engine
"""


@click.command("engine", epilog=EXAMPLES)
@click.option(
    "--player", default="perfect", show_default=True, type=PLAYER,
    help="The player that answers genmove.",
)  # fmt: skip
@seed_option
def command(player: str, seed: int | None) -> None:
    """Speak the engine protocol: commands come in, replies go out.

    The commands are protocol_version, name, version, list_commands,
    known_command, board, legal, play, genmove, undo, verdict and quit.
    """
    with usage():
        chooses = make_computer(player, Random(seed))
    engine = Engine(chooses, "numduel", numduel.__version__)
    lines = iter(lambda: sys.stdin.readline(LONGEST_LINE), "")
    for reply in engine.replies(lines):
        sys.stdout.write(reply)
        sys.stdout.flush()


@click.command("mcp")
@seed_option
@click.option(
    "--no-answers", is_flag=True,
    help="Measure a model: no verdicts, and no second match before the first is over.",
)  # fmt: skip
def mcp(seed: int | None, no_answers: bool) -> None:
    """Serve the Model Context Protocol on standard input and output.

    A language model that is connected to it can list games, start matches, see
    legal moves, play, and ask for verdicts.
    """
    from numduel.adaptors.mcp import make_server

    make_server(seed, not no_answers).run("stdio")
