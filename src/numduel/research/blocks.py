"""The block kernels: one block of one claim, settled and put into a small row.

A block kernel takes start and stop and gives a row: a dictionary of counts and hashes that
depends on start and stop alone. It raises `ClaimFails` at a number that breaks the claim. That
is all that runs know about it, so another one can be named in its place. The compiled kernels
are imported when a block needs them: where a GPU does the work there may be no numba.
A hash is the first 32 hexadecimal digits of the SHA-256 of the block's outcomes (one bit per
number, 1 for lost, the lowest bit first) or values (one byte per number).
"""

import hashlib
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, cast

import numpy as np

from numduel.errors import ClaimFails, InvalidRange

Row = dict[str, Any]
HASH_DIGITS: Final = 32
BlockKernel = Callable[[int, int], Row]


def find_kernel(name: str) -> BlockKernel:
    """The kernel called `module:function`."""
    module, _, function = name.partition(":")
    try:
        found = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError, TypeError):
        found = None
    if not callable(found):
        raise InvalidRange("kernel", name=name)
    return cast("BlockKernel", found)


def run_block(kernel: str, start: int, stop: int) -> Row:
    """One block's row, with its range; what a worker is asked to do, wherever it is."""
    return {"from": start, "to": stop, **find_kernel(kernel)(start, stop)}


def digest(data: Any) -> str:
    """The hash that rows carry."""
    return hashlib.sha256(data).hexdigest()[:HASH_DIGITS]


def even_losses(start: int, stop: int) -> Row:
    """Subtract a Prime: every even number but the five shown won, losses counted.

    Each even n above 310 of the block has a prime p with n-p lost; n-p is known to be lost if
    no even number below n but the five is. So a run of blocks from 0 is an induction.
    """
    from numduel.ranges.segments import count_bits, outcome_segments

    hashed, losses, rest = hashlib.sha256(), 0, np.zeros(0, dtype=np.uint8)
    for low, high, bits in outcome_segments("subtract-a-prime", start, stop):
        losses += count_bits(bits)
        if len(rest) or (high - low) % 8:
            loose = np.unpackbits(bits, count=high - low, bitorder="little")
            loose = np.concatenate((rest, loose))
            whole = len(loose) // 8 * 8
            bits, rest = np.packbits(loose[:whole], bitorder="little"), loose[whole:]
        hashed.update(bits.data)
    hashed.update(np.packbits(rest, bitorder="little").data)
    return {"losses": losses, "hash": hashed.hexdigest()[:HASH_DIGITS]}


def first_of(value: int) -> int:
    """12...v, where the value v of Digit Subtraction Duel is said to come first; 0 for 0."""
    return int("0123456789"[: value + 1])


def digit_first_occurrence(start: int, stop: int) -> Row:
    """Digit Subtraction Duel: no value below its place 12...v, and each place has its value."""
    from numduel.ranges import grundy_segments

    counts = np.zeros(16, dtype=np.int64)
    hashed = hashlib.sha256()
    for low, high, values in grundy_segments("digit-subtraction-duel", start, stop):
        counts += np.bincount(values, minlength=16)
        hashed.update(values.data)
        for value in range(10):
            place = first_of(value)
            early = np.flatnonzero(values[: max(0, place - low)] == value)
            if len(early):
                raise ClaimFails(number=low + int(early[0]))
            if low <= place < high and values[place - low] != value:
                raise ClaimFails(number=place)
    return {"values": counts[:10].tolist(), "hash": hashed.hexdigest()[:HASH_DIGITS]}
