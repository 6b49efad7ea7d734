"""The kernels for a GPU against plain search: emulated on a CPU, and on a GPU where one is."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from gpu.emulated import SMALL, made_up, make_up
from numduel.errors import RunFailed
from numduel.gpu.fingerprint import fingerprint
from numduel.gpu.machine import FIRST, Machine, Settled
from numduel.gpu.sieve import NUMBERS, Device, primes_to
from range_kernels import reference

GAP = 1_000_001_276_062_219
"""A prime before a gap of 568, in which no odd number of one group of 210 wins at once."""


def expected(start: int, stop: int) -> Settled:
    lost = reference.lost_numbers(start, stop)
    return Settled(len(lost), fingerprint(lost))


RANGES: list[Any] = [
    (FIRST, 1_500_001, {}),
    (10**13 - 10**5, 10**13 + 10**5, {"near": 10**6}),
    *(
        pytest.param(*case, marks=pytest.mark.soak)
        for case in (
            (FIRST, 9_000_001, {}),
            (10**9 + 1, 10**9 + 2_000_000, {}),
            (10**12 + 12_345, 10**12 + 2_654_321, {}),
            (GAP - 300_000, GAP + 300_000, {"near": 10**6, "rough": 100}),
            (9_876_543_210_987_654, 9_876_543_211_187_654, {"near": 10**7, "rough": 100}),
        )
    ),
]


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
    ends = sorted(cuts)
    parts = [machine.settle(low, high) for low, high in pairwise(ends)]
    assert sum(parts, Settled()) == machine.settle(start, stop) == expected(start, stop)


def played(device: Device, prime: np.ndarray[Any, Any]) -> Settled:
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
    assert replace(played(device, prime), open=()) == Settled(len(lost), fingerprint(lost))


def test_what_the_device_cannot_do_is_no_result(device: Device) -> None:
    """A gap too long to follow, and more open numbers than there is room for."""
    prime = made_up(40, 1)
    prime[3 * NUMBERS : 3 * NUMBERS + 4000] = False
    with pytest.raises(RunFailed, match="contradicted itself"):
        played(device, prime)
    machine = Machine(device, 10**10, replace(SMALL, cover=[(3,)] * 105, reserve=3))
    with pytest.raises(RunFailed, match="contradicted itself"):
        machine.settle(10**9, 10**9 + 50_000)


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
    single = (np.array([n], dtype=np.uint64) for n in range(10**15, 10**15 + 4_000, 2))
    assert len({fingerprint(one) for one in single}) == 2_000, "every number counts"
