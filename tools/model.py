"""A model of the lost numbers of Subtract a Prime, and how well it does.

python tools/model.py            print all tables, write docs/figures/density.svg
python tools/model.py density    one of them: density, limit, evens

The model: a number near x that is prime to M is prime with chance M / (phi(M) ln x), independently
of all others, and no other number is. M = 2 knows of no residues; with M the product of the primes
up to z, the constants of Hardy and Littlewood are there up to their factors above z.
"""

import sys
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import log, log10, prod
from pathlib import Path

import numpy as np
import numpy.typing as npt
from results import Series, figure, losses_up_to, table

from numduel.known import EVEN_LOSSES
from numduel.ranges import outcomes

F64 = npt.NDArray[np.float64]
I16 = npt.NDArray[np.int16]
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)
SHOWN = (2, 210, 30030, 9699690)
STEPS = 300
"""Odd numbers in a row that are looked at; more without a prime are too rare to matter."""
FIRST = STEPS + EVEN_LOSSES[-1] // 2
SAMPLED = 1 << 21
"""Odd numbers of a sample, at random residues."""


def alternating(free: I16, first: int) -> F64:
    """The density of lost numbers as a polynomial in q, the chance not to be prime.

    `free` says which odd numbers may be prime; the mean is over those from place `first` on.
    With N(n) = 1 where no even loss is a prime away from n, an odd n has L(n) = N(n) (1 - L(n-2)),
    so L(n) = N(n) - N(n) N(n-2) + N(n) N(n-2) N(n-4) - ... The j-th product is 1 when none of the
    numbers n - 2i - e, i < j, is prime: q to the number of those that may be.
    """
    many = len(free) - first
    size = np.zeros(many, dtype=np.int16)
    found = np.zeros(len(EVEN_LOSSES) * STEPS + 1)
    for j in range(STEPS):
        for e in EVEN_LOSSES:
            if not any(e < f <= e + 2 * j for f in EVEN_LOSSES):
                begin = first - j - e // 2
                size += free[begin : begin + many]
        found += (-1) ** j * np.bincount(size, minlength=len(found))
    return found / (2 * many)


