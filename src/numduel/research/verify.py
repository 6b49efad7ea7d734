"""A run: a claim over a range, block by block, with a checkpoint, to its certificate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from numduel.errors import (
    ClaimFails,
    FileError,
    RunFailed,
    TooLarge,
)
from numduel.research import claim_certificate
from numduel.research.checkpoint import Checkpoint
from numduel.research.claims import Claim, ClaimRange
from numduel.research.crews import Alone, Crew
from numduel.solver import solve
from numduel.solver.certificate import certificate
from numduel.solver.check import check

Progress = Callable[[int, int], None]
"""Told how many numbers were settled before this run, and how many are now."""


def verify(
    plan: ClaimRange,
    path: Path,
    crew: Crew | None = None,
    progress: Progress = lambda _before, _now: None,
) -> str:
    """Verify the plan and give the certificate's text; finished blocks are kept at `path`.

    Blocks that the file holds already are not done again. Raises `ClaimFails` at a
    counterexample, with its proof if one can be written; `FileError` or `RunFailed`
    where the run cannot go on. What was finished stays in the file.
    """
    checkpoint = Checkpoint(path, plan.head())
    try:
        done = _blocks_of(plan, checkpoint)
        before = settled = sum(stop - start for start, stop in done)
        progress(before, settled)
        left = (block for block in plan.blocks() if block not in done)
        for row in (crew or Alone()).work(plan.kernel, left):
            checkpoint.add(row)
            settled += row["to"] - row["from"]
            progress(before, settled)
        rows = [*checkpoint.rows, *checkpoint.added]
    except ClaimFails as error:
        proof = proof_of(plan.claim, error.number)
        raise ClaimFails(claim=plan.claim.name, number=error.number, proof=proof) from error
    except RunFailed as error:
        error.fields["path"] = path
        raise
    finally:
        checkpoint.close()
    return claim_certificate.write(plan, rows)


def _blocks_of(plan: ClaimRange, checkpoint: Checkpoint) -> set[tuple[int, int]]:
    """The blocks that the checkpoint has; each must be one of the plan, once."""
    wanted = set(plan.blocks())
    found = set()
    for number, row in enumerate(checkpoint.rows, 2):
        block = (row.get("from"), row.get("to"))
        if block not in wanted or block in found:
            raise FileError(what="checkpoint", path=checkpoint.path, problem="damaged", line=number)
        found.add(block)
    return found


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
