"""Certificates of verified claims: the form, written and read.

    {"format": "numduel-claim", "version": 1, "claim": ..., "says": ..., "proves": ...,
     "from": ..., "to": ..., "block": ..., "kernel": ..., "versions": {...},
     "hash": <of the blocks>, "blocks": [<row>, ...]}

It depends only on the claim, the range, the block size and the versions, not on who did the work.

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
from numduel.known import EVEN, EVEN_LOSSES, ODD
from numduel.research import claims
from numduel.research.claims import ClaimRange, Row, digest
from numduel.solver.check import need

VERSIONS: Final = {"cpu": 1, "gpu": 2}
_COMMON: Final = {
    "format", "version", "claim", "says", "proves", "from", "to", "block", "kernel", "hash",
    "blocks",
}  # fmt: skip
_FIELDS: Final = {1: _COMMON | {"versions"}, 2: _COMMON | {"device", "fingerprint", "machines"}}
_HASH: Final = re.compile(rf"[0-9a-f]{{{claims.HASH_DIGITS}}}")
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


def write(plan: ClaimRange, rows: list[Row]) -> str:
    """The certificate of a whole run; `rows` in any order. Raises `InvalidCertificate`."""
    rows = sorted(rows, key=lambda row: int(row["from"]))
    check_rows(plan, rows)
    words = _words(plan)
    about: dict[str, Any] = {"versions": versions("numpy", "numba")}
    if plan.device == "gpu":
        machines: list[Any] = []
        for row in rows:
            if row["machine"] not in machines:
                machines.append(row["machine"])
        rows = [{**row, "machine": machines.index(row["machine"])} for row in rows]
        mark = words.pop("fingerprint")
        about = {"device": plan.device, "fingerprint": mark, "machines": machines}
    head = {
        "format": claims.FORMAT,
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


def read(data: dict[str, Any]) -> tuple[ClaimRange, list[Row]]:
    """The plan and rows of a certificate; raises `InvalidCertificate`."""
    form, device = data.get("version"), data.get("device", "cpu")
    known = type(form) is int and form in _FIELDS and set(data) == _FIELDS[form]
    need(known, "fields are missing or unknown, or another version")
    need(device in ("cpu", "gpu") and VERSIONS[device] == form, "the device is unknown")
    claim, start, stop, block = (data[name] for name in ("claim", "from", "to", "block"))
    rows = data["blocks"]
    need(isinstance(claim, str) and claim in claims.NAMED, "the claim is unknown")
    need(all(type(n) is int for n in (start, stop, block)), "the range is not in whole numbers")
    listed = isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
    need(listed, "the blocks are not a list")
    need(isinstance(data["kernel"], str), "the kernel has no name")
    try:
        plan = ClaimRange.of(claim, start, stop, block, data["kernel"], device)
    except (InvalidRange, RunFailed) as error:
        long = "its blocks are longer than they may be"
        other = "its range is none of this claim"
        raise InvalidCertificate(problem=long if error.problem == "block" else other) from None
    same = all(data[name] == words for name, words in _words(plan).items())
    need(same, "it has other words than the claim")
    need(plan.count == len(rows), "blocks are missing")
    check_rows(plan, rows)
    machines, named = data.get("machines", [{}]), [row.get("machine", 0) for row in rows]
    places = range(len(machines)) if isinstance(machines, list) else ()
    whole = all(type(place) is int and place in places for place in named)
    need(whole, "a block names a machine that is not listed")
    need(blocks_hash(rows) == data["hash"], "the blocks do not have the hash it names")
    return plan, rows


def totals(rows: list[Row]) -> dict[str, Any]:
    """The counts of all blocks, added up."""
    names = [name for name, value in rows[0].items() if isinstance(value, int | list)]
    counts = [name for name in names if name not in ("from", "to", "machine")]
    return {name: np.sum([row[name] for row in rows], axis=0).tolist() for name in counts}


class Counts(NamedTuple):
    """What a block allows in one field of its row."""

    bounds: list[tuple[int, int]]
    """The least and the most that each of its counts can be."""
    total: int | None
    """What the list adds up to; None for a count that is not in a list."""


def _counts(plan: ClaimRange, start: int, stop: int) -> dict[str, Counts]:
    """What the claim allows in the counts of [start, stop)."""
    size, odds = stop - start, stop // 2 - start // 2
    if plan.claim.name == "even-losses":
        even, (low, high) = _within(EVEN_LOSSES, start, stop), _odd_losses(start, stop)
        return {"losses": Counts([(even + low, even + high)], None)}
    if plan.claim.chained:
        # The listed exceptions apart, no number has a value foreign to its parity.
        found = {}
        for name, many, listed in (("even", size - odds, EVEN), ("odd", odds, ODD)):
            exact = {v: _within(places, start, stop) for v, places in listed.items()}
            bounds = [(exact[v], exact[v]) if v in exact else (0, many) for v in range(12)]
            found[name] = Counts(bounds, many)
        found["odd"].bounds[0] = _odd_losses(start, stop)
        return found
    # No value before its place, and each place in the block has its value.
    places = [claims.first_of(v) for v in range(10)]
    bounds = [(int(start <= place < stop), size if place < stop else 0) for place in places]
    return {"values": Counts(bounds, size)}


def _within(numbers: Iterable[int], start: int, stop: int) -> int:
    return sum(start <= number < stop for number in numbers)


def _odd_losses(start: int, stop: int) -> tuple[int, int]:
    """How many odd numbers can be lost in Subtract a Prime, if no even ones but the five are.

    Not n and n-2 both. From 325 on, just one of them if n is 25 mod 30: then 5 divides n, n-10,
    n-100 and n-310, and 3 divides n-34, so that no prime but 2 leads from n to a lost number.
    """
    pairs = (stop - 26) // 30 - (max(start + 2, 325) - 26) // 30
    return max(0, pairs), (stop // 2 - start // 2 + 1) // 2


def check_rows(plan: ClaimRange, rows: list[Row]) -> None:
    """Raise `InvalidCertificate` unless these can be the rows of the plan, in order.

    Nothing is recomputed: counts are compared with the length of the block, with what the claim
    allows in it, and with those of the block's part. Rows that fit may still be wrong.
    """
    spans = [(row.get("from"), row.get("to")) for row in rows]
    follow = spans == list(plan.blocks())
    need(follow, "the blocks do not follow each other from start to end")
    for row, (start, stop) in zip(rows, plan.blocks(), strict=True):
        block, gpu = f"the block from {start}", plan.device == "gpu"
        wanted = claims.part_of(start, stop) if gpu else None
        more = {"machine"} if gpu else set()
        _check_row(plan, row, start, stop, block, more | ({"part"} if wanted else set()))
        if wanted:
            _check_part(plan, row, start, stop, block, wanted)
    for before, row in itertools.pairwise(rows if plan.claim.chained else []):
        problem = f"the block from {row['from']} does not go on where the one before ends"
        need(before["leaves"] == row["enters"], problem)


def _check_part(
    plan: ClaimRange, row: Row, start: int, stop: int, block: str, wanted: tuple[int, int]
) -> None:
    part = row["part"]
    right = isinstance(part, dict) and (part.get("from"), part.get("to")) == wanted
    need(right, f"{block} has another part than it should have")
    _check_row(plan, part, *wanted, f"the part of {block}", set())
    below, above = _counts(plan, start, wanted[0]), _counts(plan, wanted[1], stop)
    for name in below:
        both = zip(below[name].bounds, above[name].bounds, strict=True)
        rest = zip(_listed(row[name]), _listed(part[name]), both, strict=True)
        for whole, inside, ((low, high), (lower, higher)) in rest:
            agree = low + lower <= whole - inside <= high + higher
            need(agree, f"{block} has counts that do not agree with those of its part")


def _listed(count: Any) -> list[Any]:
    return count if isinstance(count, list) else [count]


def _check_row(
    plan: ClaimRange, row: Row, start: int, stop: int, block: str, more: set[str]
) -> None:
    """Of a block or a part."""
    fields = _counts(plan, start, stop)
    mark, form = _MARKS[plan.device]
    marks = {mark: form} | ({"enters": _HASH, "leaves": _HASH} if plan.claim.chained else {})
    need(type(row["from"]) is type(row["to"]) is int, f"{block} has no range")
    for name, one in marks.items():
        found = row.get(name)
        need(isinstance(found, str) and one.fullmatch(found) is not None, f"{block} has no {name}")
    names = {"from", "to", *fields, *marks, *more}
    need(set(row) == names, f"{block} has missing or unknown fields")
    if plan.claim.chained and start == 0:
        need(row["enters"] == digest(b""), f"{block} enters with values below 0")
    for name, (bounds, total) in fields.items():
        counts = _listed(row[name])
        need(isinstance(row[name], list) == (total is not None), f"{block} has no {name}")
        whole = all(type(count) is int for count in counts)
        need(whole, f"{block} has counts that are not whole numbers")
        right = total is None or sum(counts) == total
        need(right, f"{block} has counts that do not add up to its length")
        fit = len(counts) == len(bounds) and all(
            low <= count <= high for count, (low, high) in zip(counts, bounds, strict=True)
        )
        need(fit, f"{block} has counts that contradict the claim")
