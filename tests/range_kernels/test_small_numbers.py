"""Every game against its own rules, from its first position on."""

from __future__ import annotations

import numpy as np
import pytest

from numduel import ranges
from range_kernels import reference


def first_difference(got: list[int], want: list[int], start: int) -> str:
    for i, (g, w) in enumerate(zip(got, want, strict=True)):
        if g != w:
            return f"at {start + i}: kernel {g}, rules {w}"
    return ""


@pytest.mark.parametrize("game", ranges.GAMES)
def test_values_follow_from_the_rules(game: str) -> None:
    rules, limit = reference.GAMES[game]
    first = 1 if game in ("divisor-duel", "power-play") else 0
    got = ranges.grundy(game, first, limit).tolist()
    assert not first_difference(got, rules(limit)[first:], first), game


@pytest.mark.parametrize("game", ranges.GAMES)
def test_outcomes_are_the_zeros_of_the_values(game: str) -> None:
    values = ranges.grundy(game, 1, 100_001)
    bits = np.unpackbits(ranges.outcomes(game, 1, 100_001), bitorder="little")
    assert np.array_equal(bits, values == 0)


SEQUENCES = {
    "subtract-a-prime": "0 0 1 1 2 2 3 3 4 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 0 4 1 5 2",
    "divisor-duel": "0 0 0 1 0 2 0 0 0 1 0 3 0 1 0 2 0 1 0 3 0 1 0 4 0 1 0 2 0 1",
    "digit-subtraction-duel": "0 1 1 1 1 1 1 1 1 1 0 1 2 1 2 1 2 1 2 1 0 2 1 1 2 2 1 1 2 2",
}


@pytest.mark.parametrize("game", SEQUENCES)
def test_first_values_as_published(game: str) -> None:
    want = [int(v) for v in SEQUENCES[game].split()]
    first = 1 if game == "divisor-duel" else 0
    assert ranges.grundy(game, first, first + len(want)).tolist() == want


def lost(game: str, a: int, b: int) -> list[int]:
    bits = np.unpackbits(ranges.outcomes(game, a, b), bitorder="little")
    return [a + int(i) for i in np.flatnonzero(bits)]


def test_losses_of_subtract_a_prime_are_a025043() -> None:
    losses = lost("subtract-a-prime", 0, 70_000)
    assert losses[:17] == [0, 1, 9, 10, 25, 34, 35, 49, 55, 85, 91, 100, 115, 121, 125, 133, 145]
    assert losses[17:30] == [155, 169, 175, 187, 195, 205, 217, 235, 247, 253, 259, 265, 289]
    assert losses[10_000 - 1] == 67673


def test_first_number_of_each_value_is_a355557() -> None:
    values = ranges.grundy("subtract-a-prime", 0, 1000)
    firsts = [int(np.argmax(values == v)) for v in range(12)]
    assert firsts == [0, 2, 4, 6, 8, 19, 21, 23, 43, 48, 67, 156]


def test_lost_starts_of_prime_subtractor() -> None:
    want = [1, 2, 5, 7, 9, 10, 19, 25, 31, 34, 35, 43, 49]
    assert lost("prime-subtractor", 1, 50) == want


def test_digit_values_first_occur_at_12_to_v() -> None:
    values = ranges.grundy("digit-subtraction-duel", 0, 1_300_000)
    for v in range(1, 7):
        assert int(np.argmax(values == v)) == int("123456"[:v])
