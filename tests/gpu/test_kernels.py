"""The kernels for a GPU against plain search: emulated on a CPU, and on a GPU where one is."""

from dataclasses import replace
from functools import reduce
from itertools import pairwise
from operator import add
from random import Random
from typing import Any

import numpy as np
import pytest

from gpu.emulated import SMALL, made_up, make_up
from numduel.errors import RunFailed
from numduel.gpu.machine import FIRST, Found, Machine, fingerprint, values_fingerprint
from numduel.gpu.sieve import NUMBERS, Device, primes_to
from numduel.gpu.values import FIRST as VALUES_FROM
from numduel.gpu.values import PLACES, ValuesMachine
from numduel.known import LOOK_BACK
from numduel.research.low_values import low_values
from raised import raised
from range_kernels import reference

GAP = 1_000_001_276_062_219
"""A prime before a gap of 568, in which no odd number of one group of 210 wins at once."""


def losses(start: int, stop: int, lost: np.ndarray[Any, Any]) -> Found:
    return Found(start, stop, (len(lost),), fingerprint(lost))


def expected(start: int, stop: int) -> Found:
    return losses(start, stop, reference.lost_numbers(start, stop))


def some_in_the_soak(*cases: tuple[int, int, dict[str, int]]) -> list[Any]:
    """All but two."""
    return [*cases[:2], *(pytest.param(*case, marks=pytest.mark.soak) for case in cases[2:])]


RANGES = some_in_the_soak(
    (FIRST, 1_500_001, {}),
    (10**13 - 10**5, 10**13 + 10**5, {"near": 10**6}),
    (FIRST, 9_000_001, {}),
    (10**9 + 1, 10**9 + 2_000_000, {}),
    (10**12 + 12_345, 10**12 + 2_654_321, {}),
    (GAP - 300_000, GAP + 300_000, {"near": 10**6, "rough": 100}),
    (9_876_543_210_987_654, 9_876_543_211_187_654, {"near": 10**7, "rough": 100}),
)


@pytest.mark.parametrize(("start", "stop", "sizes"), RANGES)
def test_settles_what_plain_search_does(
    device: Device, start: int, stop: int, sizes: dict[str, int]
) -> None:
    machine = Machine(device, stop, replace(SMALL, **sizes))
    assert machine.settle(start, stop) == expected(start, stop)


