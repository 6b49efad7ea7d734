"""The range kernels against primesieve, one thread each, in the same run."""

import resource
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator

from bench.measure import ROUNDS, SHORT, Result, sized
from numduel import ranges

GAME = "subtract-a-prime"
FAR = sized(10**9, 10**5)


def sieve_seconds(*arguments: str) -> float:
    """What primesieve itself says it took, in one thread."""
    if SHORT:
        return 1.0
    command = ["primesieve", *arguments, "-t1", "-q", "--time"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return float(next(line for line in lines if line.startswith("Seconds")).split()[1])


def outcomes(a: int, b: int) -> Callable[[], None]:
    """Stream all outcomes of [a, b)."""

    def work() -> None:
        for _ in ranges.outcome_segments(GAME, a, b):
            pass

    return work


def values(a: int, b: int) -> Callable[[], None]:
    """Stream all Grundy values of [a, b)."""

    def work() -> None:
        for _ in ranges.grundy_segments(GAME, a, b):
            pass

    return work


ROWS: list[tuple[str, float, Callable[[], None], tuple[str, ...]]] = [
    ("outcomes of all n <= 10^9", 6, outcomes(0, FAR + 1), ("1e9",)),
    ("outcomes of all n <= 10^10", 6, outcomes(0, 10 * FAR + 1), ("1e10",)),
    ("Grundy values of all n <= 10^9", 60, values(0, FAR + 1), ("1e9",)),
    ("outcomes of 10^9 numbers from 10^15", 6, outcomes(10**15, 10**15 + FAR),
     ("1000000000000000", "-d1e9")),
]  # fmt: skip


def memory() -> float:
    """The most memory so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run() -> Iterator[Result]:
    """Ratios to primesieve's own time, and the memory above what the imports take."""
    if not SHORT and not shutil.which("primesieve"):
        print("primesieve is not installed (Debian's package primesieve): ranges not measured")
        return
    outcomes(0, 10**5)()
    values(0, 10**5)()
    before = memory()
    for name, limit, work, arguments in ROWS:
        ratios = []
        for _ in range(ROUNDS):
            theirs = sieve_seconds(*arguments)
            start = time.perf_counter()
            work()
            ratios.append((time.perf_counter() - start) / theirs)
        print(f"{name}: ratios {', '.join(f'{ratio:.2f}' for ratio in sorted(ratios))}")
        yield Result(f"{name} / primesieve, one thread", statistics.median(ratios), limit)
    yield Result("memory of the range kernels above the imports, MiB", memory() - before, 64)
