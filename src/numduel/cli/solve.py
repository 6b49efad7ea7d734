"""`numduel solve`: who wins a board, what to play, and why."""

from __future__ import annotations

import click

from numduel.board import Board
from numduel.cli.layout import say
from numduel.cli.parameters import (
    BOARD,
    json_option,
    misere_option,
    number_option,
    print_json,
    write_output,
)
from numduel.cli.patience import thinking
from numduel.program import typed
from numduel.solver import solve
from numduel.solver.certificate import certificate
from numduel.wording.verdict import as_json as facts_of
from numduel.wording.verdict import lines

EXAMPLES = """\b
Examples:
  numduel solve subtract-a-prime:20
  numduel solve divisor-duel:60 --misere --why
  numduel solve subtract-a-prime:20+divisor-duel:60 --json
  numduel solve subtract-a-prime:20 --certificate proof.json
"""


@click.command("solve", epilog=EXAMPLES)
@click.argument("board", type=BOARD)
@misere_option
@number_option("--moves", "K", "Show at most K winning moves.", least=0, most=10_000, default=10)
@click.option("--why", "full", is_flag=True, help="Show the full argument.")
@click.option("--certificate", "path", metavar="FILE", help="Write a proof for numduel check.")
@json_option()
def command(
    board: Board, misere: bool, moves: int, full: bool, path: str | None, as_json: bool
) -> None:
    """Say who wins BOARD (divisor-duel:60, say) with perfect play, and how."""
    with thinking():
        verdict = solve(board, misere)
        if path is not None:
            write_output(path, certificate(verdict))
        if as_json:
            print_json(facts_of(verdict, moves))
            return
        said = lines(verdict, moves, full)
    say("\n".join(said))
    if path is not None:
        click.echo(f"Certificate: {path} ({typed(f'check {path}')} verifies it)")
