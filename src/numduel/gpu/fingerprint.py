"""A fingerprint of the lost numbers of a range that a GPU can afford and anyone can compute.

It is the sum, mod 2^64, of a weight for each lost number n. With n = 210 k + r the weight is

    2^(k mod 32) * F(r // 2) * (2 (k // 32) + 1),    F(j) = 2654435769^(j+1) mod 2^32.

Sums of ranges that follow each other add up. A GPU has 32 values of k in one word for each r,
so that a word costs one multiplication: a fiftieth of a run, where a SHA-256 would cost more
than the run. It shows faults, not forgery: whoever wants to can find other numbers with the
same sum.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

MODULUS: Final = 210
FACTORS: Final = tuple(pow(2654435769, j + 1, 1 << 32) for j in range(MODULUS // 2))
_FACTORS: Final = np.array(FACTORS, dtype=np.uint64)


def fingerprint(lost: npt.NDArray[np.uint64]) -> int:
    """The sum of the weights of these numbers."""
    k, r = np.divmod(lost, np.uint64(MODULUS))
    words = (k >> np.uint64(5)) * np.uint64(2) + np.uint64(1)
    bits = np.uint64(1) << (k & np.uint64(31))
    return int((bits * _FACTORS[r >> np.uint64(1)] * words).sum(dtype=np.uint64))


def text(total: int) -> str:
    """The fingerprint as rows carry it: 16 hexadecimal digits."""
    return f"{total % 2**64:016x}"
