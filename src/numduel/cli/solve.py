"""`numduel solve`: who wins a board, and why; `numduel check`: its certificate, distrusted."""

import json
from typing import Any

import click

from numduel.board import Board
from numduel.cli import options, patience
from numduel.cli.layout import say
from numduel.extras import COMPILED, require
from numduel.match.events import plain
from numduel.program import typed
from numduel.research.claims import FORMAT
from numduel.solver import check as checker
from numduel.solver import solve
from numduel.solver.certificate import certificate
from numduel.wording import verdict as words

EXAMPLES = """\b
Examples:
  numduel solve subtract-a-prime:20
  numduel solve divisor-duel:60 --misere --why
  numduel solve subtract-a-prime:20+divisor-duel:60 --json
  numduel solve subtract-a-prime:20 --certificate proof.json
"""


@click.command("solve", epilog=EXAMPLES)
@click.argument("board", type=options.BOARD)
@options.misere
@options.number("--moves", "K", "Show at most K winning moves.", least=0, most=10_000, default=10)
@options.flag("--why", "Show the full argument.", "full")
@options.text("--certificate", "FILE", "Write a proof for numduel check.", "path")
@options.in_json()
def command(board: Board, misere: bool, moves: int, full: bool, path: str | None) -> None:
    """Say who wins BOARD (divisor-duel:60, say) with perfect play, and how."""
    with patience.thinking():
        verdict = solve(board, misere)
        if path is not None:
            options.write_output(path, certificate(verdict))
        options.end_in_json(lambda: words.as_json(verdict, moves))
        said = words.lines(verdict, moves, full)
    say("\n".join(said))
    if path is not None:
        click.echo(f"Certificate: {path} ({typed(f'check {path}')} verifies it)")


@click.command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@options.number(
    "--sample", "K", "Recompute K blocks of a claim's certificate.", least=0, most=10**6, default=1
)
@options.text("--seed", "S", "Choose the same blocks again.", type=int)
@options.in_json()
def check(file: str, sample: int, seed: int | None) -> None:
    """Verify the certificate in FILE, made by numduel solve or numduel verify.

    The check of a verdict knows the rules of the games and nothing of the
    solver. The rows of a claim's certificate are compared with the claim and
    with each other, and K blocks chosen at random are recomputed by plain
    search. It exits with 1 when the certificate does not prove what it claims.
    """
    text = options.read_input(file, "certificate")
    data = _claim(text)
    fields, said = _verdict(text) if data is None else _checked_claim(data, sample, seed)
    options.end_in_json(lambda: fields)
    say("\n  ".join(said))


def _claim(text: str) -> dict[str, Any] | None:
    """The certificate of a claim; None for anything else."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and data.get("format") == FORMAT else None


def _checked_claim(
    data: dict[str, Any], sample: int, seed: int | None
) -> tuple[dict[str, Any], list[str]]:
    """What was found of a claim's certificate, for programs and in words."""
    require(*COMPILED)
    from numduel.research.verify import recheck

    with patience.Progress("check", None, "blocks") as progress:
        found = recheck(data, sample, seed, progress)
    plan = found.plan
    fields = {
        "claim": plan.claim.name,
        "from": plan.start,
        "to": plan.stop,
        "blocks": plan.count,
        "totals": found.totals,
        "recomputed": [{"from": start, "to": stop} for start, stop in found.recomputed],
        "not_recomputed": found.left,
    }
    said = [
        f"The certificate is whole: {plan.claim.name}, {plan.start} <= n < {plan.stop}.",
        f"Claim: {plan.claim.says}",
        f"Blocks: {plan.count:,}, without a gap; the counts of each fit its length and the claim.",
    ]
    for start, stop in found.recomputed:
        said.append(f"Recomputed by plain search, and agrees: {start} <= n < {stop}")
    if found.left:
        said.append(
            f"Not recomputed: {found.left:,} of {plan.stop - plan.start:,} numbers. They rest on"
            " the run that made the certificate; --sample K recomputes K blocks."
        )
    return fields, said


def _verdict(text: str) -> tuple[dict[str, Any], list[str]]:
    """The same of a verdict's certificate."""
    report = checker.check(text)
    relied_on = [claim._asdict() for claim in report.relies_on]
    names = ("board", "misere", "outcome", "verified", "relies_on")
    fields = plain(names, report, relies_on=relied_on)
    ends = "wins" if report.outcome == "win" else "loses"
    under = " under misère" if report.misere else ""
    said = [f"The certificate holds: the player to move {ends}{under}."]
    said += [f"Verified: {line}" for line in report.verified]
    said += [f"Relied on: {claim.says} ({claim.known})" for claim in report.relies_on]
    return fields, said
