"""Checks a claim's certificate: its rows, then some blocks at random by another method.

A block from a GPU may be too long for that: it has a part with a row of its own, which is
recomputed in its place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from numduel.errors import InvalidCertificate
from numduel.research import claim_certificate
from numduel.research.blocks import find_kernel
from numduel.research.claims import ClaimRange


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
    progress: Callable[[int, int], None] = lambda _before, _now: None,
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
            raise InvalidCertificate(
                problem=f"plain search of the block from {start} to {stop} finds another "
                f"{' and '.join(names)}"
            )
        done.append((start, stop))
        progress(0, len(done))
    return Recheck(plan, claim_certificate.totals(rows), done)
