"""Time for 10^9 numbers of `even-losses` on a GPU, by height: in a run, and kernel by kernel."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from bench.measure import Result
from numduel.errors import NoDevice
from numduel.gpu.cuda import Cuda
from numduel.gpu.machine import Machine
from numduel.gpu.sieve import LIMIT

HEIGHTS = [10**9, *(10**k for k in range(11, 16)), 9 * 10**15]
SPAN = 2 * 10**12
KERNELS = ("prep", "cross", "distant", "game", "mend")


class Timed(Cuda):
    """One kernel at a time, each with its seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.spent: Counter[str] = Counter()

    def launch(
        self, module: Any, name: str, grid: int, block: int, shared: int, stream: str, *args: Any
    ) -> None:
        """Launch, and wait for the end."""
        self.wait()
        start = time.perf_counter()
        super().launch(module, name, grid, block, shared, stream, *args)
        self.wait()
        self.spent[name] += time.perf_counter() - start


def run() -> Iterator[Result]:
    """Print the table; there is no limit to miss."""
    try:
        device, timed = Cuda(), Timed()
    except NoDevice:
        print("there is no GPU here: nothing of it measured")
        return
    print(f"{device.name}, driver {device.driver}, CuPy {device.version}")
    print("microseconds for 10^9 numbers\n| from | in a run | " + " | ".join(KERNELS) + " |")
    print("|" + "---|" * (2 + len(KERNELS)))
    whole, parts = (Machine(one, LIMIT, one.shape) for one in (device, timed))
    for height in HEIGHTS:
        span = min(SPAN, 100 * height)
        whole.settle(height, height + span // 10)
        start = time.perf_counter()
        whole.settle(height, height + span)
        seconds = time.perf_counter() - start
        timed.spent.clear()
        parts.settle(height, height + span // 10)
        each = [timed.spent[name] / (span // 10) * 1e15 for name in KERNELS]
        cells = [f"{height:.0e}", f"{seconds / span * 1e15:.0f}", *(f"{one:.1f}" for one in each)]
        print("| " + " | ".join(cells) + " |", flush=True)
    yield from ()