@cache
def terms(modulus: int) -> F64:
    """The polynomial of a modulus."""
    free = np.ones(FIRST + modulus // 2, dtype=np.int16)
    for p in PRIMES[1:]:
        if modulus % p == 0:
            free[p // 2 :: p] = 0
    return alternating(free, FIRST)


def share_at(coefficients: F64, free: float, x: float) -> float:
    """The share of lost numbers near x, where this share of all numbers may be prime."""
    return float(coefficients @ (1 - 1 / (free * log(x))) ** np.arange(len(coefficients)))


def first_order(x: float) -> float:
    """As if each odd number were won at once with chance 10 / ln x: to first order in that."""
    return 1 / 4 - 5 / (4 * log(x))


def model(modulus: int) -> Callable[[float], float]:
    """The share of lost numbers near x, for a modulus."""
    free = prod(1 - 1 / p for p in PRIMES if modulus % p == 0)
    return lambda x: share_at(terms(modulus), free, x)


def mean(share: Callable[[float], float], a: int, b: int) -> float:
    """The mean over [a, b), by Gauss's rule on 12 points."""
    at, weight = np.polynomial.legendre.leggauss(12)
    shares = [share((a + b) / 2 + (b - a) / 2 * t) for t in at]
    return float(weight @ np.array(shares)) / 2


def density() -> None:
    """The share of lost numbers in each decade, by the model and as counted."""
    counts = [(x, n) for x, n in losses_up_to() if x >= 10**5]
    decades = [(a, b, (n - m) / (b - a)) for (a, m), (b, n) in pairwise(counts)]
    models = {"first order": first_order} | {f"M = {m:,}": model(m) for m in SHOWN}
    print("Share of lost numbers in the decade that ends there, counted and by the model:\n")
    table(
        ("decade to", "counted", *models),
        *(
            (
                f"10^{log10(b):.0f}",
                f"{share:.6f}",
                *(f"{mean(f, a, b):.6f}" for f in models.values()),
            )
            for a, b, share in decades
        ),
    )
    lines = [Series([(log10(b), share) for _, b, share in decades], "counted")]
    for name, dashes in (("first order", "3 3"), ("M = 30,030", "")):
        points = [(log10(b), mean(models[name], a, b)) for a, b, _ in decades]
        lines.append(Series(points, name, dashes))
    figure("density", "Share of lost numbers in each decade, Subtract a Prime",
           "end of the decade (logarithmic scale)", "share", lines, 0.25)  # fmt: skip


def limit() -> None:
    """What larger primes change in the model: at random residues, against M = 30,030 there."""
    drawn, points, wanted = np.random.default_rng(34), (1e10, 1e13, 1e16), (13, 19, 31, 101, 499)
    found: dict[int, list[list[float]]] = {z: [] for z in wanted}
    for _ in range(5):
        free, share = np.ones(FIRST + SAMPLED, dtype=np.int16), 0.5
        for p in (p for p in range(3, wanted[-1] + 1, 2) if all(p % d for d in range(3, p, 2))):
            free[int(drawn.integers(p)) :: p] = 0
            share *= 1 - 1 / p
            if p in found:
                coefficients = alternating(free, FIRST)
                found[p].append([share_at(coefficients, share, x) for x in points])
    lines = []
    for z in wanted[1:]:
        off = 1e6 * (np.array(found[z]) - np.array(found[13]))
        shown = zip(off.mean(axis=0), off.std(axis=0) / 2, strict=True)
        lines.append((f"{z}", *(f"{mean:+.0f} ({error:.0f})" for mean, error in shown)))
    print(
        "Share of lost numbers with all primes up to z, less that to 13, in millionths (error):\n"
    )
    table(("z", *(f"x = 10^{log10(x):.0f}" for x in points)), *lines)


def evens() -> None:
    """Winning moves of even numbers: the least number of them by decade, and the model's."""
    top = 1 << 20
    lost = np.unpackbits(outcomes("subtract-a-prime", 0, top), bitorder="little")[:top]
    prime = np.ones(top, dtype=np.uint8)
    prime[:2] = 0
    for p in range(2, 1 + int(top**0.5)):
        if prime[p]:
            prime[p * p :: p] = 0
    shape = 2 * top
    both = np.fft.rfft(lost, shape) * np.fft.rfft(prime, shape)
    ways = np.rint(np.fft.irfft(both, shape)[:top]).astype(np.int64)
    odd_lost = np.where(np.arange(top) % 2 == 1, lost, 0).cumsum()
    lines = []
    for a, b in pairwise((12, 312, 1000, 10**4, 10**5, 10**6)):
        numbers = np.arange(a, b, 2)
        found = ways[numbers]
        # As if each odd lost number below n were a prime away with chance 2 / ln n.
        usual = 2 * odd_lost[numbers] / np.log(numbers)
        worst = int(np.argmin(found))
        by_class = np.bincount(numbers % 30, found, 30) / np.maximum(
            np.bincount(numbers % 30, usual, 30), 1
        )
        expected = np.exp(-by_class[numbers % 30] * usual).sum()
        least = (found / usual).min()
        lines.append(
            (a, b, int((found == 0).sum()), f"{expected:.2g}", int(numbers[worst]),
             int(found[worst]), f"{least:.3f}", f"{(found.sum() / usual.sum()):.3f}")
        )  # fmt: skip
    print("Winning moves of even n, and their number against 2 L(n) / ln n:\n")
    table(
        (
            "from",
            "to",
            "even losses",
            "expected",
            "fewest moves at",
            "moves",
            "least ratio",
            "mean ratio",
        ),
        *lines,
    )
    x, many = losses_up_to()[-1]
    moves = least * 2 * many / log(x)
    print(f"At 10^{log10(x):.0f} with the last least ratio: {moves:.3g} winning moves or more,")
    print(f"and no such number expected but with chance 10^-{moves / log(10):.2g}.")


ALL: dict[str, Callable[[], None]] = {"density": density, "limit": limit, "evens": evens}


def main(arguments: list[str]) -> int:
    """Make what is asked for; everything by default."""
    if set(arguments) - set(ALL):
        print(f"Usage: {Path(__file__).name} [{' | '.join(ALL)}]", file=sys.stderr)
        return 2
    for name in arguments or ALL:
        ALL[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
