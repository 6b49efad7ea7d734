"""The block kernels for a GPU: as in `blocks`, with a fingerprint for the hash.

A row also has a part: a thousand million numbers somewhere in the block, with counts and a
fingerprint of their own, which `numduel check` can recompute. `machine` says what computed the row.
"""

from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from operator import add
from threading import Lock
from typing import Any, Final, TypeVar

import numpy as np

from numduel.errors import ClaimFails, RunFailed, TooLarge
from numduel.games import load
from numduel.gpu import machine, values
from numduel.gpu.cuda import Cuda
from numduel.gpu.machine import Found, Machine, fingerprint, values_fingerprint
from numduel.gpu.sieve import LIMIT, Device, Shape
from numduel.gpu.values import PLACES, ValuesMachine
from numduel.known import LOOK_BACK
from numduel.research.claim_certificate import versions
from numduel.research.claims import Row, digest, part_of
from numduel.research.low_values import has_witness, shown_values
from numduel.theory import find

M = TypeVar("M", Machine, ValuesMachine)
_LEAST_TOP: Final = 10**12


def even_losses(start: int, stop: int) -> Row:
    """As `blocks.even_losses`. Raises `ClaimFails` where the CPU finds no winning prime either."""
    return _block_row(start, stop, machine.FIRST, _low_losses, _settle, _losses_row)


def all_values(start: int, stop: int) -> Row:
    """As `blocks.all_values`. Raises `ClaimFails` where the CPU finds no witness either."""
    return _block_row(start, stop, values.FIRST, _low_values, _show, _values_row)


class Worker:
    """The GPU of this process, and each machine made on it for as far as it was needed."""

    def __init__(self) -> None:
        self._device = Cuda()
        self._machines: dict[object, Any] = {}
        self.about: dict[str, Any] = {
            "device": self._device.name,
            "driver": self._device.driver,
            "versions": {**versions("numpy"), "cupy": self._device.version},
        }

    def machine(self, make: Callable[[Device, int, Shape], M], stop: int) -> M:
        """The machine that `make` gives for ranges up to `stop`; the larger ones are kept."""
        found: M | None = self._machines.get(make)
        if found is None or found.top < stop:
            top = _LEAST_TOP
            while top < stop:
                top *= 10
            found = self._machines[make] = make(self._device, min(top, LIMIT), self._device.shape)
        return found


_workers: dict[str, Worker] = {}
_alone = Lock()
"""One block at a time: the threads of a Dask worker share the GPU and its arrays."""


def _block_row(
    start: int, stop: int, first: int, low: Callable[[int, int], Found],
    high: Callable[[Worker, int, int], Found], row_of: Callable[[Found], Row],
) -> Row:  # fmt: skip
    """The row of a block: what is found in its part and around it, below `first` by `low`.

    Raises `RunFailed` where the GPU has too little memory or fails, as CuPy tells it.
    """
    part = part_of(start, stop) or (start, stop)
    cuts = sorted({start, *part, stop} | ({first} if start < first < stop else set()))
    try:
        with _alone:
            worker = _workers.get("gpu") or _workers.setdefault("gpu", Worker())
            found = [low(a, b) if a < first else high(worker, a, b) for a, b in pairwise(cuts)]
    except MemoryError as error:
        raise RunFailed(problem="memory") from error
    except RuntimeError as error:
        raise RunFailed(problem="failed", cause=str(error)) from error
    row = row_of(reduce(add, found))
    if part != (start, stop):
        inside = (one for one in found if part[0] <= one.start < part[1])
        row["part"] = {"from": part[0], "to": part[1], **row_of(reduce(add, inside))}
    return {**row, "machine": worker.about}


def _low_losses(start: int, stop: int) -> Found:
    lost = np.flatnonzero(shown_values()[start:stop] == 0) + start
    return Found(start, stop, (len(lost),), fingerprint(lost.astype(np.uint64)))


def _settle(worker: Worker, start: int, stop: int) -> Found:
    found = worker.machine(Machine, stop).settle(start, stop)
    for number in found.open:
        _look_again(number)
    return found


def _losses_row(found: Found) -> Row:
    return {"losses": found.counts[0], "fingerprint": f"{found.fingerprint:016x}"}


def _look_again(number: int) -> None:
    """Find a winning prime for an even number that the kernels left open, on the CPU."""
    try:
        next(find(load("subtract-a-prime")).moves_to(number, 0))
    except (StopIteration, TooLarge):
        raise ClaimFails(number=number) from None


def _low_values(start: int, stop: int) -> Found:
    known = shown_values()
    inside = known[start:stop]
    counts = [np.bincount(inside[(start + odd) % 2 :: 2], minlength=12) for odd in range(2)]
    before, last = (known[max(0, end - LOOK_BACK) : end].tobytes() for end in (start, stop))
    mark = values_fingerprint(start, inside)
    return Found(start, stop, tuple(np.concatenate(counts).tolist()), mark, before, last)


def _show(worker: Worker, start: int, stop: int) -> Found:
    found = worker.machine(_make, stop).show(start, stop)
    for number, value in found.open:
        if not has_witness(number, value):
            raise ClaimFails(number=number)
    return found


def _make(device: Device, top: int, shape: Shape) -> ValuesMachine:
    return ValuesMachine(device, top, shape, shown_values()[:PLACES])


def _values_row(found: Found) -> Row:
    return {
        "even": list(found.counts[:12]),
        "odd": list(found.counts[12:]),
        "fingerprint": f"{found.fingerprint:016x}",
        "enters": digest(found.enters),
        "leaves": digest(found.leaves),
    }
