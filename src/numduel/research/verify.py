"""A claim over a range, block by block, with a checkpoint, to its certificate; and how to check it.

The checkpoint of a run is a file with a line for every finished block:

    {"format": "numduel-checkpoint", "version": 1, "claim": ..., "from": ..., ...}    5f2c0a91
    {"from": 0, "to": 10000000, "losses": 1741797, "hash": "2b748203..."}             0d6b21ee

The lines are marked ones of `json_lines.py`. A line is on the disk before the next block is counted
as begun, so a kill loses only the blocks under way. A last line without its end, as a kill in
mid-write leaves it, is dropped. Anything else that is out of place is an error, and the file is
left as it is.
"""

import fcntl
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from numduel import json_lines
from numduel.errors import ClaimFails, FileError, InvalidCertificate, RunFailed, TooLarge
from numduel.research import claim_certificate
from numduel.research.claims import Claim, ClaimRange, Row
from numduel.research.crews import Crew, alone, find_kernel
from numduel.solver import solve
from numduel.solver.certificate import certificate
from numduel.solver.check import check

_FORM = ("format", "version")
write_line = partial(json_lines.write_line, marked=True)
Progress = Callable[[int, int], None]
"""Told how many numbers were settled before this run, and how many are now."""


class Checkpoint:
    """The file, open and locked, and the blocks that were left when it was opened.

    `rows` has what it held then and what came since.

    Raises `FileError` with problem "damaged" (and the line), "other run" (and what it is
    of), "in use", or what the system says.
    """

    def __init__(self, path: Path, plan: ClaimRange) -> None:
        self.path, self.left, self.rows = path, set(plan.blocks()), list[Row]()
        self._head = {
            "format": "numduel-checkpoint", "version": 1, "claim": plan.claim.name,
            "from": plan.start, "to": plan.stop, "block": plan.block, "kernel": plan.kernel,
        }  # fmt: skip
        with json_lines.usable("checkpoint", path):
            self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+b")
        try:
            self._read()
        except BaseException:
            self.close()
            raise

    def _read(self) -> None:
        """Lock it, read all rows, and drop a line that was cut off; a new file gets its head."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise self._unusable("in use") from None
        lines, torn = json_lines.whole_lines(self._file)
        if not lines and not torn:
            json_lines.append(self._file, [write_line(self._head)])
            return
        for number, line in enumerate(lines or [torn], 1):
            try:
                data = dict(json_lines.read_line(line, marked=True))
                if number > 1:
                    self.left.remove((data["from"], data["to"]))
                    self.rows.append(data)
            except (ValueError, TypeError, KeyError):
                raise self._unusable("damaged", line=number) from None
            if number == 1 and any(data.get(name) != self._head[name] for name in _FORM):
                raise self._unusable("damaged", line=1)
            if number == 1 and data != self._head:
                names = ("claim", "from", "to", "block")
                found = " ".join(f"{name} {data.get(name)}" for name in names)
                raise self._unusable("other run", found=found)
        self._file.seek(-len(torn), os.SEEK_END)
        self._file.truncate()

    def _unusable(self, problem: str, **fields: object) -> FileError:
        return FileError(what="checkpoint", path=self.path, problem=problem, **fields)

    def add(self, row: Row) -> None:
        with json_lines.usable("checkpoint", self.path):
            json_lines.append(self._file, [write_line(row)])
        self.rows.append(row)

    def close(self) -> None:
        self._file.close()


def verify(
    plan: ClaimRange,
    path: Path,
    crew: Crew = alone,
    progress: Progress = lambda _before, _now: None,
) -> str:
    """Verify the plan and give the certificate's text; finished blocks are kept at `path`.

    Blocks that the file holds already are not done again. Raises `ClaimFails` at a
    counterexample, with its proof if one can be written; `FileError` or `RunFailed`
    where the run cannot go on. What was finished stays in the file.
    """
    checkpoint = Checkpoint(path, plan)
    try:
        before = settled = sum(row["to"] - row["from"] for row in checkpoint.rows)
        progress(before, settled)
        left = (block for block in plan.blocks() if block in checkpoint.left)
        for row in crew(plan.kernel, left):
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

    The blocks are chosen at random, and differently each time without a seed. One from a GPU may
    be too long: it has a part with a row of its own, which is recomputed in its place. Raises
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
