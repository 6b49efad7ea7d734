"""Intervals for figures, against what is known in closed form."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest

from numduel.arena.intervals import Count, interval


def _normal(part: int, whole: int) -> tuple[float, float]:
    """The interval of a rate by the normal distribution, which many single counts come close to."""
    rate = part / whole
    spread = 1.959964 * sqrt(rate * (1 - rate) / whole)
    return rate - spread, rate + spread


def test_of_single_counts_it_is_the_binomial_one() -> None:
    for part, whole in ((300, 400), (50, 100)):
        found = interval(Count(at, at < part) for at in range(whole))
        assert found == pytest.approx(_normal(part, whole), abs=0.015)


def test_repeating_every_match_makes_it_no_narrower() -> None:
    once = [Count(at, at % 3 == 0) for at in range(90)]
    assert interval(once * 50) == interval(once)


def test_clusters_that_are_of_one_piece_count_once() -> None:
    """Ten equal answers on each of 40 boards tell as much as one on each."""
    found = interval(Count(board, board < 20) for board in range(40) for _ in range(10))
    assert found == pytest.approx(_normal(20, 40), abs=0.03)


def test_clusters_weigh_by_their_size() -> None:
    """Nine answers of ten are on one board: the figure is the pooled one, and as unsure."""
    counts = [Count("large", 0, 90), *(Count(at, 1) for at in range(10))]
    found = interval(counts)
    assert found is not None
    assert found[0] <= 0.1 <= found[1]
    assert found[1] - found[0] > 0.5


def test_where_all_are_right_it_is_the_exact_one() -> None:
    """With a lower chance than the bound's, all would be right less than once in 40 times."""
    for clusters in (1, 10, 100):
        low, high = interval([Count(at, 1) for at in range(clusters)]) or (0, 0)
        assert high == 1
        assert low**clusters == pytest.approx(0.025)
        assert interval([Count(at, 0) for at in range(clusters)]) == pytest.approx((0, 1 - low))


def test_nothing_counted_gives_none_and_one_cluster_leaves_all_open() -> None:
    assert interval([]) is None
    assert interval([Count("a", 0, 0)]) is None
    assert interval([Count("a", 1), Count("a", 0)]) == (0.0, 1.0)


def test_it_is_the_same_in_any_order_and_another_with_another_seed() -> None:
    counts = [Count(at % 37, at % 5 == 0) for at in range(200)]
    shuffled = Random(1).sample(counts, len(counts))
    assert interval(shuffled) == interval(counts)
    assert interval(counts, seed=1) != interval(counts)


@pytest.mark.soak
def test_it_covers_the_true_rate_about_19_times_in_20() -> None:
    """60 boards with 3 answers each: easy boards and hard ones, whose rate is 0.5 in all."""
    random, covered = Random(5), 0
    for _ in range(60):
        counts = []
        for board in range(60):
            ease = random.random()
            counts += [Count(board, random.random() < ease) for _ in range(3)]
        low, high = interval(counts) or (0, 0)
        covered += low <= 0.5 <= high
    assert 53 <= covered <= 59
