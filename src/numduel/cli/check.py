"""`numduel check`: verify a certificate, without trusting whoever made it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from numduel.solver.check import check


@click.command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print one object, as JSON.")
def command(file: str, as_json: bool) -> None:
    """Verify the certificate in FILE, made by numduel solve --certificate.

    The check knows the rules of the games and nothing of the solver. It exits
    with 1 when the certificate does not prove what it claims.
    """
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.ClickException(f"{file} cannot be read as text.") from error
    report = check(text)
    if as_json:
        fields = {
            "board": str(report.board),
            "misere": report.misere,
            "outcome": report.outcome,
            "verified": report.verified,
            "relies_on": [claim._asdict() for claim in report.relies_on],
        }
        click.echo(json.dumps(fields))
        return
    ends = "wins" if report.outcome == "win" else "loses"
    kind = " under misère" if report.misere else ""
    click.echo(f"The certificate holds: the player to move {ends}{kind}.")
    for line in report.verified:
        click.echo(f"  Verified: {line}")
    for claim in report.relies_on:
        click.echo(f"  Relied on: {claim.says} ({claim.known})")
