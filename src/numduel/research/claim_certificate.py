"""Certificates of verified claims: the form, written and read.

    {"format": "numduel-claim", "version": 1, "claim": ..., "says": ..., "proves": ...,
     "from": ..., "to": ..., "block": ..., "kernel": ..., "versions": {...},
     "hash": <of the blocks>, "blocks": [<row>, ...]}

It depends on the claim, the range, the block size and the versions alone: not on the number of
workers, the order of the work, or whether the run was stopped and resumed.
"""

from __future__ import annotations

import itertools
import json
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import numduel
from numduel.errors import InvalidCertificate, InvalidRange
from numduel.research.blocks import HASH_DIGITS, Row, digest
from numduel.research.claims import CLAIMS, FORMAT, ClaimRange

VERSION: Final = 1
_FIELDS: Final = {
    "format", "version", "claim", "says", "proves", "from", "to", "block", "kernel", "versions",
    "hash", "blocks",
}  # fmt: skip
_HASH = re.compile(rf"[0-9a-f]{{{HASH_DIGITS}}}")


def versions() -> dict[str, str]:
    """What the rows were computed with."""
    found = {"numduel": numduel.__version__, "python": platform.python_version()}
    for package in ("numpy", "numba"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def blocks_hash(rows: list[Row]) -> str:
    """One hash for all blocks, in order."""
    return digest(json.dumps(rows, sort_keys=True).encode())


def problem_with(plan: ClaimRange, rows: list[Row]) -> str | None:
    """What keeps the rows, in order, from being those of the plan; None when nothing does."""
    spans = [(row.get("from"), row.get("to")) for row in rows]
    if spans != list(plan.blocks()):
        return "the blocks do not follow each other from start to end"
    for row in rows:
        if not (isinstance(row.get("hash"), str) and _HASH.fullmatch(row["hash"])):
            return f"the block from {row['from']} has no hash"
    if plan.claim.chained:
        for before, row in itertools.pairwise(rows):
            if before.get("leaves") != row.get("enters") or not row.get("enters"):
                return f"the block from {row['from']} does not go on where the one before ends"
    return None


def write(plan: ClaimRange, rows: list[Row]) -> str:
    """The certificate of a whole run; `rows` in any order."""
    rows = sorted(rows, key=lambda row: int(row["from"]))
    problem = problem_with(plan, rows)
    if problem:
        raise InvalidCertificate(problem=problem)
    head = {
        "format": FORMAT,
        "version": VERSION,
        "claim": plan.claim.name,
        "says": plan.claim.says,
        "proves": plan.claim.proves,
        "from": plan.start,
        "to": plan.stop,
        "block": plan.block,
        "kernel": plan.kernel,
        "versions": versions(),
        "hash": blocks_hash(rows),
    }
    text = json.dumps(head, indent=1)[:-2]
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    return f'{text},\n "blocks": [\n{lines}\n ]\n}}\n'


def read(data: dict[str, Any]) -> tuple[ClaimRange, list[Row]]:
    """The plan and rows of a certificate; raises `InvalidCertificate`."""
    if set(data) != _FIELDS or data["version"] != VERSION:
        raise InvalidCertificate(problem="fields are missing or unknown, or another version")
    if data["claim"] not in CLAIMS:
        raise InvalidCertificate(problem="the claim is unknown")
    numbers = [data["from"], data["to"], data["block"]]
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in numbers):
        raise InvalidCertificate(problem="the range is not in whole numbers")
    rows = data["blocks"]
    if not (isinstance(rows, list) and all(isinstance(row, dict) for row in rows)):
        raise InvalidCertificate(problem="the blocks are not a list")
    try:
        start, stop, block = numbers
        plan = ClaimRange.of(data["claim"], start, stop, block, str(data["kernel"]))
    except InvalidRange:
        raise InvalidCertificate(problem="its range is none of this claim") from None
    if plan.count != len(rows):
        raise InvalidCertificate(problem="blocks are missing")
    problem = problem_with(plan, rows)
    if problem:
        raise InvalidCertificate(problem=problem)
    if blocks_hash(rows) != data["hash"]:
        raise InvalidCertificate(problem="the blocks do not have the hash it names")
    return plan, rows


def totals(rows: list[Row]) -> dict[str, Any]:
    """The counts of all blocks, added up."""
    found: dict[str, Any] = {}
    for row in rows:
        for name, value in row.items():
            if name in ("from", "to") or isinstance(value, str):
                continue
            if isinstance(value, list):
                sums = found.setdefault(name, [])
                sums.extend([0] * (len(value) - len(sums)))
                for place, count in enumerate(value):
                    sums[place] += count
            else:
                found[name] = found.get(name, 0) + value
    return found
