"""Every game against its own rules, from its first position on and far out, and old claims."""

import random

import flint
import numpy as np
import pytest

from later import Later
from numduel.games import keys
from range_kernels import reference

ranges, lines = Later("numduel.ranges"), Later("numduel.ranges.lines")
wheel = Later("numduel.ranges.wheel")

PLACES = [10**9, 10**12, 10**15, 10**18 - 3000]
SHIFT = random.Random(20261115).randrange(10**6)


@pytest.mark.parametrize("game", keys())
def test_values_and_outcomes_follow_from_the_rules(game: str) -> None:
    rules, limit = reference.GAMES[game]
    first = 1 if game in ("divisor-duel", "power-play") else 0
    got = ranges.grundy(game, first, limit).tolist()
    pairs = zip(got, rules(limit)[first:], strict=True)
    assert not [(first + i, g, want) for i, (g, want) in enumerate(pairs) if g != want][:1]
    bits = np.unpackbits(ranges.outcomes(game, first, limit), bitorder="little")
    assert np.array_equal(bits[: len(got)], np.array(got) == 0)


@pytest.mark.parametrize("place", PLACES)
def test_outcomes_follow_the_walk(place: int) -> None:
    a = place - SHIFT
    bits = np.unpackbits(ranges.outcomes("subtract-a-prime", a, a + 1001), bitorder="little")
    assert not [a + i for i in range(1001) if bool(bits[i]) != reference.is_lost(a + i)]


@pytest.mark.parametrize("place", PLACES[:3])
def test_values_follow_the_local_rule(place: int) -> None:
    a = place + SHIFT
    found = ranges.grundy("subtract-a-prime", a, a + 2501).tolist()
    assert found == reference.local_values(a, a + 2501)


@pytest.mark.parametrize("place", PLACES[:3])
def test_openings_differ_at_primes_only_and_as_they_should(place: int) -> None:
    a, b = place - 1, place + 1000
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
    values = ranges.grundy("power-play", place, place + 1000)
    for i in range(0, 1000, 13):
        factors = flint.fmpz(place + i).factor()
        assert values[i] == sum(e for _, e in factors) % 2, place + i


def test_digit_and_divisor_duel_far_out() -> None:
    place = PLACES[-1]
    far = ranges.grundy("digit-subtraction-duel", place - 2000, place + 2000)
    near = ranges.grundy("digit-subtraction-duel", place - 1, place + 2000)
    assert np.array_equal(far[1999:], near)
    for i in [*range(9, 500), *range(1800, 2200)]:
        digits = set(str(place - 2000 + i)) - {"0"}
        assert far[i] == reference.mex({int(far[i - int(d)]) for d in digits})
    assert ranges.grundy("divisor-duel", 2**50, 2**50 + 2).tolist() == [49, 0]


@pytest.mark.parametrize("place", [0, 10**12])
def test_the_sieve_finds_the_primes(place: int) -> None:
    k = place // 30 // 64 * 64
    sieve = lines.LineSieve(k, k + 256, 256)
    sieve.fill(128)
    sieve.fill(64)
    assert sieve.start == k + 128
    for line, r in enumerate(wheel.PRIME_RESIDUES):
        bits = np.unpackbits(sieve.words[line].view(np.uint8), bitorder="little")
        for i in range(64):
            n = 30 * (sieve.start + i) + r
            assert bool(bits[64 * wheel.HALO + i]) == reference.is_prime(n), n


def test_large_sieving_primes_are_complete() -> None:
    pieces = [piece.copy() for piece in lines.primes_between(1 << 20, 5_000_000)]
    want = lines.small_primes(5_000_000)
    assert np.array_equal(np.sort(np.concatenate(pieces)), want[want > 1 << 20])


def test_exceptions_are_those_listed_and_no_value_is_above_11() -> None:
    values = ranges.grundy("subtract-a-prime", 0, 10**7)
    assert values.max() == 11
    for odd, foreign in ((0, (0, 1, 2, 3, 7, 8, 10)), (1, (4, 5, 6, 11))):
        for value in foreign:
            found = 2 * np.flatnonzero(values[odd::2] == value) + odd
            assert tuple(found.tolist()) == reference.BROUGHT.get(value, ())
    assert np.array_equal(values[2:] == 1, values[:-2] == 0), "lost in misère play"


def test_every_even_number_is_shown_won() -> None:
    losses, evens = ranges.count_losses(0, 10**8)
    assert evens == []
    assert losses == 18_222_704, "as counted by reference.lost_numbers(0, 10**8)"


def test_odd_losses_by_a_plain_sieve_and_walk() -> None:
    bits = np.unpackbits(ranges.outcomes("subtract-a-prime", 0, 10**7), bitorder="little")
    assert np.array_equal(2 * np.flatnonzero(bits[1::2]) + 1, reference.lost_numbers(0, 10**7))
    # n = 0, 6, 12, 24, 28 mod 30: one of two primes leaves a lost number (see losses.py).
    for residue, (p, q) in {0: (5, 7), 6: (11, 13), 12: (17, 19), 24: (29, 31), 28: (3, 5)}.items():
        n = np.arange(residue + 600, 10**6, 30)
        assert (bits[n - p] | bits[n - q]).all()
