"""Tables of own rules, against a plain numpy marking loop over the same amounts."""

import time
from collections.abc import Iterator
from math import isqrt

import numpy as np

from bench.measure import Result, interleaved, sized
from numduel.ranges import marking as compiled
from numduel.theory import tables

SIZE = sized(10_000_000, 1_000)
PLAIN = sized(1_000_000, 1_000)
THREE = [1, 3, 4]
SQUARES = [k * k for k in range(1, isqrt(SIZE - 1) + 1)]


def numpy_loop(amounts: list[int], size: int) -> float:
    """Seconds of the loop that anybody would write: each loss marks what is above it."""
    rising, won = np.array(amounts), np.zeros(size, bool)
    start = time.perf_counter()
    for n in range(size):
        if not won[n]:
            above = n + rising
            won[above[above < size]] = True
    return time.perf_counter() - start


def compiled_seconds(amounts: list[int], size: int) -> float:
    """Seconds of the kernel of the extra `ranges`."""
    start = time.perf_counter()
    compiled.losses(amounts, size)
    return time.perf_counter() - start


def plain_seconds(amounts: list[int], size: int) -> float:
    """Seconds of the same in Python alone."""
    start = time.perf_counter()
    tables.losses(amounts, size)
    return time.perf_counter() - start


def run() -> Iterator[Result]:
    """Numbers a second for three amounts, and squares to ten million."""
    loop, kernel, plain = interleaved(
        lambda: numpy_loop(THREE, PLAIN),
        lambda: compiled_seconds(THREE, SIZE),
        lambda: plain_seconds(THREE, PLAIN),
        rounds=3,
    )
    print(f"three amounts: numpy loop {PLAIN / loop:,.0f} numbers/s, kernel"
          f" {SIZE / kernel:,.0f}, plain Python {PLAIN / plain:,.0f}")  # fmt: skip
    yield Result("three amounts, kernel: numbers a second", SIZE / kernel, 1e7, True)
    yield Result("three amounts, plain Python: numbers a second", PLAIN / plain, 5e5, True)
    yield Result("three amounts, numpy loop / plain Python", loop / plain, 1, True)
    loop, kernel = interleaved(
        lambda: numpy_loop(SQUARES, SIZE), lambda: compiled_seconds(SQUARES, SIZE), rounds=1
    )
    print(f"squares to {SIZE:,}: numpy loop {loop:.2f} s, kernel {kernel:.2f} s")
    yield Result("squares to 10^7, kernel / numpy loop", kernel / loop, 10)
