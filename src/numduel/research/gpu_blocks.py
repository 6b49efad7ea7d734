"""The block kernels for a GPU: as in `blocks`, with a fingerprint for the hash.

A row also has a part: a thousand million numbers somewhere in the block, with counts and a
fingerprint of their own, which `numduel check` can recompute. `machine` says what computed the row.
"""

from collections.abc import Callable
from functools import reduce
from operator import add
from threading import Lock
from typing import Any, Final, TypeVar

import numpy as np

from numduel.errors import ClaimFails, RunFailed, TooLarge
from numduel.games import load
from numduel.gpu import machine, values
from numduel.gpu.cuda import Cuda
from numduel.gpu.machine import Machine, Settled, fingerprint, values_fingerprint
from numduel.gpu.sieve import LIMIT, Device, Shape
from numduel.gpu.values import PLACES, Shown, ValuesMachine
from numduel.known.prime_values import LOOK_BACK
from numduel.research.claim_certificate import versions
from numduel.research.claims import Row, digest, part_of
from numduel.research.low_values import has_witness, shown_values
from numduel.theory import find

M = TypeVar("M", Machine, ValuesMachine)
_LEAST_TOP: Final = 10**12


def even_losses(start: int, stop: int) -> Row:
    """As `blocks.even_losses`. Raises `ClaimFails` where the CPU finds no winning prime either."""
    return _block_row(
        start, stop, _settle,
        lambda found: {"losses": found.losses, "fingerprint": f"{found.fingerprint:016x}"},
    )  # fmt: skip


def all_values(start: int, stop: int) -> Row:
    """As `blocks.all_values`. Raises `ClaimFails` where the CPU finds no witness either."""
    return _block_row(start, stop, _show, _values)


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
    start: int, stop: int, settle: Callable[[Worker, int, int], Any], row_of: Callable[[Any], Row]
) -> Row:
    """The row of a block: what `settle` finds in its part and around it, added up.

    Raises `RunFailed` where the GPU has too little memory or fails, as CuPy tells it.
    """
    try:
        with _alone:
            worker = _workers.get("gpu") or _workers.setdefault("gpu", Worker())
            part = low, high = part_of(start, stop) or (start, stop)
            spans = ((start, low), part, (high, stop))
            found = {(a, b): settle(worker, a, b) for a, b in spans if a < b}
    except MemoryError as error:
        raise RunFailed(problem="memory") from error
    except RuntimeError as error:
        raise RunFailed(problem="failed", cause=str(error)) from error
    row = row_of(reduce(add, found.values()))
    if len(found) > 1:
        row["part"] = {"from": low, "to": high, **row_of(found[part])}
    return {**row, "machine": worker.about}


def _settle(worker: Worker, start: int, stop: int) -> Settled:
    found, first = Settled(), machine.FIRST
    if start < first:
        lost = np.flatnonzero(shown_values()[start : min(stop, first)] == 0) + start
        found = Settled(len(lost), fingerprint(lost.astype(np.uint64)))
    if stop > first:
        found += worker.machine(Machine, stop).settle(max(start, first), stop)
    for number in found.open:
        _look_again(number)
    return found


def _look_again(number: int) -> None:
    """Find a winning prime for an even number that the kernels left open, on the CPU."""
    try:
        next(find(load("subtract-a-prime")).moves_to(number, 0))
    except (StopIteration, TooLarge):
        raise ClaimFails(number=number) from None


def _values(found: Shown) -> Row:
    return {
        "even": list(found.even),
        "odd": list(found.odd),
        "fingerprint": f"{found.fingerprint:016x}",
        "enters": digest(found.enters),
        "leaves": digest(found.leaves),
    }


def _show(worker: Worker, start: int, stop: int) -> Shown:
    found, first = [], values.FIRST
    if start < first:
        found.append(_low(start, min(stop, first)))
    if stop > first:
        found.append(worker.machine(_make, stop).show(max(start, first), stop))
    for number, value in found[-1].open:
        if not has_witness(number, value):
            raise ClaimFails(number=number)
    return reduce(add, found)


def _make(device: Device, top: int, shape: Shape) -> ValuesMachine:
    return ValuesMachine(device, top, shape, shown_values()[:PLACES])


def _low(start: int, stop: int) -> Shown:
    """Numbers below those that the kernels take."""
    known = shown_values()
    inside = known[start:stop]
    even, odd = (
        tuple(np.bincount(inside[(start + parity) % 2 :: 2], minlength=12).tolist())
        for parity in range(2)
    )
    before, last = (known[max(0, end - LOOK_BACK) : end] for end in (start, stop))
    return Shown(start, stop, even, odd, values_fingerprint(start, inside), before, last)
