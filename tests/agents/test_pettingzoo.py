"""The PettingZoo environments pass PettingZoo's own suites without a warning."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pettingzoo
import pytest

from numduel import errors
from numduel.adaptors.pettingzoo import env, raw_env
from numduel.games import keys

# The suites import PettingZoo's own environments in the way that it has deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:The old environment creation API")

CASES: list[tuple[str, dict[str, Any]]] = [
    *((key, {}) for key in keys()),
    ("divisor-duel", {"start": 36, "misere": True, "divisors": "even"}),
    ("subtract-a-prime", {"start": 20011}),
    ("power-play", {"start": 360, "encoding": "digits", "illegal": "forfeit"}),
]


@pytest.mark.parametrize(("key", "parameters"), CASES)
def test_pettingzoos_own_suites(
    key: str, parameters: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    from pettingzoo.test import api_test, render_test, seed_test

    api_test(env(key, **parameters), num_cycles=100)
    api_test(raw_env(key, **parameters), num_cycles=100)
    seed_test(lambda: env(key, **parameters), num_cycles=50)
    render_test(lambda **mode: env(key, **parameters, **mode))
    capsys.readouterr()


@pytest.mark.parametrize("key", keys())
def test_ids_are_registered(key: str) -> None:
    made = pettingzoo.make("aec", f"numduel/{key}-v0", misere=True)
    made.reset(seed=1)
    mask = made.last()[4]["action_mask"]
    assert mask.sum() == len(list(made.unwrapped._duel.first.legal))


def play(made: Any, *actions: int) -> None:
    for action in actions:
        made.step(action)


def test_a_match_move_for_move() -> None:
    made = env("divisor-duel", render_mode="ansi")
    made.reset()
    play(made, 15, 15, 15)
    assert made.render() == "divisor-duel:15, player_1 to move"
    assert np.flatnonzero(made.last()[4]["action_mask"]).tolist() == [3, 5]
    assert made.infos["player_0"]["action_mask"].sum() == 0
    play(made, 5, 5)
    assert made.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(made.terminations.values())
    play(made, None, None)
    assert made.agents == []


def test_misere_swaps_the_rewards() -> None:
    made = env("divisor-duel", start=4, misere=True)
    made.reset()
    made.step(2)
    assert made.rewards == {"player_0": -1.0, "player_1": 1.0}


def test_illegal_moves_are_asked_again_then_lose() -> None:
    made = env("divisor-duel", retries=2)
    made.reset()
    for count in (1, 2):
        made.step(7)
        assert made.agent_selection == "player_0"
        assert made.infos["player_0"]["illegal"] == count
        assert made.rewards == {"player_0": 0, "player_1": 0}
    made.step(15)
    play(made, 7, 7)
    assert made.infos["player_1"]["illegal"] == 2
    made.step(999)
    assert made.rewards == {"player_0": 1.0, "player_1": -1.0}


def test_illegal_moves_forfeit_or_raise() -> None:
    made = env("divisor-duel", illegal="forfeit")
    made.reset()
    made.step(7)
    assert made.rewards == {"player_0": -1.0, "player_1": 1.0}
    made = env("divisor-duel", illegal="raise")
    made.reset()
    with pytest.raises(errors.IllegalMove):
        made.step(7)


def test_large_moves_are_spelled() -> None:
    made = env("divisor-duel", start=10**12, render_mode="ansi")
    made.reset()
    play(made, *[0] * 11)
    assert made.agent_selection == "player_0"
    assert made.render().endswith("player_0 to move, 00000000000 so far")
    play(made, 2, 0)
    assert made.render() == f"divisor-duel:{10**12 - 20}, player_1 to move"


def test_it_is_pickled() -> None:
    made = pickle.loads(pickle.dumps(raw_env("divisor-duel", start=12, divisors="odd")))
    made.reset()
    assert np.flatnonzero(made.infos["player_0"]["action_mask"]).tolist() == [3]
    with pytest.raises(errors.InvalidSetup):
        raw_env("divisor-duel", render_mode="hologram")