def test_cuts_add_up(device: Device) -> None:
    machine = Machine(device, 10**10, SMALL)
    start, stop = 10**9 + 77, 10**9 + 200_000
    random = Random(1)
    cuts = {*range(start, start + 4), stop, *(random.randrange(start, stop) for _ in range(6))}
    cuts |= {*range(10**9 // NUMBERS * NUMBERS + NUMBERS, stop, 7 * NUMBERS)}
    parts = [machine.settle(low, high) for low, high in pairwise(sorted(cuts))]
    assert reduce(add, parts) == machine.settle(start, stop) == expected(start, stop)


def played(device: Device, prime: np.ndarray[Any, Any]) -> Found:
    """Losses among made-up primes, but for those of the first word, by the kernel `game`."""
    machine = Machine(device, 10**10, replace(SMALL, words=1024))
    words = len(prime) // NUMBERS
    make_up(device, machine._sieve, (0, words, prime))
    return machine.settle(NUMBERS, words * NUMBERS)


@pytest.mark.parametrize("gap", [519, 520, 730, 1500, 1990])
def test_a_chain_of_losses_runs_through_whole_groups(device: Device, gap: int) -> None:
    # Gaps at all kinds of places: inside a word, across two, across the end of a warp, in a row.
    random = np.random.default_rng(gap)
    prime = made_up(70, gap)
    places = [2 * NUMBERS + 1, 5 * NUMBERS - 300, 31 * NUMBERS - 777, 32 * NUMBERS - gap // 2]
    places += [n + int(random.integers(3000)) for n in range(33 * NUMBERS, 69 * NUMBERS, 6000)]
    for place in places:
        prime[place : place + gap] = False
    wins = reference.won_by_five(prime)
    whole_groups = ~wins[1::2].reshape(-1, 105).any(axis=1)
    assert whole_groups.sum() >= (len(places) if gap >= 730 else 0)
    lost = reference.walk(wins, 0, NUMBERS)
    found = played(device, prime)
    assert replace(found, open=()) == losses(found.start, found.stop, lost)


def test_what_the_device_cannot_do_is_no_result(device: Device) -> None:
    """A gap too long to follow, and more open numbers than there is room for."""
    prime = made_up(40, 1)
    prime[3 * NUMBERS : 3 * NUMBERS + 4000] = False
    raised(RunFailed, played, device, prime, match="contradicted itself")
    machine = Machine(device, 10**10, replace(SMALL, cover=[(3,)] * 105, reserve=3))
    raised(RunFailed, machine.settle, 10**9, 10**9 + 50_000, match="contradicted itself")


def test_even_numbers_without_a_winning_prime_are_named(device: Device) -> None:
    start, stop = 10**10 + 12_345, 10**10 + 62_345
    few = [int(p) for p in primes_to(37)[1:]]
    lost = set(reference.lost_numbers(start - 100, stop).tolist())
    left = [n for n in range(start + 1, stop, 2) if not any(n - p in lost for p in few)]
    shape = replace(SMALL, cover=[(3,)] * 105, reserve=37)
    found = Machine(device, 10**11, shape).settle(start, stop)
    assert left
    assert found == replace(expected(start, stop), open=tuple(left))


def test_the_fingerprint_is_what_certificates_say() -> None:
    random = Random(3)
    numbers = [1, 209, 210, 6719, 6720, *(random.randrange(10**16) for _ in range(200))]
    total = 0
    for n in numbers:
        k, r = divmod(n, 210)
        factor = 2654435769 ** (r // 2 + 1) % 2**32
        total += 2 ** (k % 32) * factor * (2 * (k // 32) + 1)
    assert fingerprint(np.array(numbers, dtype=np.uint64)) == total % 2**64


def places() -> np.ndarray[Any, Any]:
    return low_values(PLACES)


def shown(start: int, values: np.ndarray[Any, Any]) -> Found:
    """What the values of [start - LOOK_BACK, stop) give."""
    inside = values[LOOK_BACK:]
    counts = [
        int((inside[(start + parity) % 2 :: 2] == v).sum())
        for parity in range(2)
        for v in range(12)
    ]
    mark = sum(weight(start + i, int(v)) for i, v in enumerate(inside[:300]))
    mark += values_fingerprint(start + 300, inside[300:])
    stop = start + len(inside)
    ends = values[:LOOK_BACK].tobytes(), values[-LOOK_BACK:].tobytes()
    return Found(start, stop, tuple(counts), mark % 2**64, *ends)


def weight(n: int, value: int) -> int:
    """As certificates say it."""
    k, r = divmod(n, 210)
    factors = sum(2654435769 ** (4 * r + b + 1) % 2**32 for b in range(4) if value >> b & 1)
    return int(2 ** (k % 32) * factors * (2 * (k // 32) + 1))


def plain(start: int, stop: int) -> Found:
    low = start - LOOK_BACK - 20_000
    values = reference.values_by_rule(reference.prime_flags(low, stop), low)
    return shown(start, values[start - LOOK_BACK - low :])


VALUE_RANGES = some_in_the_soak(
    (VALUES_FROM, 1_270_001, {}),
    (10**13 - 5_000, 10**13 + 5_000, {"near": 10**6}),
    (VALUES_FROM, 3_400_001, {}),
    (10**9 + 1, 10**9 + 400_000, {}),
    (10**12 + 12_345, 10**12 + 254_321, {}),
    (GAP - 50_000, GAP + 50_000, {"near": 10**6, "rough": 100}),
)


@pytest.mark.parametrize(("start", "stop", "sizes"), VALUE_RANGES)
def test_shows_the_values(device: Device, start: int, stop: int, sizes: dict[str, int]) -> None:
    machine = ValuesMachine(device, stop, replace(SMALL, **sizes), places())
    assert machine.show(start, stop) == plain(start, stop)


def test_several_steps_join(device: Device) -> None:
    start, stop = 10**9 + 5, 10**9 + 2_400_000
    one, two = (
        ValuesMachine(device, 10**10, replace(SMALL, words=words, segments=1), places())
        for words in (1024, 512)
    )
    assert one.show(start, stop) == two.show(start, stop)


def test_cuts_of_values_add_up(device: Device) -> None:
    machine = ValuesMachine(device, 10**10, SMALL, places())
    start, stop = 10**9 + 77, 10**9 + 60_000
    cuts = [start, start + 1, start + 3, start + 10_000, 10**9 + NUMBERS * 3, stop]
    first, *others = [machine.show(low, high) for low, high in pairwise(cuts)]
    for one in others:
        first += one
    assert first == machine.show(start, stop)
    with pytest.raises(RunFailed, match="contradicted itself"):
        first += machine.show(start, stop)


WORDS = 206


def show(device: Device, *primes: np.ndarray[Any, Any]) -> Found:
    """The values of the last words, in two steps, each with its own made-up primes."""
    machine = ValuesMachine(device, 10**10, SMALL, places())
    past, middle = machine._past, machine._past + 40
    make_up(device, machine._sieve, (0, middle, primes[0]), (middle - past, WORDS, primes[-1]))
    return machine.show(past * NUMBERS + LOOK_BACK, WORDS * NUMBERS)


@pytest.mark.parametrize(
    "gap", [730, *(pytest.param(n, marks=pytest.mark.soak) for n in (300, 520, 1100, 1990, 6000))]
)
def test_values_in_gaps_through_whole_groups(device: Device, gap: int) -> None:
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
    wanted = shown(found.start, values[found.start - LOOK_BACK - low :])
    assert replace(found, open=()) == wanted
    assert max(wanted.counts[:12]) < 40 * NUMBERS  # no value has all the numbers


def test_what_the_device_cannot_show_is_no_result(device: Device) -> None:
    """A gap too long, more values without a witness than there is room for, unequal steps."""
    prime = made_up(WORDS, 1)
    prime[-40_000:-20_000] = False
    raised(RunFailed, show, device, prime, match="contradicted itself")
    few = places().copy()
    few[6000:] = few[few == 2] = 255
    few[[4, 14, 38, 104, 314, 1574]] = 2
    with pytest.raises(RunFailed, match="contradicted itself"):
        ValuesMachine(device, 10**10, SMALL, few).show(10**9, 10**9 + 200_000)
    with pytest.raises(RunFailed, match="contradicted itself"):
        show(device, made_up(WORDS, 1), made_up(WORDS, 2))


def test_values_without_a_witness_are_named(device: Device) -> None:
    start, stop = 10**9 + 12_345, 10**9 + 22_345
    few = places().copy()
    few[6000:] = 255
    found = ValuesMachine(device, 10**10, SMALL, few).show(start, stop)
    low, wanted = start - 20_000, []
    prime = reference.prime_flags(low, stop)
    values = reference.values_by_rule(prime, low)
    for n in range(start, stop):
        for v in (4, 5, 6, 9) if n % 2 else (0, 2, 3, 7, 8, 9, 10):
            reached = values[n - 2 - low] == v or (v == 9 and n % 30 in (13, 18, 23))
            if v < values[n - low] and not reached:
                small = np.flatnonzero(few[:6000] == v)
                small = small[small % 2 != n % 2]
                if not prime[n - small - low].any():
                    wanted.append((n, v))
    assert wanted
    assert list(found.open) == wanted
