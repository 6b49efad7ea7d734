"""`numduel solve`: who wins a board, what to play, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from numduel.board import Board
from numduel.cli.completion import complete_games
from numduel.errors import NumduelError
from numduel.solver import Verdict, solve
from numduel.solver.certificate import certificate
from numduel.wording import brief, problem
from numduel.wording.why import argument, why

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
@click.option("--json", "as_json", is_flag=True, help="Print one object, as JSON.")
def command(
    board: str, misere: bool, moves: int, full: bool, path: str | None, as_json: bool
) -> None:
    """Say who wins BOARD (divisor-duel:60, say) with perfect play, and how."""
    try:
        parsed = Board.parse(board.lower())
    except NumduelError as error:
        raise click.UsageError(problem(error)) from error
    verdict = solve(parsed, misere)
    if path is not None:
        _write(path, certificate(verdict))
    if as_json:
        click.echo(json.dumps(verdict_fields(verdict, moves)))
        return
    for line in verdict_lines(verdict, moves, full):
        click.echo(line)
    if path is not None:
        click.echo(f"Certificate: {path} (numduel check {path} verifies it)")


def verdict_fields(verdict: Verdict, count: int) -> dict[str, Any]:
    """The verdict as a JSON object."""
    moves, complete = verdict.first_moves(count)
    return {
        "board": str(verdict.board),
        "misere": verdict.misere,
        "outcome": verdict.outcome,
        "grundy": _grundy(verdict),
        "winning_moves": [verdict.board.write_move(move) for move in moves],
        "complete": complete,
        "method": verdict.method,
        "holds": " ".join([verdict.holds, *_value_doubt(verdict)]),
    }


def verdict_lines(verdict: Verdict, count: int, full: bool = False) -> list[str]:
    """The verdict in words."""
    board = verdict.board
    ends = "wins" if verdict.outcome == "win" else "loses"
    kind = " under misère" if verdict.misere and not board.misere else ""
    lines = [f"{_shortened(board)}{kind}: the player to move {ends}."]
    if verdict.outcome == "win" and count and not board.is_over:
        moves, complete = verdict.first_moves(count)
        written = ", ".join(_move(verdict, move) for move in moves) or "none that can be named"
        lines.append(f"Winning moves: {written}{'' if complete else ', ...'}")
    grundy = _grundy(verdict)
    if grundy is not None:
        lines.append(f"Grundy value: {grundy}{''.join(f' ({s})' for s in _value_doubt(verdict))}")
    lines.append("Why:")
    lines += [f"  {sentence}" for sentence in (argument(verdict) if full else why(verdict))]
    if not full:
        lines.append(f"Known by {verdict.method}: {verdict.holds}")
    return lines


def _grundy(verdict: Verdict) -> int | None:
    """The value, or None under misère and where finding it would take too long."""
    try:
        return verdict.grundy
    except NumduelError:
        return None


def _value_doubt(verdict: Verdict) -> list[str]:
    """How the Grundy value is known, where that is less certain than the outcome."""
    basis = verdict.grundy_basis
    if basis is None or basis.method != "conjecture" or basis == verdict.basis:
        return []
    return [f"Grundy value: {basis.holds}"]


def _shortened(board: Board) -> str:
    """The board as text, with its large numbers in short."""
    parts = []
    for number in board.numbers:
        head, _, rest = str(number).partition(":")
        parts.append(f"{head}:{brief(number.value)}{rest.removeprefix(str(number.value))}")
    return "+".join(parts) + ("~misere" if board.misere else "")


def _move(verdict: Verdict, move: Any) -> str:
    text = brief(move.amount)
    return f"{move.place + 1}:{text}" if len(verdict.board.numbers) > 1 else text


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}.") from error
