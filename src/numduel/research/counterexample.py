"""The proof of a counterexample, where one is short enough to write down."""

from __future__ import annotations

from numduel.errors import TooLarge
from numduel.research.claims import Claim
from numduel.solver.certificate import certificate
from numduel.solver.check import check
from numduel.solver.verdict import solve


def proof_of(claim: Claim, number: int) -> str | None:
    """A certificate that this even number is lost, relying on nothing; None where there is none.

    Only an even loss has one, and only a small one: every move of it needs an answer.
    """
    if claim.name != "even-losses":
        return None
    try:
        text = certificate(solve(f"{claim.game}:{number}"))
    except TooLarge:
        return None
    report = check(text)
    return text if report.outcome == "loss" and not report.relies_on else None
