"""The kernel for values against plain search: emulated on a CPU, and on a GPU where one is."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from gpu.emulated import SMALL, made_up, make_up
from numduel.errors import RunFailed
from numduel.gpu.fingerprint import VALUE_FACTORS, values_fingerprint
from numduel.gpu.sieve import NUMBERS, Device
from numduel.gpu.values import FIRST, PLACES, Shown, ValuesMachine
from numduel.known.prime_values import LOOK_BACK
from numduel.research.low_values import low_values
from range_kernels import reference

GAP = 1_000_001_276_062_219
"""A prime before a gap of 568."""


def places() -> np.ndarray[Any, Any]:
    return low_values(PLACES)


def expected(start: int, values: np.ndarray[Any, Any]) -> Shown:
    """What the values of [start - LOOK_BACK, stop) give."""
    inside = values[LOOK_BACK:]
    even, odd = (
        tuple(int((inside[(start + parity) % 2 :: 2] == v).sum()) for v in range(12))
        for parity in range(2)
    )
    mark = sum(weight(start + i, int(v)) for i, v in enumerate(inside[:300])) + values_fingerprint(
        start + 300, inside[300:]
    )
    stop = start + len(inside)
    return Shown(start, stop, even, odd, mark % 2**64, values[:LOOK_BACK], values[-LOOK_BACK:])


def weight(n: int, value: int) -> int:
    """As certificates say it."""
    k, r = divmod(n, 210)
    factors = sum(2654435769 ** (4 * r + b + 1) % 2**32 for b in range(4) if value >> b & 1)
    return int(2 ** (k % 32) * factors * (2 * (k // 32) + 1))


def agree(one: Shown, other: Shown) -> bool:
    """Equal, arrays included."""
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in Shown.__annotations__
    )


def plain(start: int, stop: int) -> Shown:
    low = start - LOOK_BACK - 20_000
    values = reference.values_by_rule(reference.prime_flags(low, stop), low)
    return expected(start, values[start - LOOK_BACK - low :])


RANGES: list[Any] = [
    (FIRST, 1_270_001, {}),
    (10**13 - 5_000, 10**13 + 5_000, {"near": 10**6}),
    *(
        pytest.param(*case, marks=pytest.mark.soak)
        for case in (
            (FIRST, 3_400_001, {}),
            (10**9 + 1, 10**9 + 400_000, {}),
            (10**12 + 12_345, 10**12 + 254_321, {}),
            (GAP - 50_000, GAP + 50_000, {"near": 10**6, "rough": 100}),
        )
    ),
]


@pytest.mark.parametrize(("start", "stop", "sizes"), RANGES)
def test_shows_the_values(device: Device, start: int, stop: int, sizes: dict[str, int]) -> None:
    machine = ValuesMachine(device, stop, replace(SMALL, **sizes), places())
    assert agree(machine.show(start, stop), plain(start, stop))


def test_several_steps_join(device: Device) -> None:
    start, stop = 10**9 + 5, 10**9 + 2_400_000
    one, two = (
        ValuesMachine(device, 10**10, replace(SMALL, words=words, segments=1), places())
        for words in (1024, 512)
    )
    assert agree(one.show(start, stop), two.show(start, stop))


def test_cuts_add_up(device: Device) -> None:
    machine = ValuesMachine(device, 10**10, SMALL, places())
    start, stop = 10**9 + 77, 10**9 + 60_000
    cuts = [start, start + 1, start + 3, start + 10_000, 10**9 + NUMBERS * 3, stop]
    first, *others = [machine.show(low, high) for low, high in pairwise(cuts)]
    for one in others:
        first += one
    assert agree(first, machine.show(start, stop))
    with pytest.raises(RunFailed, match="contradicted itself"):
        first += machine.show(start, stop)


WORDS = 206


def show(device: Device, *primes: np.ndarray[Any, Any]) -> Shown:
    """The values of the last words, in two steps, each with its own made-up primes."""
    machine = ValuesMachine(device, 10**10, SMALL, places())
    past = machine._past
    middle = past + 40
    make_up(device, machine._sieve, (0, middle, primes[0]), (middle - past, WORDS, primes[-1]))
    return machine.show(past * NUMBERS + LOOK_BACK, WORDS * NUMBERS)


@pytest.mark.parametrize(
    "gap", [730, *(pytest.param(n, marks=pytest.mark.soak) for n in (300, 520, 1100, 1990, 6000))]
)
def test_gaps_through_whole_groups(device: Device, gap: int) -> None:
    prime = made_up(WORDS, gap)
    random = np.random.default_rng(gap)
    first = PLACES // NUMBERS + 3
    places = [first * NUMBERS + 10_000, (first + 31) * NUMBERS - 777, (first + 40) * NUMBERS - 99]
    places += [n * NUMBERS + int(random.integers(2000)) for n in range(first + 43, WORDS - 2, 2)]
    for place in places:
        prime[place : place + gap] = False
    found = show(device, prime)
    low = (first - 8) * NUMBERS
    values = reference.values_by_rule(prime[low:], low)
    wanted = expected(found.start, values[found.start - LOOK_BACK - low :])
    assert agree(replace(found, open=()), wanted)
    assert max(wanted.even) < 40 * NUMBERS  # no value has all the numbers


def test_what_the_device_cannot_do_is_no_result(device: Device) -> None:
    """A gap too long to follow, and more values without a witness than there is room for."""
    prime = made_up(WORDS, 1)
    prime[-40_000:-20_000] = False
    with pytest.raises(RunFailed, match="contradicted itself"):
        show(device, prime)
    few = places().copy()
    few[6000:] = few[few == 2] = 255
    few[[4, 14, 38, 104, 314, 1574]] = 2
    with pytest.raises(RunFailed, match="contradicted itself"):
        ValuesMachine(device, 10**10, SMALL, few).show(10**9, 10**9 + 200_000)


def test_steps_that_do_not_join_are_noticed(device: Device) -> None:
    with pytest.raises(RunFailed, match="contradicted itself"):
        show(device, made_up(WORDS, 1), made_up(WORDS, 2))


def test_values_without_a_witness_are_named(device: Device) -> None:
    start, stop = 10**9 + 12_345, 10**9 + 22_345
    few = places().copy()
    few[6000:] = 255
    found = ValuesMachine(device, 10**10, SMALL, few).show(start, stop)
    low = start - 20_000
    prime = reference.prime_flags(low, stop)
    values = reference.values_by_rule(prime, low)
    wanted = []
    for n in range(start, stop):
        above = values[n - low]
        searched = (4, 5, 6, 9) if n % 2 else (0, 2, 3, 7, 8, 9, 10)
        for v in searched:
            reached = values[n - 2 - low] == v or (v == 9 and n % 30 in (13, 18, 23))
            if v < above and not reached:
                small = np.flatnonzero(few[:6000] == v)
                small = small[small % 2 != n % 2]
                if not prime[n - small - low].any():
                    wanted.append((n, v))
    assert wanted
    assert list(found.open) == wanted


def test_every_value_counts_in_the_fingerprint() -> None:
    """No two values of a number weigh the same, wherever it is."""
    for r in range(210):
        factors = VALUE_FACTORS[4 * r : 4 * r + 4]
        sums = [sum(f for b, f in enumerate(factors) if v >> b & 1) for v in range(16)]
        weights = {(s << 31) % 2**64 for s in sums}
        assert len(weights) == 16
