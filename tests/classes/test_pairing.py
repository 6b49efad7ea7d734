"""Who meets whom."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel.classes.pairing import Pair, Past, alone, paired
from rooms.opened import refused

NOTHING = Past()


def numbers_of(pairs: list[Pair]) -> list[int]:
    return sorted(number for pair in pairs for number in pair.pupils if number is not None)


@given(st.sets(st.integers(1, 99)), st.sampled_from(["random", "winners", "hand", "same"]),
       st.dictionaries(st.integers(1, 99), st.booleans()), st.integers())  # fmt: skip
def test_everybody_is_in_one_pair(
    numbers: set[int], pairing: str, won: dict[int, bool], seed: int
) -> None:
    pairs = paired(sorted(numbers), pairing, (), Past(won=won), Random(seed))
    assert numbers_of(pairs) == sorted(numbers)
    lone = [pair for pair in pairs if pair.pupils[1] is None]
    assert len(lone) == len(numbers) % 2, "only the odd one out meets the computer"


def test_chance_pairs_everybody_with_everybody() -> None:
    met = Counter(
        frozenset(pair.pupils)
        for seed in range(600)
        for pair in paired([1, 2, 3, 4], "random", (), NOTHING, Random(seed))
    )
    assert len(met) == 6
    assert min(met.values()) > 100, "each of 6 pairs 200 times, more or less"


def test_winners_meet_winners() -> None:
    won = {1: True, 2: False, 3: True, 4: False, 5: False, 6: True}
    for seed in range(20):
        pairs = paired(range(1, 9), "winners", (), Past(won=won), Random(seed))
        ranks = [sorted(str(won.get(number or 0)) for number in pair.pupils) for pair in pairs]
        assert ranks == [["True", "True"], ["None", "True"], ["False", "None"], ["False"] * 2]


def test_by_hand_and_who_is_left() -> None:
    for seed in range(20):
        pairs = paired(range(1, 9), "hand", [(5, 1), (7, None), (8, None)], NOTHING, Random(seed))
        assert pairs[:3] == [Pair((5, 1)), Pair((7, None)), Pair((8, None))]
        assert numbers_of(pairs[3:]) == [2, 3, 4, 6]
        assert all(None not in pair.pupils for pair in pairs[3:])


@pytest.mark.parametrize(
    ("pairs", "problem"), [([(1, 9)], "no such pupil"), ([(1, 1)], "paired twice"),
                           ([(1, 2), (3, 1)], "paired twice")]
)  # fmt: skip
def test_pairs_that_cannot_be(pairs: list[tuple[int, int]], problem: str) -> None:
    with refused(problem):
        paired([1, 2, 3], "hand", pairs, NOTHING, Random(1))


def test_the_same_again_begun_by_the_other() -> None:
    past = Past([Pair((1, 2), 0), Pair((3, 4), 1), Pair((5, None), 0), Pair((6, 7))])
    pairs = paired([1, 2, 3, 4, 5], "same", (), past, Random(1))
    assert pairs == [Pair((1, 2), 1), Pair((3, 4), 0), Pair((5, None), 1)]
    pairs = paired([1, 2, 4, 5], "same", (), past, Random(1))
    assert pairs[0] == Pair((1, 2), 1)
    assert numbers_of(pairs[1:]) == [4, 5], "who has lost a partner finds another"


def test_the_odd_one_out_is_so_in_turn() -> None:
    past = Past(alone={1: 1, 2: 1, 4: 2, 5: 1})
    for seed in range(20):
        assert paired(range(1, 6), "random", (), past, Random(seed))[-1].pupils == (3, None)


def test_all_meet_the_computer_and_begin_alike() -> None:
    assert alone([1, 2]) == [Pair((1, None), 0), Pair((2, None), 0)]
    assert [pair.first for again in range(3) for pair in alone([1], again)] == [0, 1, 0]
