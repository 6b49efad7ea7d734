"""Intervals of 95% for figures, by resampling whole clusters: boards, not single answers.

Answers on one board hang together, and a player without chance in it repeats itself: a
repeated match tells nothing new. So the bootstrap (Efron 1979) draws boards with replacement,
each with all that was counted on it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from random import Random
from typing import NamedTuple

RESAMPLES = 1000
_TAIL = 0.025


class Count(NamedTuple):
    """What was counted once: `part` of `whole`, on a board or whatever else is the cluster."""

    cluster: Hashable
    part: float
    whole: float = 1.0


def interval(counts: Iterable[Count], seed: int = 0) -> tuple[float, float] | None:
    """The interval of the sum of parts over the sum of wholes; None where there is no whole.

    The same counts give the same interval, in whatever order they come. Where all or none
    was counted in every cluster, resampling would see no doubt at all: there the interval is
    the exact one of Clopper and Pearson (1934), by the number of clusters. A single cluster
    with anything between leaves everything open.
    """
    sums: dict[Hashable, list[float]] = {}
    for cluster, part, whole in counts:
        total = sums.setdefault(cluster, [0.0, 0.0])
        total[0] += part
        total[1] += whole
    clusters = sorted((part, whole) for part, whole in sums.values() if whole)
    if not clusters:
        return None
    one_side = _TAIL ** (1 / len(clusters))
    if not any(part for part, _ in clusters):
        return 0.0, 1 - one_side
    if all(part == whole for part, whole in clusters):
        return one_side, 1.0
    if len(clusters) == 1:
        return 0.0, 1.0
    found = sorted(_rates(clusters, Random(seed)))
    cut = int(_TAIL * RESAMPLES)
    return found[cut], found[-1 - cut]


def _rates(clusters: list[tuple[float, float]], random: Random) -> Iterable[float]:
    """The figure in each resample, by `Random.random` alone: it is the same in every Python."""
    count = len(clusters)
    draw = random.random
    for _ in range(RESAMPLES):
        drawn = [clusters[int(draw() * count)] for _ in range(count)]
        yield sum(part for part, _ in drawn) / sum(whole for _, whole in drawn)
