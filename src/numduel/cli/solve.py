"""`numduel solve`: who wins a board, and why; `numduel check`: its certificate, distrusted."""

import json
from typing import Any

import click

from numduel.board import Board
from numduel.cli.layout import say
from numduel.cli.parameters import (
    BOARD,
    json_option,
    misere_option,
    number_option,
    print_json,
    read_input,
    write_output,
)
from numduel.cli.patience import Progress, thinking
from numduel.extras import COMPILED, require
from numduel.program import typed
from numduel.research.claims import FORMAT
from numduel.solver import solve
from numduel.solver.certificate import certificate
from numduel.solver.check import Report
from numduel.solver.check import check as check_certificate
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


@click.command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@number_option(
    "--sample", "K", "Recompute K blocks of a claim's certificate.", least=0, most=10**6, default=1
)
@click.option("--seed", type=int, metavar="S", help="Choose the same blocks again.")
@json_option()
def check(file: str, sample: int, seed: int | None, as_json: bool) -> None:
    """Verify the certificate in FILE, made by numduel solve or numduel verify.

    The check of a verdict knows the rules of the games and nothing of the
    solver. The rows of a claim's certificate are compared with the claim and
    with each other, and K blocks chosen at random are recomputed by plain
    search. It exits with 1 when the certificate does not prove what it claims.
    """
    text = read_input(file, "certificate")
    data = _claim(text)
    if data is not None:
        _check_claim(data, sample, seed, as_json)
    else:
        _show_verdict(check_certificate(text), as_json)


def _claim(text: str) -> dict[str, Any] | None:
    """The certificate of a claim; None for anything else."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and data.get("format") == FORMAT else None


def _check_claim(data: dict[str, Any], sample: int, seed: int | None, as_json: bool) -> None:
    require(*COMPILED)
    from numduel.research.verify import recheck

    with Progress("check", None, "blocks") as progress:
        found = recheck(data, sample, seed, progress)
    plan = found.plan
    if as_json:
        fields = {
            "claim": plan.claim.name,
            "from": plan.start,
            "to": plan.stop,
            "blocks": plan.count,
            "totals": found.totals,
            "recomputed": [{"from": start, "to": stop} for start, stop in found.recomputed],
            "not_recomputed": found.left,
        }
        print_json(fields)
        return
    say(f"The certificate is whole: {plan.claim.name}, {plan.start} <= n < {plan.stop}.")
    say(f"  Claim: {plan.claim.says}")
    say(
        f"  Blocks: {plan.count:,}, without a gap; the counts of each fit its length and the claim."
    )
    for start, stop in found.recomputed:
        say(f"  Recomputed by plain search, and agrees: {start} <= n < {stop}")
    if found.left:
        say(
            f"  Not recomputed: {found.left:,} of {plan.stop - plan.start:,} numbers. They rest on"
            " the run that made the certificate; --sample K recomputes K blocks."
        )


def _show_verdict(report: Report, as_json: bool) -> None:
    if as_json:
        fields = {
            "board": str(report.board),
            "misere": report.misere,
            "outcome": report.outcome,
            "verified": report.verified,
            "relies_on": [claim._asdict() for claim in report.relies_on],
        }
        print_json(fields)
        return
    ends = "wins" if report.outcome == "win" else "loses"
    kind = " under misère" if report.misere else ""
    say(f"The certificate holds: the player to move {ends}{kind}.")
    for line in report.verified:
        say(f"  Verified: {line}")
    for claim in report.relies_on:
        say(f"  Relied on: {claim.says} ({claim.known})")
