"""Intervals and comparisons: how often they hold the truth, enumerated or simulated."""

from math import comb, sqrt
from random import Random

import pytest

from numduel.arena.exam import Setting
from numduel.arena.intervals import Count, Z, difference, holm, interval, rate_of, sign_test

RATES = [0.02, 0.05, *(tenth / 10 for tenth in range(1, 10)), 0.95, 0.98]
COUNTING = {70: 60, 210: 180, 1000: 857}
"""Questions of an exam that count, without legality; on a third of them no move wins."""


def stratified(rights: tuple[int, int], sizes: tuple[int, int]) -> tuple[float, float]:
    """Wilson's interval for as many answers as leave the variance within two strata."""
    size = sum(sizes)
    rate = sum(rights) / size
    within = sum(r * (n - r) / (n - 1) for r, n in zip(rights, sizes, strict=True))
    spread = rate * (1 - rate)
    worth = spread * size**2 / max(within, 0.25) if spread else size
    middle = (rate + Z**2 / (2 * worth)) / (1 + Z**2 / worth)
    half = Z * sqrt(spread / worth + Z**2 / (4 * worth**2)) / (1 + Z**2 / worth)
    return max(0, middle - half), min(1, middle + half)


def test_the_interval_is_wilsons_within_strata() -> None:
    random = Random(3)
    for _ in range(200):
        sizes = (random.randint(2, 40), random.randint(2, 80))
        rights = (random.randint(0, sizes[0]), random.randint(0, sizes[1]))
        counts = [
            Count((stratum, at), at < right, 1.0, stratum)
            for stratum, (right, size) in enumerate(zip(rights, sizes, strict=True))
            for at in range(size)
        ]
        random.shuffle(counts)
        assert interval(counts) == pytest.approx(stratified(rights, sizes)), (rights, sizes)
        assert interval(counts * 5) == pytest.approx(interval(counts)), "repeating adds nothing"


@pytest.mark.parametrize("questions", COUNTING)
def test_enumerated_it_holds_the_rate_19_times_in_20(questions: int) -> None:
    sizes = (COUNTING[questions] // 3, COUNTING[questions] - COUNTING[questions] // 3)
    for rate in RATES:
        apart = 0.6 * min(rate, 1 - rate)
        for rates in ((rate, rate), (rate + apart, rate - apart / 2)):
            truth = sum(n * p for n, p in zip(sizes, rates, strict=True)) / sum(sizes)
            one, other = (
                {k: c for k in range(n + 1) if (c := comb(n, k) * p**k * (1 - p) ** (n - k)) > 1e-7}
                for n, p in zip(sizes, rates, strict=True)
            )
            covered = 0.0
            for right, chance in one.items():
                for also, likely in other.items():
                    low, high = stratified((right, also), sizes)
                    covered += chance * likely * (low <= truth <= high)
            assert 93 <= round(100 * covered) <= 97, (questions, rates, covered)


def test_no_difference_is_more_than_all() -> None:
    for sign in (1.0, -1.0):
        found = difference([("one", sign)] * 3)
        assert found is not None
        assert sign in found.interval


@pytest.mark.parametrize("questions", [70, 210, pytest.param(1000, marks=pytest.mark.soak)])
def test_simulated_pairs_of_noisy_players_differ_as_much_19_times_in_20(questions: int) -> None:
    """Each has known rates, others in every stratum, and they err partly on the same questions."""
    random, pairs, held = Random(questions), 2000, 0
    third = questions // 21
    sizes = [third, questions // 7 - third] * 6
    for _ in range(pairs):
        ease, shared, truth, drawn = random.uniform(0.1, 0.9), random.random(), 0.0, []
        for stratum, size in enumerate(sizes):
            one, other = (min(0.98, max(0.02, ease + random.uniform(-0.3, 0.3))) for _ in range(2))
            truth += size * (one - other) / sum(sizes)
            for _ in range(size):
                first = random.random()
                second = first if random.random() < shared else random.random()
                drawn.append((stratum, float(first < one) - (second < other)))
        found = difference(drawn)
        assert found
        held += found.interval[0] <= truth <= found.interval[1]
    assert 0.93 <= held / pairs <= 0.97, held


def test_as_many_questions_as_are_needed_show_five_points_four_times_in_five() -> None:
    random, seen, tried = Random(8), 0, 80
    first = difference([(0, float((random.random() < 0.6) - (random.random() < 0.55)))
                        for _ in range(4000)])  # fmt: skip
    assert first
    assert 1200 < first.needed < 1800, "2.8 standard errors are 5 points"
    for _ in range(tried):
        drawn = [(0, float((random.random() < 0.6) - (random.random() < 0.55)))
                 for _ in range(first.needed)]  # fmt: skip
        found = difference(drawn)
        seen += bool(found and found.interval[0] > 0)
    assert 0.68 <= seen / tried <= 0.92


def test_exact_tests_by_hand() -> None:
    assert sign_test(0, 0) == sign_test(3, 3) == 1
    assert sign_test(5, 0) == sign_test(0, 5) == pytest.approx(2 / 32)
    assert sign_test(8, 1) == pytest.approx(2 * 10 / 512)
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx(
        {"a": 0.03, "b": 0.06, "c": 0.06}
    )
    assert holm({"a": 0.6, "b": 0.9}) == {"a": 1, "b": 1}
    same = difference([("stratum", 0.0)] * 10)
    assert same, "who never differed yet may differ: one question is added to each side"
    assert same.interval == pytest.approx((-Z * sqrt(2) / 12, Z * sqrt(2) / 12))
    assert difference([]) is None


def test_clusters_count_once_and_weigh_by_their_size() -> None:
    """Nine answers of ten are on one board: the figure is the pooled one, and as unsure."""
    counts = [Count("large", 0, 90), *(Count(at, 1) for at in range(10))]
    found, rate = interval(counts), rate_of(counts)
    assert found
    assert rate
    assert (rate.value, rate.clusters) == (0.1, 11)
    assert found[0] < 0.1 < found[1]
    assert found[1] - found[0] > 0.4
    assert interval([Count("a", 1), Count("a", 0)]) == (0.0, 1.0), "one cluster leaves all open"
    assert interval([]) is interval([Count("a", 0, 0)]) is None
    low, high = interval([Count(at, 1) for at in range(100)]) or (0, 0)
    assert (low, high) == (pytest.approx(100 / (100 + Z**2)), 1)
    many = interval([Count(at, 3.0 + at % 2) for at in range(100)], share=False)
    assert many == pytest.approx((3.5 - Z * 0.05025, 3.5 + Z * 0.05025), abs=1e-4)


def test_strata_are_those_of_the_draw() -> None:
    """Always none is right on exactly a third: nothing of that is chance."""
    positions = Setting("s", 63).positions()
    counts = [Count(at, not p.winning, 1.0, (p.skill, not p.winning))
              for at, p in enumerate(positions)]  # fmt: skip
    low, high = interval(counts) or (0, 0)
    assert low < 1 / 3 < high < low + 0.05
