"""Windows far out against the plain walk and python-flint's primality."""

from __future__ import annotations

import random

import flint
import numpy as np
import pytest

from numduel import ranges
from numduel.ranges.lines import LineSieve, primes_between, small_primes
from numduel.ranges.wheel import HALO, PRIME_RESIDUES
from range_kernels import reference

PLACES = [10**9, 10**12, 10**15, 10**18 - 3000]
SHIFT = random.Random(20261115).randrange(10**6)


@pytest.mark.parametrize("place", PLACES)
def test_outcomes_follow_the_walk(place: int) -> None:
    a = place - SHIFT
    bits = np.unpackbits(ranges.outcomes("subtract-a-prime", a, a + 2001), bitorder="little")
    wrong = [a + i for i in range(2001) if bool(bits[i]) != reference.is_lost(a + i)]
    assert not wrong


@pytest.mark.parametrize("place", PLACES[:3])
def test_values_follow_the_local_rule(place: int) -> None:
    a = place + SHIFT
    assert ranges.grundy("subtract-a-prime", a, a + 2501).tolist() == reference.local_values(
        a, a + 2501
    )


@pytest.mark.parametrize("place", PLACES[:3])
def test_openings_differ_at_primes_only_and_as_they_should(place: int) -> None:
    a, b = place - 1, place + 4000
    values = ranges.grundy("subtract-a-prime", a - 2, b)
    openings = ranges.grundy("prime-subtractor", a, b)
    for n in range(a, b):
        g = int(values[n - a + 2])
        others = any(reference.is_prime(n - e) for e in reference.EVEN_LOSSES[1:])
        if reference.is_prime(n) and not others and values[n - a] != 0:
            g = 0
        assert openings[n - a] == g, n


@pytest.mark.parametrize("place", PLACES)
def test_power_play_is_the_parity_of_the_factors(place: int) -> None:
    values = ranges.grundy("power-play", place, place + 3000)
    for i in range(0, 3000, 13):
        factors = flint.fmpz(place + i).factor()
        assert values[i] == sum(e for _, e in factors) % 2, place + i


@pytest.mark.parametrize("place", [PLACES[0], PLACES[-1]])
def test_digit_duel_has_one_start_whatever_lies_below(place: int) -> None:
    far = ranges.grundy("digit-subtraction-duel", place - 2000, place + 2000)
    near = ranges.grundy("digit-subtraction-duel", place - 1, place + 2000)
    assert np.array_equal(far[1999:], near)
    for i in [*range(9, 500), *range(1800, 2200)]:
        digits = set(str(place - 2000 + i)) - {"0"}
        assert far[i] == reference.mex({int(far[i - int(d)]) for d in digits})


def test_divisor_duel_at_its_exceptions() -> None:
    plain = reference.divisor_duel(20_000)
    for k in range(1, 20):
        for m in range(1, 18, 2):
            n = m << k
            if n < 20_000:
                assert ranges.grundy("divisor-duel", n, n + 1)[0] == plain[n], n
    assert ranges.grundy("divisor-duel", 2**50, 2**50 + 2).tolist() == [49, 0]


@pytest.mark.parametrize("place", [0, *PLACES])
def test_the_sieve_finds_the_primes(place: int) -> None:
    k = place // 30 // 64 * 64
    sieve = LineSieve(k, k + 256, 256)
    sieve.fill(128)
    sieve.fill(64)
    assert sieve.start == k + 128
    for line, r in enumerate(PRIME_RESIDUES):
        bits = np.unpackbits(sieve.words[line].view(np.uint8), bitorder="little")
        for i in range(64):
            n = 30 * (sieve.start + i) + r
            assert bool(bits[64 * HALO + i]) == reference.is_prime(n), n


def test_the_sieve_counts_right() -> None:
    sieve = LineSieve(0, 3_333_376, 1 << 18)
    total = 3
    while sieve.next < 3_333_376:
        sieve.fill(min(1 << 18, 3_333_376 - sieve.next))
        total += int(np.bitwise_count(sieve.words[:, HALO : HALO + sieve.filled // 64]).sum())
    extra = sum(reference.is_prime(n) for n in range(10**8, 30 * 3_333_376))
    assert total - extra == 5_761_455


def test_large_sieving_primes_are_complete() -> None:
    pieces = [piece.copy() for piece in primes_between(1 << 20, 5_000_000)]
    want = small_primes(5_000_000)
    assert np.array_equal(np.sort(np.concatenate(pieces)), want[want > 1 << 20])
