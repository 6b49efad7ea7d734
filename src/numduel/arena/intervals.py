"""Intervals of 95% that know how questions and boards are drawn, and comparisons in pairs.

Answers on one board, or to one question, hang together: each board is one cluster, and a repeated
match tells nothing new. An exam draws a fixed number of questions of each kind: these are strata,
and what differs between them is no chance. The variance of a rate is that of the ratio estimator,
linearised, between clusters and within strata (Cochran, Sampling Techniques, 1977, ch. 5 and 6).
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import comb, sqrt
from statistics import NormalDist
from typing import NamedTuple, TypeVar

Z = NormalDist().inv_cdf(0.975)
POWER = 0.8  # how often a difference is seen where as many questions are asked as are `needed`
SEEN = 0.05  # the difference that is to be seen: 5 points

Key = TypeVar("Key")


class Count(NamedTuple):
    """What was counted once: `part` of `whole`, on a board or whatever else is the cluster."""

    cluster: Hashable
    part: float
    whole: float = 1.0
    stratum: Hashable = None


class Rate(NamedTuple):
    value: float
    variance: float
    clusters: int


def rate_of(counts: Iterable[Count]) -> Rate | None:
    """The sum of parts over that of wholes, in whatever order they come; None without a whole."""
    sums: dict[tuple[Hashable, Hashable], list[float]] = {}
    for cluster, part, whole, stratum in counts:
        total = sums.setdefault((stratum, cluster), [0.0, 0.0])
        total[0] += part
        total[1] += whole
    parts, wholes = (sum(total[at] for total in sums.values()) for at in (0, 1))
    if not wholes:
        return None
    value = parts / wholes
    strata: dict[Hashable, list[float]] = {}
    for (stratum, _), (part, whole) in sums.items():
        if whole:
            strata.setdefault(stratum, []).append(part - value * whole)
    squares = sum(map(_squares, strata.values()))
    return Rate(value, squares / wholes**2, sum(map(len, strata.values())))


def _squares(rests: list[float]) -> float:
    """The variance of the sum of a stratum's rests; one alone is compared with all."""
    count = len(rests)
    if count == 1:
        return rests[0] ** 2
    mean = sum(rests) / count
    return count / (count - 1) * sum((rest - mean) ** 2 for rest in rests)


def interval(counts: Iterable[Count], share: bool = True) -> tuple[float, float] | None:
    """The interval of the rate; None where there is none.

    For a share of 1 it is Wilson's (1927), for as many independent answers as would leave the same
    variance; no finer than half a cluster. A single cluster leaves everything open.
    """
    found = rate_of(counts)
    if found is None:
        return None
    value, variance, clusters = found
    variance = max(variance, 0.25 / clusters**2)
    if not share:
        return max(0.0, value - Z * sqrt(variance)), value + Z * sqrt(variance)
    if clusters == 1:
        return 0.0, 1.0
    spread = value * (1 - value)
    size = spread / variance if spread > 1e-12 else clusters
    middle = (value + Z * Z / (2 * size)) / (1 + Z * Z / size)
    half = Z / (1 + Z * Z / size) * sqrt(spread / size + Z * Z / (4 * size * size))
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class Difference:
    value: float
    interval: tuple[float, float]
    p: float  # of the exact test of McNemar (1947): questions on which only one of them did better
    needed: int  # so many questions show a difference of `SEEN` with the probability `POWER`


def difference(pairs: Iterable[tuple[Hashable, float]]) -> Difference | None:
    """From a stratum and a difference of shares for each question; None without questions.

    The interval adds one question to each side (Bonett and Price 2012), within strata.
    """
    counts = [Count(at, part, 1.0, stratum) for at, (stratum, part) in enumerate(pairs)]
    found = rate_of(counts)
    if found is None:
        return None
    value, variance, size = found
    middle, half = value * size / (size + 2), Z * sqrt(variance * size**2 + 2) / (size + 2)
    above, below = (sum(sign * count.part > 0 for count in counts) for sign in (1, -1))
    wanted = ((Z + NormalDist().inv_cdf(POWER)) / SEEN) ** 2 * (variance * size**2 + 2) / (size + 2)
    between = max(-1.0, middle - half), min(1.0, middle + half)
    return Difference(value, between, sign_test(above, below), round(wanted))


def sign_test(above: int, below: int) -> float:
    """Two-sided and exact: how often a fair coin is at least as uneven."""
    tail = sum(comb(above + below, few) for few in range(min(above, below) + 1))
    return float(min(1.0, 2 * tail / 2 ** (above + below)))


def holm(found: Mapping[Key, float]) -> dict[Key, float]:
    """Each p, so that one may err in any of them at most once in twenty times (Holm 1979)."""
    least, adjusted = 0.0, {}
    for at, key in enumerate(sorted(found, key=lambda key: found[key])):
        least = max(least, min(1.0, (len(found) - at) * found[key]))
        adjusted[key] = least
    return adjusted
