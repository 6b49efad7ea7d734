"""The GPU of this process, the machines made on it, and the rows that they give.

A row also has a part: a range of a thousand million numbers somewhere in the block, with its
own counts and fingerprint. A block may be far too long for a CPU, and `numduel check` recomputes
the part. Where it lies depends only on the block. `machine` says what computed the row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add
from threading import Lock
from typing import Any, Final, Protocol, TypeVar

from numduel.errors import RunFailed
from numduel.gpu.cuda import Cuda
from numduel.gpu.sieve import LIMIT, Device, Shape
from numduel.research.blocks import Row
from numduel.research.claim_certificate import versions
from numduel.research.claims import part_of

_LEAST_TOP: Final = 10**12


class HasTop(Protocol):
    """A machine for ranges up to `top`."""

    top: int


M = TypeVar("M", bound=HasTop)


class Worker:
    """The GPU, and each machine made for as far as it was needed."""

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


def block_row(
    start: int, stop: int, settle: Callable[[Worker, int, int], Any], row_of: Callable[[Any], Row]
) -> Row:
    """The row of a block: what `settle` finds in its pieces, added up, as `row_of` tells it.

    Raises `RunFailed` where the GPU has too little memory or fails, as CuPy tells it.
    """
    try:
        with _alone:
            worker = _workers.get("gpu") or _workers.setdefault("gpu", Worker())
            part = part_of(start, stop)
            if part is None:
                return {**row_of(settle(worker, start, stop)), "machine": worker.about}
            low, high = part
            spans = [(start, low), part, (high, stop)]
            found = [settle(worker, a, b) for a, b in spans if a < b]
            inside = found[spans.index(part) - (start == low)]
    except MemoryError as error:
        raise RunFailed(problem="memory") from error
    except RuntimeError as error:
        raise RunFailed(problem="failed", cause=str(error)) from error
    return {
        **row_of(reduce(add, found)),
        "part": {"from": low, "to": high, **row_of(inside)},
        "machine": worker.about,
    }
