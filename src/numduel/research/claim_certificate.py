"""Certificates of verified claims: the form, written and read.

    {"format": "numduel-claim", "version": 1, "claim": ..., "says": ..., "proves": ...,
     "from": ..., "to": ..., "block": ..., "kernel": ..., "versions": {...},
     "hash": <of the blocks>, "blocks": [<row>, ...]}

It depends only on the claim, the range, the block size and the versions: not on the number of
workers, the order of the work, or whether the run was stopped and resumed.

Version 2 is for runs on a GPU. Its rows have a fingerprint instead of a hash, and the row of a
part (see `gpu_blocks`); `device` says what kind of device it was, `fingerprint` how that is
computed, and `machines` lists the machines (device, driver, versions) that rows name by place.
"""

from __future__ import annotations

import itertools
import json
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import numpy as np

import numduel
from numduel.errors import InvalidCertificate, InvalidRange, RunFailed
from numduel.research.blocks import Row, digest
from numduel.research.claim_rows import problem_with_row
from numduel.research.claims import CLAIMS, FORMAT, PARTS, ClaimRange

VERSIONS: Final = {"cpu": 1, "gpu": 2}
_COMMON: Final = {
    "format", "version", "claim", "says", "proves", "from", "to", "block", "kernel", "hash",
    "blocks",
}  # fmt: skip
_FIELDS: Final = {
    1: _COMMON | {"versions"},
    2: _COMMON | {"device", "fingerprint", "machines"},
}


def versions(*packages: str) -> dict[str, str]:
    """What the rows were computed with: numduel, Python and these packages."""
    found = {"numduel": numduel.__version__, "python": platform.python_version()}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def blocks_hash(rows: list[Row]) -> str:
    """One hash for all blocks, in order."""
    return digest(json.dumps(rows, sort_keys=True).encode())


def problem_with(plan: ClaimRange, rows: list[Row]) -> str | None:
    """What is wrong with these rows, in order, for this plan; None when nothing is."""
    spans = [(row.get("from"), row.get("to")) for row in rows]
    if spans != list(plan.blocks()):
        return "the blocks do not follow each other from start to end"
    for row, block in zip(rows, plan.blocks(), strict=True):
        if problem := problem_with_row(plan, row, *block):
            return problem
    if plan.claim.chained:
        for before, row in itertools.pairwise(rows):
            if before["leaves"] != row["enters"]:
                return f"the block from {row['from']} does not go on where the one before ends"
    return None


def write(plan: ClaimRange, rows: list[Row]) -> str:
    """The certificate of a whole run; `rows` in any order."""
    rows = sorted(rows, key=lambda row: int(row["from"]))
    problem = problem_with(plan, rows)
    if problem:
        raise InvalidCertificate(problem=problem)
    words = _words(plan)
    about: dict[str, Any] = {"versions": versions("numpy", "numba")}
    if plan.device == "gpu":
        rows, machines = _by_machine(rows)
        about = {
            "device": plan.device,
            "fingerprint": words.pop("fingerprint"),
            "machines": machines,
        }
    head = {
        "format": FORMAT,
        "version": VERSIONS[plan.device],
        "claim": plan.claim.name,
        **words,
        "from": plan.start,
        "to": plan.stop,
        "block": plan.block,
        "kernel": plan.kernel,
        **about,
        "hash": blocks_hash(rows),
    }
    text = json.dumps(head, indent=1)[:-2]
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    return f'{text},\n "blocks": [\n{lines}\n ]\n}}\n'


def _words(plan: ClaimRange) -> dict[str, str]:
    """What the claim itself says in its certificates."""
    words = {"says": plan.claim.says, "proves": plan.claim.proves}
    fingerprint = plan.method.fingerprint
    return {**words, "fingerprint": fingerprint} if fingerprint else words


def _by_machine(rows: list[Row]) -> tuple[list[Row], list[Any]]:
    """The rows with a place in a list of machines where each said which it was."""
    machines: list[Any] = []
    found = []
    for row in rows:
        if row["machine"] not in machines:
            machines.append(row["machine"])
        found.append({**row, "machine": machines.index(row["machine"])})
    return found, machines


def read(data: dict[str, Any]) -> tuple[ClaimRange, list[Row]]:
    """The plan and rows of a certificate; raises `InvalidCertificate`."""
    version, device = data.get("version"), data.get("device", "cpu")
    if type(version) is not int or version not in _FIELDS or set(data) != _FIELDS[version]:
        raise InvalidCertificate(problem="fields are missing or unknown, or another version")
    if device not in ("cpu", "gpu") or VERSIONS[device] != version:
        raise InvalidCertificate(problem="the device is unknown")
    if not isinstance(data["claim"], str) or data["claim"] not in {**CLAIMS, **PARTS}:
        raise InvalidCertificate(problem="the claim is unknown")
    numbers = [data["from"], data["to"], data["block"]]
    if any(type(n) is not int for n in numbers):
        raise InvalidCertificate(problem="the range is not in whole numbers")
    rows = data["blocks"]
    if not (isinstance(rows, list) and all(isinstance(row, dict) for row in rows)):
        raise InvalidCertificate(problem="the blocks are not a list")
    if not isinstance(data["kernel"], str):
        raise InvalidCertificate(problem="the kernel has no name")
    try:
        start, stop, block = numbers
        plan = ClaimRange.of(data["claim"], start, stop, block, data["kernel"], device)
    except (InvalidRange, RunFailed) as error:
        long = "its blocks are longer than they may be"
        other = "its range is none of this claim"
        raise InvalidCertificate(problem=long if error.problem == "block" else other) from None
    if any(data[name] != words for name, words in _words(plan).items()):
        raise InvalidCertificate(problem="it has other words than the claim")
    if plan.count != len(rows):
        raise InvalidCertificate(problem="blocks are missing")
    if problem := problem_with(plan, rows):
        raise InvalidCertificate(problem=problem)
    machines = data.get("machines", [{}])
    if not isinstance(machines, list) or any(
        type(place := row.get("machine", 0)) is not int or not 0 <= place < len(machines)
        for row in rows
    ):
        raise InvalidCertificate(problem="a block names a machine that is not listed")
    if blocks_hash(rows) != data["hash"]:
        raise InvalidCertificate(problem="the blocks do not have the hash it names")
    return plan, rows


def totals(rows: list[Row]) -> dict[str, Any]:
    """The counts of all blocks, added up."""
    names = [name for name, value in rows[0].items() if isinstance(value, int | list)]
    counts = [name for name in names if name not in ("from", "to", "machine")]
    return {name: np.sum([row[name] for row in rows], axis=0).tolist() for name in counts}
