"""Fingerprints of the outcomes or values of a range that a GPU can afford and anyone can compute.

That of outcomes is the sum, mod 2^64, of a weight for each lost number n. With n = 210 k + r
the weight is

    2^(k mod 32) * F(r // 2) * (2 (k // 32) + 1),    F(j) = 2654435769^(j+1) mod 2^32.

Sums of ranges that follow each other add up. A GPU has 32 values of k in one word for each r,
so that a word costs one multiplication: a fiftieth of a run, where a SHA-256 would cost more
than the run. It shows faults, not forgery: whoever wants to can find other numbers with the
same sum.

That of values is the sum over all n, and over the bits b = 0, 1, 2, 3 that are set in the value of
n, of the same weight with F(4 r + b) for F(r // 2).
"""

from typing import Final

import numpy as np
import numpy.typing as npt

MODULUS: Final = 210
VALUE_FACTORS: Final = tuple(pow(2654435769, j + 1, 1 << 32) for j in range(4 * MODULUS))
FACTORS: Final = VALUE_FACTORS[: MODULUS // 2]
_FACTORS: Final = np.array(VALUE_FACTORS, dtype=np.uint64)
_BITS: Final = np.array([[v >> b & 1 for v in range(16)] for b in range(4)], dtype=np.uint64)
_BY_VALUE: Final = _FACTORS.reshape(MODULUS, 4) @ _BITS
"""For a residue and a value, the factors of the value's bits added up."""


def fingerprint(lost: npt.NDArray[np.uint64]) -> int:
    """The sum of the weights of these numbers."""
    k, r = np.divmod(lost, np.uint64(MODULUS))
    return int((_FACTORS[r >> np.uint64(1)] * _by_group(k)).sum(dtype=np.uint64))


def values_fingerprint(first: int, values: npt.NDArray[np.uint8]) -> int:
    """The sum for the values of the numbers from `first` on."""
    k, r = divmod(first, MODULUS)
    # 0 has no bits, so that zeros can fill up the groups at both ends.
    padded = np.pad(values, (r, -(r + len(values)) % MODULUS)).reshape(-1, MODULUS)
    places = np.arange(0, 16 * MODULUS, 16) + padded
    sums = _BY_VALUE.take(places).sum(axis=1, dtype=np.uint64)
    groups = np.arange(k, k + len(sums), dtype=np.uint64)
    return int((sums * _by_group(groups)).sum(dtype=np.uint64))


def _by_group(k: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    return ((k >> np.uint64(5)) * np.uint64(2) + np.uint64(1)) << (k & np.uint64(31))


def text(total: int) -> str:
    """The fingerprint as rows carry it: 16 hexadecimal digits."""
    return f"{total % 2**64:016x}"
