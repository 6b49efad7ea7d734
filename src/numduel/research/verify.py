"""A claim over a range, block by block, with a checkpoint, to its certificate; and how to check it.

A check looks at the rows, then recomputes some blocks at random by another method. A block from a
GPU may be too long for that: it has a part with a row of its own, which is recomputed in its place.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from numduel.errors import ClaimFails, FileError, InvalidCertificate, RunFailed, TooLarge
from numduel.research import claim_certificate
from numduel.research.blocks import find_kernel
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
    except ClaimFails as error:
        proof = proof_of(plan.claim, error.number)
        raise ClaimFails(claim=plan.claim.name, number=error.number, proof=proof) from error
    except RunFailed as error:
        error.fields["path"] = path
        raise
    finally:
        checkpoint.close()
    return claim_certificate.write(plan, checkpoint.rows)


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


@dataclass(frozen=True)
class Recheck:
    """A certificate that holds, and the blocks that were recomputed."""

    plan: ClaimRange
    totals: dict[str, Any]
    recomputed: list[tuple[int, int]]

    @property
    def left(self) -> int:
        """How many numbers were not recomputed."""
        done = sum(stop - start for start, stop in self.recomputed)
        return self.plan.stop - self.plan.start - done


def recheck(
    data: dict[str, Any],
    sample: int,
    seed: int | None = None,
    progress: Progress = lambda _before, _now: None,
) -> Recheck:
    """Check the rows of a certificate, and recompute `sample` of its blocks by plain search.

    The blocks are chosen at random, and differently each time without a seed. Raises
    `InvalidCertificate` when a row cannot be right or a block does not agree.
    """
    plan, rows = claim_certificate.read(data)
    chosen = sorted(Random(seed).sample(range(len(rows)), min(sample, len(rows))))
    search = find_kernel(plan.method.check)
    done = []
    for place in chosen:
        row = rows[place].get("part", rows[place])
        row = {name: value for name, value in row.items() if name != "machine"}
        start, stop = row["from"], row["to"]
        found = {"from": start, "to": stop, **search(start, stop)}
        if found != row:
            names = sorted(name for name in {*found, *row} if found.get(name) != row.get(name))
            block = f"the block from {start} to {stop}"
            problem = f"plain search of {block} finds another {' and '.join(names)}"
            raise InvalidCertificate(problem=problem)
        done.append((start, stop))
        progress(0, len(done))
    return Recheck(plan, claim_certificate.totals(rows), done)
