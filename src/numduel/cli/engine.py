"""`numduel engine`: play by a line protocol on standard input and output."""

from __future__ import annotations

import sys
from random import Random

import click

import numduel
from numduel.adaptors.engine import Engine
from numduel.cli.completion import complete_players
from numduel.cli.console import LONGEST_LINE
from numduel.cli.usage import usage
from numduel.players import make_computer

EXAMPLES = """\b
Example:
  $ printf 'board divisor-duel:60\\ngenmove\\nquit\\n' | numduel engine
"""


@click.command("engine", epilog=EXAMPLES)
@click.option(
    "--player",
    default="perfect",
    show_default=True,
    metavar="PLAYER",
    shell_complete=complete_players,
    help="The player that answers genmove.",
)
@click.option("--seed", type=int, metavar="S", help="Repeat the same random choices.")
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
