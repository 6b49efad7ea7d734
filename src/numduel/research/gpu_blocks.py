"""The block kernels for a GPU: as `blocks`, with a fingerprint where those have a hash.

A row also has a part: a range of a thousand million numbers somewhere in the block, with its
own count and fingerprint. A block may be far too long for a CPU, and `numduel check` recomputes
the part. Where it lies depends only on the block. `machine` says what computed the row.
"""

from __future__ import annotations

from typing import Any, Final

from numduel.errors import ClaimFails, NoDevice, TooLargeToList
from numduel.games import load
from numduel.gpu.cuda import Cuda
from numduel.gpu.fingerprint import text
from numduel.gpu.low import settle_low
from numduel.gpu.machine import FIRST, Machine, Settled
from numduel.gpu.sieve import LIMIT
from numduel.research.blocks import Row
from numduel.research.claim_certificate import versions
from numduel.research.claims import part_of
from numduel.theory import find

_LEAST_TOP: Final = 10**12


def even_losses(start: int, stop: int) -> Row:
    """Subtract a Prime: every even number but the five shown won, losses counted.

    Raises `ClaimFails` at an even number for which the CPU finds no winning prime either, and
    `NoDevice` where the GPU has too little memory or fails, as CuPy tells it.
    """
    try:
        return _row(_worker(stop), start, stop)
    except MemoryError as error:
        raise NoDevice(problem="memory") from error
    except RuntimeError as error:
        raise NoDevice(problem="failed", cause=str(error)) from error


def _row(worker: _Worker, start: int, stop: int) -> Row:
    part = part_of(start, stop)
    if part is None:
        return {**_counts(_settle(worker, start, stop)), "machine": worker.about}
    low, high = part
    inside = _settle(worker, low, high)
    whole = _settle(worker, start, low) + inside + _settle(worker, high, stop)
    return {
        **_counts(whole),
        "part": {"from": low, "to": high, **_counts(inside)},
        "machine": worker.about,
    }


def _counts(found: Settled) -> Row:
    return {"losses": found.losses, "fingerprint": text(found.fingerprint)}


def _settle(worker: _Worker, start: int, stop: int) -> Settled:
    found = Settled()
    if start < FIRST:
        found = settle_low(start, min(stop, FIRST))
    if max(start, FIRST) < stop:
        found += worker.machine.settle(max(start, FIRST), stop)
    for number in found.open:
        _look_again(number)
    return found


def _look_again(number: int) -> None:
    """Find a winning prime for an even number that the kernels left open, on the CPU."""
    theory = find(load("subtract-a-prime"))
    try:
        won = theory is not None and next(theory.moves_to(number, 0), None) is not None
    except TooLargeToList:
        won = False
    if not won:
        raise ClaimFails(number=number)


class _Worker:
    """The GPU of this process, and the machine made for as far as it was needed."""

    def __init__(self, top: int) -> None:
        self.device = Cuda()
        self.about: dict[str, Any] = {
            "device": self.device.name,
            "driver": self.device.driver,
            "versions": {**versions("numpy"), "cupy": self.device.version},
        }
        self.machine = Machine(self.device, top, self.device.shape)


_workers: dict[str, _Worker] = {}


def _worker(stop: int) -> _Worker:
    worker = _workers.get("gpu")
    if worker is None or worker.machine.top < stop:
        top = _LEAST_TOP
        while top < stop:
            top *= 10
        if worker is None:
            worker = _workers["gpu"] = _Worker(min(top, LIMIT))
        else:
            worker.machine = Machine(worker.device, min(top, LIMIT), worker.device.shape)
    return worker
