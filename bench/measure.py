"""Measuring on a noisy machine: interleaved runs, medians, ratios."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

SHORT = "--short" in sys.argv
"""Is everything only to be tried? Then no figure means anything."""


def sized(usual: T, short: T) -> T:
    """How much is measured, or as little of it as shows that it can be."""
    return short if SHORT else usual


ROUNDS = sized(5, 1)


@dataclass(frozen=True)
class Result:
    """A measured ratio and the limit that it is to keep."""

    name: str
    ratio: float
    limit: float
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Is the limit kept?"""
        return self.ratio >= self.limit if self.at_least else self.ratio <= self.limit

    def __str__(self) -> str:
        word = "at least" if self.at_least else "at most"
        verdict = "met" if self.met else "MISSED"
        return f"{self.name:<72} {self.ratio:>10.4g}   {word:<8} {self.limit:<9g} {verdict}"


def interleaved(*measures: Callable[[], float], rounds: int = ROUNDS) -> list[float]:
    """The median of each measure over rounds that take turns, after one round to warm up."""
    for measure in measures if not SHORT else ():
        measure()
    found = [[measure() for measure in measures] for _ in range(sized(rounds, 1))]
    return [statistics.median(column) for column in zip(*found, strict=True)]


def seconds(command: list[str], typed: bytes = b"") -> Callable[[], float]:
    """A measure of how long a command takes, as the median of a few runs."""

    def measure() -> float:
        taken = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            subprocess.run(command, input=typed, capture_output=True, check=False)
            taken.append(time.perf_counter() - start)
        return statistics.median(taken)

    return measure
