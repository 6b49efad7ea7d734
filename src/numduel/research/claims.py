"""The claims that can be verified: what each says, what a verified range proves, its kernels."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count
from math import isqrt
from typing import Any, Final

from numduel.errors import InvalidRange, RunFailed

Row = dict[str, Any]
"""What is kept of a block: its range, counts, and a hash or fingerprint."""
HASH_DIGITS: Final = 32
FORMAT: Final = "numduel-claim"
"""What a claim's certificate calls itself."""
PART: Final = 10**9
"""Numbers of the part of a long block: about half a minute of plain search on one core."""


@dataclass(frozen=True)
class Method:
    """How a claim is settled on a device: its kernels, as `module:function`, and its blocks."""

    kernel: str
    check: str
    """The plain search that `numduel check` recomputes a block, or a part of it, with."""
    limit: int
    """Where the method ends: words are 64 bits, and primes up to the root are listed."""
    least_block: int
    most_blocks: int
    """A usual certificate has about this many blocks at most, to stay small."""
    longest: int
    """Numbers of a block at most: plain search takes some minutes for this many, or for a part."""
    per_root: int = 0
    """Numbers of a block for each number of the root of `to`, so that starting up is cheap."""
    fingerprint: str = ""
    """How a row's fingerprint is computed, where it has one instead of a hash."""


@dataclass(frozen=True)
class Claim:
    """A claim about one game, and how it is settled on a CPU and, perhaps, on a GPU."""

    name: str
    game: str
    says: str
    proves: str
    cpu: Method
    gpu: Method | None = None
    chained: bool = False
    """Does a block's row say with which values it enters and leaves?"""


_WEIGHT = "2^(k mod 32) * F({0}) * (2 (k // 32) + 1) with F(j) = 2654435769^(j+1) mod 2^32."
_PARTS = {
    "max-grundy": "No Grundy value of Subtract a Prime is above 11.",
    "exceptions": "In Subtract a Prime the even numbers of value 0, 1, 2, 3 are 0, 10, 34, 100, "
    "310; 2, 12, 36, 102, 312; 4, 14, 38, 104, 314, 1574; 6, 16, 40, 106, 316, 1576, 1996, "
    "5566; of value 7 only 24, of value 8 or 10 none; the odd numbers of value 4, 5, 6 "
    "are 17, 19, 21, and none has 11.",
    "local-rule": "From 7680 on, every Grundy value of Subtract a Prime is what the local rule "
    "says.",
}
"""What the claim on values says, part by part: one computation shows them all."""

CLAIMS: Final = {
    claim.name: claim
    for claim in (
        Claim(
            "even-losses",
            "subtract-a-prime",
            "No even number but 0, 10, 34, 100 and 310 is lost in Subtract a Prime.",
            "Every even number above 310 of the range has a prime that leads to a lost number. "
            "That number is lost if no other even number below it is: blocks from 0 on make an "
            "induction; a range that begins higher rests on the claim below it.",
            Method(
                "numduel.research.blocks:even_losses", "numduel.research.plain:losses_row",
                10**18, 10**7, 1000, 10**10, per_root=500,
            ),
            Method(
                "numduel.research.gpu_blocks:even_losses",
                "numduel.research.plain:losses_fingerprint", 10**16, 10**11, 2500, 10**13,
                fingerprint="The sum mod 2^64, over the lost numbers n = 210 k + r, of "
                + _WEIGHT.format("r // 2"),
            ),
        ),
        Claim(
            "values",
            "subtract-a-prime",
            " ".join(_PARTS.values()),
            "Every value of the range is shown: smaller values have a witness (a prime that leads "
            "to them), the value itself has none. Blocks from 0 on, each entering with the values "
            "the one before leaves, make an induction; a range that begins higher rests on all "
            "values below it.",
            Method(
                "numduel.research.blocks:all_values", "numduel.research.plain:values_row",
                10**15, 10**6, 250, 2 * 10**9, per_root=50,
            ),
            Method(
                "numduel.research.gpu_blocks:all_values",
                "numduel.research.plain:values_fingerprint_row", 10**16, 10**11, 1000, 10**13,
                fingerprint="The sum mod 2^64, over all numbers n = 210 k + r and the bits b that "
                "are set in the value of n, of " + _WEIGHT.format("4 r + b"),
            ),
            chained=True,
        ),
        Claim(
            "digit-first-occurrence",
            "digit-subtraction-duel",
            "In Digit Subtraction Duel the value v = 1, ..., 9 first occurs at 12...v.",
            "No number of the range has a value before that value's place, and each place in it "
            "has its value.",
            Method(
                "numduel.research.blocks:digit_first_occurrence",
                "numduel.research.plain:digits_row", 10**18, 10**6, 250, 10**9,
            ),
        ),
    )
}  # fmt: skip
PARTS: Final = {
    name: replace(CLAIMS["values"], name=name, says=says) for name, says in _PARTS.items()
}
"""The parts of `values`, by names of their own, which the command and certificates can use."""
NAMED: Final = {**CLAIMS, **PARTS}


