"""`numduel solve`: who wins a board, what to play, and why."""

from __future__ import annotations

import json

import click

from numduel.board import Board
from numduel.cli.completion import complete_games
from numduel.cli.layout import say
from numduel.cli.output_file import write_output
from numduel.cli.patience import thinking
from numduel.cli.usage import usage
from numduel.program import typed
from numduel.solver import solve
from numduel.solver.certificate import certificate
from numduel.wording.verdict import as_json, lines

EXAMPLES = """\b
Examples:
  numduel solve subtract-a-prime:20
  numduel solve divisor-duel:60 --misere --why
  numduel solve subtract-a-prime:20+divisor-duel:60 --json
  numduel solve subtract-a-prime:20 --certificate proof.json
"""


@click.command("solve", epilog=EXAMPLES)
@click.argument("board", shell_complete=complete_games)
@click.option("--misere", is_flag=True, help="Whoever cannot move wins instead of losing.")
@click.option(
    "--moves",
    type=click.IntRange(0, 10_000),
    default=10,
    show_default=True,
    metavar="K",
    help="Show at most K winning moves.",
)
@click.option("--why", "full", is_flag=True, help="Show the full argument.")
@click.option("--certificate", "path", metavar="FILE", help="Write a proof for numduel check.")
@click.option("--json", "json_", is_flag=True, help="Print one object, as JSON.")
def command(
    board: str, misere: bool, moves: int, full: bool, path: str | None, json_: bool
) -> None:
    """Say who wins BOARD (divisor-duel:60, say) with perfect play, and how."""
    with usage():
        parsed = Board.parse(board.lower())
    with thinking():
        verdict = solve(parsed, misere)
        if path is not None:
            write_output(path, certificate(verdict))
        said = [json.dumps(as_json(verdict, moves))] if json_ else lines(verdict, moves, full)
    if json_:
        click.echo(said[0])
        return
    for line in said:
        say(line)
    if path is not None:
        click.echo(f"Certificate: {path} ({typed(f'check {path}')} verifies it)")
