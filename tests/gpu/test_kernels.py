"""The kernels for a GPU against plain search: emulated on a CPU, and on a GPU where one is."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from gpu.emulated import SMALL
from numduel.errors import RunFailed
from numduel.gpu import game, sieve
from numduel.gpu.cover import COVER
from numduel.gpu.fingerprint import fingerprint
from numduel.gpu.low import settle_low
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
    (10**13 - 2 * 10**5, 10**13 + 2 * 10**5, {"near": 10**5}),
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


def empty(lines: np.ndarray[Any, Any], low: int, high: int) -> None:
    """Mark every number of [low, high) as composite; numbers of word 0 begin at 0."""
    for n in range(low, high):
        k, r = divmod(n, 210)
        if r in sieve.LINES:
            lines[sieve.LINES.index(r), k // 32] |= np.uint32(1 << k % 32)


def played(device: Device, lines: np.ndarray[Any, Any]) -> tuple[int, int, list[int]]:
    """Losses and fingerprint by the kernel `game`, on words 1 to the last, and its complaints."""
    words = lines.shape[1]
    module = device.module(game.source(COVER, 32))
    total, bad = device.array(np.zeros(2, np.uint64)), device.array(np.zeros(4, np.uint32))
    items = device.array(np.zeros(1 + sieve.ITEMS, np.uint32))
    given = device.array(lines)
    device.wait()
    device.launch(
        module, "game", -(-(words - 1) // 31), 32, 0, "play",
        given, np.uint32(words), np.uint32(words), np.uint64(0), np.uint64(NUMBERS),
        np.uint64(words * NUMBERS), total, bad, items,
    )  # fmt: skip
    device.wait()
    losses, mark = map(int, device.get(total))
    return losses, mark, [int(n) for n in device.get(bad)]


@pytest.mark.parametrize("gap", [519, 520, 730, 1500, 1990])
def test_a_chain_of_losses_runs_through_whole_groups(device: Device, gap: int) -> None:
    # Made-up primes, one number in five of those that can be, with gaps at all kinds of places:
    # inside a word, across two, across the end of a warp, in a row.
    random = np.random.default_rng(gap)
    words = 70
    shape = (len(sieve.LINES), words, 32)
    bits = random.random(shape) > 0.2
    lines = np.packbits(bits, axis=2, bitorder="little").view(np.uint32)[:, :, 0].copy()
    places = [2 * NUMBERS + 1, 5 * NUMBERS - 300, 31 * NUMBERS - 777, 32 * NUMBERS - gap // 2]
    places += [n + int(random.integers(3000)) for n in range(33 * NUMBERS, 69 * NUMBERS, 6000)]
    for place in places:
        empty(lines, place, place + gap)
    prime = np.zeros(words * NUMBERS, dtype=bool)
    for line, r in enumerate(sieve.LINES):
        set_bits = np.unpackbits(lines[line].view(np.uint8), bitorder="little")
        prime[r::210] = set_bits == 0
    wins = reference.won_by_five(prime)
    whole_groups = ~wins[1::2].reshape(-1, 105).any(axis=1)
    assert whole_groups.sum() >= (len(places) if gap >= 730 else 0)
    lost = reference.walk(wins, 0, NUMBERS)
    losses, mark, bad = played(device, lines)
    assert bad[1:] == [0, 0, 0]
    assert (losses, mark) == (len(lost), fingerprint(lost))


def test_what_the_device_cannot_do_is_no_result(device: Device) -> None:
    """A gap too long to follow, and more open numbers than there is room for."""
    lines = np.zeros((len(sieve.LINES), 40), dtype=np.uint32)
    empty(lines, 3 * NUMBERS, 3 * NUMBERS + 4000)
    assert played(device, lines)[2][1] > 0
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


def test_low_numbers() -> None:
    """Known counts: A014589 has 163,912 terms below a million."""
    assert settle_low(0, FIRST).losses == 163_912
    assert settle_low(200_000, 900_001) == expected(200_000, 900_001)
    assert settle_low(9, 35).losses == 4  # 9, 10, 25, 34


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
