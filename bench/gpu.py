"""Time for 10^9 numbers on a GPU, by height: in a run, and kernel by kernel."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from bench.measure import Result
from numduel.errors import RunFailed
from numduel.gpu.cuda import Cuda
from numduel.gpu.machine import Machine
from numduel.gpu.sieve import LIMIT
from numduel.gpu.values import PLACES, ValuesMachine
from numduel.research.low_values import low_values

HEIGHTS = [10**9, *(10**k for k in range(11, 16)), 9 * 10**15]
OUTCOMES = ("prep", "cross", "distant", "game", "mend")
VALUES = ("prep", "cross", "distant", "values", "joins")


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


def table(
    kernels: tuple[str, ...], make: Callable[[Cuda], Callable[[int, int], object]], most: int
) -> None:
    """Print a row for each height, the numbers of a run being `most` at most."""
    device, timed = Cuda(), Timed()
    print("| from | in a run | " + " | ".join(kernels) + " |\n|" + "---|" * (2 + len(kernels)))
    whole, parts = make(device), make(timed)
    for height in HEIGHTS:
        span = min(most, 100 * height)
        whole(height, height + span // 10)
        start = time.perf_counter()
        whole(height, height + span)
        seconds = time.perf_counter() - start
        timed.spent.clear()
        parts(height, height + span // 10)
        each = [timed.spent[name] / (span // 10) * 1e15 for name in kernels]
        cells = [f"{height:.0e}", f"{seconds / span * 1e15:.0f}", *(f"{one:.1f}" for one in each)]
        print("| " + " | ".join(cells) + " |", flush=True)


def run() -> Iterator[Result]:
    """Print the tables; there is no limit to miss."""
    try:
        device = Cuda()
    except RunFailed:
        print("there is no GPU here: nothing of it measured")
        return
    print(f"{device.name}, driver {device.driver}, CuPy {device.version}")
    print("microseconds for 10^9 numbers, outcomes")
    table(OUTCOMES, lambda one: Machine(one, LIMIT, one.shape).settle, 2 * 10**12)
    print("values")
    places = low_values(PLACES)
    table(VALUES, lambda one: ValuesMachine(one, LIMIT, one.shape, places).show, 10**11)
    yield from ()
