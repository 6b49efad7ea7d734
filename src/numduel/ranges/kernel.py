"""How a kernel is declared: compiled once for one signature, kept on disk, without the GIL."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

F = TypeVar("F", bound=Callable[..., Any])
U8 = npt.NDArray[np.uint8]
U16 = npt.NDArray[np.uint16]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]
Table = tuple[I64, I64, I64]
"""Rows of terms as `wheel.gather` reads them."""
Word = Any
"""A scalar uint64 inside a kernel: numba keeps it one, mypy need not follow."""
ZERO, ONE = np.uint64(0), np.uint64(1)


def kernel(signature: str) -> Callable[[F], F]:
    """Compile with numba for this signature. Kernels take plain arrays and words, nothing else.

    Two rules keep them fast. An index is unsigned where the loop is hot (a signed one is checked
    for being negative), and uint64 meets only uint64 (with int64 it becomes a float). After a
    change in a kernel clear `__pycache__`: numba looks at the caller's file only.
    """
    return cast("Callable[[F], F]", numba.njit(signature, cache=True, nogil=True))