@dataclass(frozen=True)
class ClaimRange:
    """A claim over [start, stop), cut at start, start + block, start + 2 block, ..."""

    claim: Claim
    start: int
    stop: int
    block: int
    kernel: str
    method: Method
    device: str = "cpu"

    @classmethod
    def of(
        cls, name: str, start: int | None, stop: int, block: int | None = None, kernel: str = "",
        device: str = "cpu",
    ) -> "ClaimRange":  # fmt: skip
        """The usual plan; raises `InvalidRange`, and `RunFailed` for a claim without a GPU's."""
        claim = NAMED[name]
        method = claim.gpu if device == "gpu" else claim.cpu
        if method is None:
            able = ", ".join(one.name for one in CLAIMS.values() if one.gpu)
            raise RunFailed(problem="claim", claim=name, able=able)
        start = start or 0
        if start < 0 or stop <= start:
            raise InvalidRange(problem="empty", start=start, stop=stop, least=0)
        if stop > method.limit:
            raise InvalidRange(problem="method", start=start, stop=stop, limit=method.limit)
        if block is None:
            least = max(method.least_block, method.per_root * isqrt(stop))
            most = max(least, -(-(stop - start) // method.most_blocks))
            rounded = (digit * 10**power for power in count() for digit in (1, 2, 5))
            block = min(method.longest, next(size for size in rounded if size >= most))
        elif block < 1:
            raise InvalidRange(problem="segment", start=start, stop=stop, segment=block)
        elif min(block, stop - start) > method.longest:
            raise InvalidRange(problem="block", start=start, stop=stop, limit=method.longest)
        return cls(claim, start, stop, block, kernel or method.kernel, method, device)

    def blocks(self) -> Iterator[tuple[int, int]]:
        """The blocks as (start, stop), lowest first."""
        for low in range(self.start, self.stop, self.block):
            yield low, min(low + self.block, self.stop)

    @property
    def count(self) -> int:
        return -(-(self.stop - self.start) // self.block)


def digest(data: Any) -> str:
    """The hash that rows carry: the first digits of the SHA-256."""
    return sha256(data).hexdigest()[:HASH_DIGITS]


def first_of(value: int) -> int:
    """12...v, where the value v of Digit Subtraction Duel is said to come first; 0 for 0."""
    return int("0123456789"[: value + 1])


def part_of(start: int, stop: int) -> tuple[int, int] | None:
    """Where the part of a long block lies that can be recomputed; None in a shorter block.

    It depends only on the block, so nobody can choose it.
    """
    room = stop - start - PART
    if room <= 0:
        return None
    drawn = sha256(f"{start} {stop}".encode()).digest()
    low = start + int.from_bytes(drawn, "big") % (room + 1)
    return low, low + PART
