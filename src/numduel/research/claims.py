"""The claims that can be verified: what each says, what a verified range proves, its kernels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from math import isqrt
from typing import Final

from numduel.errors import InvalidRange, RunFailed

FORMAT: Final = "numduel-claim"
"""What a claim's certificate calls itself."""
PART: Final = 10**9
"""Numbers of the part of a long block: about half a minute of plain search on one core."""

LONGEST_ON_GPU: Final = 10**13
"""Numbers of a block from a GPU at most: the longest that is usual."""


@dataclass(frozen=True)
class OnGpu:
    """How a claim is settled on a GPU: in longer blocks, with a fingerprint instead of a hash."""

    kernel: str
    check: str
    limit: int
    least_block: int
    most_blocks: int
    fingerprint: str
    """How a row's fingerprint is computed."""


@dataclass(frozen=True)
class Claim:
    """A claim about one game, cut into blocks for a kernel (`module:function`)."""

    name: str
    game: str
    says: str
    proves: str
    kernel: str
    check: str
    """The plain search that `numduel check` recomputes a block with."""
    limit: int
    """Where the method ends: words are 64 bits, and primes up to the root are listed."""
    least_block: int
    per_root: int
    """Numbers of a block for each number of the root of `to`, so that starting up is cheap."""
    most_blocks: int = 250
    """A usual certificate has about this many blocks at most, to stay small."""
    longest: int = 10**9
    """Numbers of a block at most: plain search takes some minutes for so many."""
    chained: bool = False
    """Does a block's row say with which values it enters and leaves?"""
    gpu: OnGpu | None = None


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
            "numduel.research.blocks:even_losses",
            "numduel.research.plain:losses_row",
            10**18,
            10**7,
            500,
            most_blocks=1000,
            longest=10**10,
            gpu=OnGpu(
                "numduel.research.gpu_blocks:even_losses",
                "numduel.research.plain:losses_fingerprint",
                10**16,
                10**11,
                2500,
                "The sum mod 2^64, over the lost numbers n = 210 k + r, of "
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
            "numduel.research.value_blocks:all_values",
            "numduel.research.plain:values_row",
            10**15,
            10**6,
            50,
            longest=2 * 10**9,
            chained=True,
            gpu=OnGpu(
                "numduel.research.gpu_blocks:all_values",
                "numduel.research.plain:values_fingerprint_row",
                10**16,
                10**11,
                1000,
                "The sum mod 2^64, over all numbers n = 210 k + r and the bits b that are set in "
                "the value of n, of " + _WEIGHT.format("4 r + b"),
            ),
        ),
        Claim(
            "digit-first-occurrence",
            "digit-subtraction-duel",
            "In Digit Subtraction Duel the value v = 1, ..., 9 first occurs at 12...v.",
            "No number of the range has a value before that value's place, and each place in it "
            "has its value.",
            "numduel.research.blocks:digit_first_occurrence",
            "numduel.research.plain:digits_row",
            10**18,
            10**6,
            0,
        ),
    )
}
PARTS: Final = {
    name: replace(CLAIMS["values"], name=name, says=says) for name, says in _PARTS.items()
}
"""The parts of `values`, by names of their own, which the command and certificates can use."""


@dataclass(frozen=True)
class ClaimRange:
    """A claim over [start, stop), cut at start, start + block, start + 2 block, ..."""

    claim: Claim
    start: int
    stop: int
    block: int
    kernel: str
    device: str = "cpu"

    @classmethod
    def of(
        cls, name: str, start: int | None, stop: int, block: int | None = None, kernel: str = "",
        device: str = "cpu",
    ) -> ClaimRange:  # fmt: skip
        """The usual plan; raises `InvalidRange`, and `RunFailed` for a claim without a GPU's."""
        claim = CLAIMS.get(name) or PARTS[name]
        gpu = claim.gpu if device == "gpu" else None
        if device == "gpu" and gpu is None:
            able = ", ".join(one.name for one in CLAIMS.values() if one.gpu)
            raise RunFailed(problem="claim", claim=name, able=able)
        start = start or 0
        if start < 0 or stop <= start:
            raise InvalidRange(problem="empty", start=start, stop=stop, least=0)
        limit = gpu.limit if gpu else claim.limit
        if stop > limit:
            raise InvalidRange(problem="method", start=start, stop=stop, limit=limit)
        least = gpu.least_block if gpu else max(claim.least_block, claim.per_root * isqrt(stop))
        most = gpu.most_blocks if gpu else claim.most_blocks
        longest = LONGEST_ON_GPU if gpu else claim.longest
        usual = min(longest, _round_up(max(least, -(-(stop - start) // most))))
        if block is not None and block < 1:
            raise InvalidRange(problem="segment", start=start, stop=stop, segment=block)
        if block is not None and min(block, stop - start) > longest:
            raise InvalidRange(problem="block", start=start, stop=stop, limit=longest)
        usual_kernel = gpu.kernel if gpu else claim.kernel
        return cls(claim, start, stop, block or usual, kernel or usual_kernel, device)

    def head(self) -> dict[str, object]:
        """What identifies the run in its checkpoint."""
        return {
            "claim": self.claim.name,
            "from": self.start,
            "to": self.stop,
            "block": self.block,
            "kernel": self.kernel,
        }

    def blocks(self) -> Iterator[tuple[int, int]]:
        """The blocks as (start, stop), lowest first."""
        for low in range(self.start, self.stop, self.block):
            yield low, min(low + self.block, self.stop)

    @property
    def check(self) -> str:
        """The plain search that `numduel check` recomputes rows of this plan with."""
        return self.claim.gpu.check if self.claim.gpu and self.device == "gpu" else self.claim.check

    @property
    def count(self) -> int:
        """How many blocks there are."""
        return -(-(self.stop - self.start) // self.block)


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


def _round_up(n: int) -> int:
    """The least of 1, 2, 5, 10, 20, 50, ... that is not below n."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power >= n:
                return digit * power
        power *= 10
