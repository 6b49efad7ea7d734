"""What a row of a claim's certificate must be, by the claim and the block alone.

Nothing is recomputed here: counts are compared with the length of the block, with what the claim
allows in it, and with those of the block's part. A row that fits may still be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from numduel.known.prime_values import EVEN, EVEN_LOSSES, ODD
from numduel.research.blocks import HASH_DIGITS, Row, digest, first_of
from numduel.research.claims import Claim, ClaimRange, part_of

Bounds = list[tuple[int, int]]
"""The least and the most that each of some counts can be."""


class Counts(NamedTuple):
    """What a block allows in one field of its row."""

    bounds: Bounds
    total: int | None
    """What the list adds up to; None for a count that is not in a list."""


_HASH: Final = re.compile(rf"[0-9a-f]{{{HASH_DIGITS}}}")
_MARKS: Final = {"cpu": ("hash", _HASH), "gpu": ("fingerprint", re.compile(r"[0-9a-f]{16}"))}


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
    """What is wrong with the row of this block; None when nothing is."""
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
