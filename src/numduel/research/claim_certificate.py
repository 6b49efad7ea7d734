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

import itertools
import json
import platform
import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, NamedTuple

import numpy as np

import numduel
from numduel.errors import InvalidCertificate, InvalidRange, RunFailed
from numduel.known.prime_values import EVEN, EVEN_LOSSES, ODD
from numduel.research.blocks import HASH_DIGITS, Row, digest, first_of
from numduel.research.claims import CLAIMS, FORMAT, PARTS, Claim, ClaimRange, part_of

VERSIONS: Final = {"cpu": 1, "gpu": 2}
_COMMON: Final = {
    "format", "version", "claim", "says", "proves", "from", "to", "block", "kernel", "hash",
    "blocks",
}  # fmt: skip
_FIELDS: Final = {1: _COMMON | {"versions"}, 2: _COMMON | {"device", "fingerprint", "machines"}}


class Counts(NamedTuple):
    """What a block allows in one field of its row."""

    bounds: list[tuple[int, int]]
    """The least and the most that each of its counts can be."""
    total: int | None
    """What the list adds up to; None for a count that is not in a list."""


_HASH: Final = re.compile(rf"[0-9a-f]{{{HASH_DIGITS}}}")
_MARKS: Final = {"cpu": ("hash", _HASH), "gpu": ("fingerprint", re.compile(r"[0-9a-f]{16}"))}


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
    if problem := problem_with(plan, rows):
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


def _within(numbers: Iterable[int], start: int, stop: int) -> int:
    return sum(start <= number < stop for number in numbers)


def _odd_losses(start: int, stop: int) -> tuple[int, int]:
    """How many odd numbers can be lost in Subtract a Prime, if no even ones but the five are.

    Not n and n-2 both. From 325 on, just one of them if n is 25 mod 30: then 5 divides n, n-10,
    n-100 and n-310, and 3 divides n-34, so that no prime but 2 leads from n to a lost number.
    """
    pairs = (stop - 26) // 30 - (max(start + 2, 325) - 26) // 30
    return max(0, pairs), (stop // 2 - start // 2 + 1) // 2


def _losses(start: int, stop: int) -> dict[str, Counts]:
    even = _within(EVEN_LOSSES, start, stop)
    low, high = _odd_losses(start, stop)
    return {"losses": Counts([(even + low, even + high)], None)}


def _values(start: int, stop: int) -> dict[str, Counts]:
    """The listed exceptions apart, no number has a value foreign to its parity."""
    odds = stop // 2 - start // 2
    found = {}
    for name, many, listed in (("even", stop - start - odds, EVEN), ("odd", odds, ODD)):
        exact = {v: _within(places, start, stop) for v, places in listed.items()}
        bounds = [(exact[v], exact[v]) if v in exact else (0, many) for v in range(12)]
        found[name] = Counts(bounds, many)
    found["odd"].bounds[0] = _odd_losses(start, stop)
    return found


def _digits(start: int, stop: int) -> dict[str, Counts]:
    """No value before its place, and each place in the block has its value."""
    size, places = stop - start, [first_of(v) for v in range(10)]
    bounds = [(int(start <= place < stop), size if place < stop else 0) for place in places]
    return {"values": Counts(bounds, size)}


def _counts(claim: Claim, start: int, stop: int) -> dict[str, Counts]:
    """What the claim allows in the counts of [start, stop)."""
    if claim.chained:
        return _values(start, stop)
    return (_losses if claim.name == "even-losses" else _digits)(start, stop)


def problem_with_row(plan: ClaimRange, row: Row, start: int, stop: int) -> str | None:
    """What is wrong with the row of this block; None when nothing is.

    Nothing is recomputed: counts are compared with the length of the block, with what the claim
    allows in it, and with those of the block's part. A row that fits may still be wrong.
    """
    block = f"the block from {start}"
    wanted = part_of(start, stop) if plan.device == "gpu" else None
    more = {"machine"} if plan.device == "gpu" else set()
    if problem := _problem(plan, row, start, stop, more | ({"part"} if wanted else set())):
        return f"{block} {problem}"
    if wanted is None:
        return None
    part = row["part"]
    if not isinstance(part, dict) or (part.get("from"), part.get("to")) != wanted:
        return f"{block} has another part than it should have"
    if problem := _problem(plan, part, *wanted, set()):
        return f"the part of {block} {problem}"
    below, above = _counts(plan.claim, start, wanted[0]), _counts(plan.claim, wanted[1], stop)
    for name in below:
        both = zip(below[name].bounds, above[name].bounds, strict=True)
        rest = zip(_listed(row[name]), _listed(part[name]), both, strict=True)
        for whole, inside, ((low, high), (lower, higher)) in rest:
            if not low + lower <= whole - inside <= high + higher:
                return f"{block} has counts that do not agree with those of its part"
    return None


def _listed(count: Any) -> list[Any]:
    return count if isinstance(count, list) else [count]


def _problem(plan: ClaimRange, row: Row, start: int, stop: int, more: set[str]) -> str | None:
    """What is wrong with a row or a part; the end of a sentence."""
    fields = _counts(plan.claim, start, stop)
    mark, form = _MARKS[plan.device]
    marks = {mark: form} | ({"enters": _HASH, "leaves": _HASH} if plan.claim.chained else {})
    if type(row["from"]) is not int or type(row["to"]) is not int:
        return "has no range"
    for name, one in marks.items():
        if not (isinstance(row.get(name), str) and one.fullmatch(row[name])):
            return f"has no {name}"
    if set(row) != {"from", "to", *fields, *marks, *more}:
        return "has missing or unknown fields"
    if plan.claim.chained and start == 0 and row["enters"] != digest(b""):
        return "enters with values below 0"
    for name, (bounds, total) in fields.items():
        counts = _listed(row[name])
        if isinstance(row[name], list) != (total is not None):
            return f"has no {name}"
        if any(type(count) is not int for count in counts):
            return "has counts that are not whole numbers"
        if total is not None and sum(counts) != total:
            return "has counts that do not add up to its length"
        if len(counts) != len(bounds) or not all(
            low <= count <= high for count, (low, high) in zip(counts, bounds, strict=True)
        ):
            return "has counts that contradict the claim"
    return None
