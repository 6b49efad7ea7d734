"""What the theory says was checked, checked again: here to 10^7 (outcomes 10^8)."""

from __future__ import annotations

import numpy as np
import pytest

from numduel import ranges
from numduel.ranges.kernel import U8
from range_kernels import reference, witnesses
from soaking import SOAK

FAR = 10**7
EXCEPTIONS = {
    0: [0, 10, 34, 100, 310],
    1: [2, 12, 36, 102, 312],
    2: [4, 14, 38, 104, 314, 1574],
    3: [6, 16, 40, 106, 316, 1576, 1996, 5566],
    7: [24],
    8: [],
    10: [],
}


@pytest.fixture(scope="module")
def values() -> U8:
    return ranges.grundy("subtract-a-prime", 0, FAR)


@pytest.mark.soak("rest", short=True)
def test_every_value_is_the_mex_by_witnesses(values: U8) -> None:
    """The kernel uses the local rule; this does not: it shows each value from the definition."""
    assert witnesses.unproved(values if SOAK else values[: FAR // 10], 7680) == {}


def test_a_wrong_value_is_noticed(values: U8) -> None:
    spoilt = values[:50_000].copy()
    spoilt[40_001] ^= 1
    assert witnesses.unproved(spoilt, 7680)


def test_value_never_above_11(values: U8) -> None:
    assert values.max() == 11


@pytest.mark.parametrize("value", EXCEPTIONS)
def test_even_exceptions(values: U8, value: int) -> None:
    assert (2 * np.flatnonzero(values[::2] == value)).tolist() == EXCEPTIONS[value]


@pytest.mark.parametrize(("value", "only"), [(4, [17]), (5, [19]), (6, [21]), (11, [])])
def test_odd_exceptions(values: U8, value: int, only: list[int]) -> None:
    assert (2 * np.flatnonzero(values[1::2] == value) + 1).tolist() == only


def test_every_even_number_is_shown_won() -> None:
    losses, evens = ranges.count_losses(0, 10**8)
    assert evens == []
    assert losses == 18_222_704, "as counted by reference.odd_losses(10**8)"


def test_odd_losses_by_a_plain_sieve_and_walk() -> None:
    bits = np.unpackbits(ranges.outcomes("subtract-a-prime", 0, FAR), bitorder="little")
    assert np.array_equal(bits[1::2], reference.odd_losses(FAR))


def test_misere_losses_are_the_numbers_of_value_1(values: U8) -> None:
    assert np.array_equal(values[2:] == 1, values[:-2] == 0)


def test_two_twins_always_win_for_a_third_of_the_evens() -> None:
    """n = 0, 6, 12, 24, 28 mod 30: one of two primes leaves a lost number (see losses.py)."""
    bits = np.unpackbits(ranges.outcomes("subtract-a-prime", 0, 10**6), bitorder="little")
    for residue, (p, q) in {0: (5, 7), 6: (11, 13), 12: (17, 19), 24: (29, 31), 28: (3, 5)}.items():
        n = np.arange(residue + 600, 10**6, 30)
        assert (bits[n - p] | bits[n - q]).all()


def test_local_rule_against_plain_mex_from_6000() -> None:
    limit = reference.GAMES["subtract-a-prime"][1]
    assert reference.local_values(9000, 12_000) == reference.subtract_a_prime(limit)[9000:12_000]
