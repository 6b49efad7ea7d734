"""What learning libraries do with an environment at first contact, without the libraries."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env

from agents.bots import bot
from numduel import errors
from numduel.adaptors.arrays import legal_mask, observe
from numduel.adaptors.duel import Duel, Position
from numduel.adaptors.gymnasium import DuelEnv
from numduel.adaptors.pettingzoo import env, raw_env
from numduel.games import keys, load

KINDS = [DuelEnv, raw_env]


@pytest.mark.parametrize("key", keys())
def test_every_form_passes_gymnasiums_checker(key: str) -> None:
    for observation in ("array", "dict"):
        made = gymnasium.make(
            f"numduel/{key}-v0",
            render_mode="rgb_array",
            observation=observation,
            start=(20, 200),
            first="random",
        )
        check_env(made.unwrapped)
        made.close()


@pytest.mark.filterwarnings("ignore:The old environment creation API")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent")
@pytest.mark.parametrize("key", keys())
def test_dict_observations_pass_pettingzoos_suite(
    key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """But for its warnings that this is no array: why a dict is not the default."""
    from pettingzoo.test import api_test

    api_test(env(key, observation="dict", start=(20, 200)), num_cycles=50)
    capsys.readouterr()


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_parameter_is_refused_as_python_does(kind: Any) -> None:
    """Stable-Baselines3 and TorchRL try parameters, and look for this."""
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'frameskip'"):
        kind("divisor-duel", frameskip=4)
    with pytest.raises(TypeError, match=r"has the variants: divisors$"):
        kind("divisor-duel", divsors="even")
    with pytest.raises(TypeError, match="unexpected keyword argument 'divisors'"):
        kind(board="divisor-duel:60", divisors="even")
    with pytest.raises(errors.UnknownVariant):
        kind("divisor-duel", divisors="green")


@pytest.mark.parametrize("kind", KINDS)
def test_starts_are_drawn_from_all_that_can_start(kind: Any) -> None:
    made = pickle.loads(pickle.dumps(kind("divisor-duel", start=(20, 30), render_mode="ansi")))

    def number(**how: Any) -> int:
        made.reset(**how)
        return int(made.render().split(":")[1].split(",")[0])

    drawn = [number(seed=seed) for seed in range(200)]
    assert set(drawn) == {n for n in range(20, 31) if not load("divisor-duel").is_over(n)}
    assert drawn == [number(seed=seed) for seed in range(200)]
    assert number(options={"start": 12}) == 12
    assert number(options={"start": 30, "other": 1}) == 30
    for wrong in (31, 60):
        with pytest.raises((errors.InvalidSetup, errors.InvalidStart)):
            number(options={"start": wrong})
    with pytest.raises(errors.InvalidStart):
        number(options={"start": 23})


def test_what_is_no_range_of_starts() -> None:
    for wrong in ((30, 20), (1, 2, 3), "20", (0, 5), 2.5):
        with pytest.raises(errors.InvalidSetup):
            DuelEnv("subtract-a-prime", start=wrong)
    with pytest.raises(errors.InvalidStart):
        DuelEnv("divisor-duel", start=(2, 3))
    assert DuelEnv("divisor-duel", start=(20, 23)).action_space.n == 23  # 23 is prime
    with pytest.raises(errors.InvalidSetup):
        DuelEnv(observation="picture")


@pytest.mark.parametrize("encoding", ["number", "digits"])
@pytest.mark.parametrize("key", keys())
def test_positions_with_different_moves_are_observed_differently(key: str, encoding: str) -> None:
    for variants in ({}, *({n: v} for n, vs in load(key).variants.items() for v in vs)):
        duel = Duel(key, (2, 60), encoding=encoding, **variants)
        seen: dict[bytes, bytes] = {}
        walked: set[object] = set()
        for first in {duel.start, *range(2, 61)}:
            if not duel.game.is_start(first) or duel.game.is_over(first):
                continue
            places = [duel.position(duel.game, first)]
            while places:
                position = places.pop()
                where = (position.game, position.number, position.spelled)
                if where in walked:
                    continue
                walked.add(where)
                sight = observe(duel, position).tobytes()
                legal = legal_mask(duel, position).tobytes()
                assert seen.setdefault(sight, legal) == legal, (key, variants, position.board)
                places += _some_after(position)


def _some_after(position: Position) -> list[Position]:
    """The positions after the first and the last legal action."""
    legal = position.legal
    return [position.after(action) for action in {legal[0], legal[-1]}] if legal else []


def test_the_mask_stands_beside_the_observation() -> None:
    made = DuelEnv("divisor-duel", start=12, observation="dict")
    seen, info = made.reset(seed=1)
    assert np.flatnonzero(seen["action_mask"]).tolist() == [2, 3, 4, 6]
    assert np.array_equal(seen["action_mask"], info["action_mask"])
    assert seen["observation"].dtype == np.float32
    two = pettingzoo.make("aec", "numduel/divisor-duel-v0", start=12, observation="dict")
    two.reset()
    assert np.flatnonzero(two.last()[0]["action_mask"]).tolist() == [2, 3, 4, 6]
    assert two.observe("player_1")["action_mask"].sum() == 0


def test_a_step_after_the_end_is_a_warning() -> None:
    made = DuelEnv("subtract-a-prime", start=7)
    made.reset(seed=1)
    assert made.step(7)[1:3] == (1.0, True)
    with pytest.warns(UserWarning, match="The match is over"):
        _, reward, over, cut, info = made.step(7)
    assert (reward, over, cut, info["action_mask"].sum()) == (0.0, True, False, 0)
    made.reset()
    assert made.step(7)[1:3] == (1.0, True)


def test_the_picture_shows_the_number() -> None:
    made = DuelEnv("divisor-duel", start=111, opponent=lambda _: 2, render_mode="rgb_array")
    made.reset(seed=1)
    first = made.render()
    assert (first.dtype, first.shape[2]) == (np.uint8, 3)
    third = first.shape[1] // 3
    assert len({tuple(colour) for colour in first.reshape(-1, 3)}) == 2
    # Three times the same digit: the picture repeats, six dots of eight pixels further.
    assert np.array_equal(first[:, 16:64], first[:, 64:112])
    made.step(37)  # 74, and 72 after the reply
    assert made.render().shape == first.shape
    blank = made.render()[:, :third]
    assert len({tuple(colour) for colour in blank.reshape(-1, 3)}) == 1
    long = DuelEnv("digit-subtraction-duel", start=10**200, render_mode="rgb_array")
    long.reset()
    assert long.render().shape[1] < 2_000


def test_a_program_is_an_opponent(tmp_path: Path) -> None:
    made = DuelEnv("divisor-duel", start=60, opponent=bot(tmp_path, "good"), render_mode="ansi")
    made.reset(seed=1)
    made.step(15)
    assert made.render() == f"divisor-duel:{45 - 3}"  # it plays the smallest move
    made.close()


def test_a_program_that_plays_nonsense_forfeits(tmp_path: Path) -> None:
    word = bot(tmp_path, "illegal")
    made = DuelEnv("divisor-duel", start=60, opponent=word)
    made.reset(seed=1)
    assert made.step(15)[1:3] == (1.0, True)
    made.close()
    made = DuelEnv("divisor-duel", start=60, opponent=word, first="opponent")
    _, info = made.reset(seed=1)
    assert info["action_mask"].any()
    made.close()
