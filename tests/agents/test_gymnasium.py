"""The Gymnasium environments pass Gymnasium's checker, against opponents of any strength."""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from numduel import Board, Move, errors, solve
from numduel.adaptors.gymnasium import DuelEnv
from numduel.games import keys

OPPONENTS = ["perfect", "level:3", "random"]


@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("key", keys())
def test_gymnasiums_own_checker(key: str, opponent: str) -> None:
    for more in ({}, {"misere": True, "first": "random"}, {"encoding": "digits", "start": 120}):
        made = gymnasium.make(f"numduel/{key}-v0", opponent=opponent, render_mode="ansi", **more)
        check_env(made.unwrapped)


def play_out(made: DuelEnv, choose: Any, seed: int | None = None) -> float:
    _, info = made.reset(seed=seed)
    over, reward = False, 0.0
    while not over:
        assert np.array_equal(info["action_mask"], made.action_masks())
        _, reward, over, _, info = made.step(choose(np.flatnonzero(info["action_mask"])))
    return reward


@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("key", keys())
def test_matches_end_in_one_or_minus_one(key: str, opponent: str) -> None:
    choose = Random(1).choice
    made = DuelEnv(key, opponent=opponent, first="random")
    rewards = {play_out(made, choose, seed) for seed in range(30)}
    assert rewards <= {1.0, -1.0}


def test_the_perfect_opponent_never_loses_a_won_board() -> None:
    choose = Random(2).choice
    made = DuelEnv("divisor-duel", start=60, opponent="perfect", first="opponent")
    assert {play_out(made, choose) for _ in range(50)} == {-1.0}


def test_playing_the_verdict_beats_everybody_from_a_won_start() -> None:
    for opponent in OPPONENTS:
        made = DuelEnv("subtract-a-prime", start=20, opponent=opponent, render_mode="ansi")
        made.reset(seed=1)
        over, reward = False, 0.0
        while not over:
            board = Board.parse(made.render() or "")
            action = next(iter(solve(board).winning_moves)).amount
            _, reward, over, _, _ = made.step(np.int64(action))
        assert reward == 1.0


def test_any_function_is_an_opponent() -> None:
    for answer in (lambda board: next(iter(board.moves())), lambda board: 15):
        made = DuelEnv("divisor-duel", opponent=answer, render_mode="ansi")
        made.reset()
        made.step(15)
        assert (made.render() or "").startswith("divisor-duel:")
    made = DuelEnv("divisor-duel", opponent=lambda board: Move(0, 7))
    made.reset()
    with pytest.raises(errors.IllegalMove):
        made.step(15)


def test_seeds_repeat_matches() -> None:
    def match(seed: int) -> list[str]:
        made = DuelEnv("digit-subtraction-duel", start=720, opponent="random", render_mode="ansi")
        made.reset(seed=seed)
        seen = []
        for _ in range(3):
            made.step(int(np.flatnonzero(made.action_masks())[0]))
            seen.append(made.render() or "")
        return seen

    assert match(4) == match(4)
    assert len({tuple(match(seed)) for seed in range(8)}) > 1


def test_the_agent_begins_where_the_opponent_would_win_at_once() -> None:
    made = DuelEnv("subtract-a-prime", start=7, opponent="perfect", first="opponent")
    _, info = made.reset(seed=1)
    assert np.flatnonzero(info["action_mask"]).tolist() == [2, 3, 5, 7]


def test_illegal_actions_by_policy() -> None:
    made = DuelEnv("divisor-duel", illegal="retry", retries=1)
    made.reset()
    _, reward, over, _, info = made.step(7)
    assert (reward, over, info["illegal"]) == (0.0, False, 1)
    _, reward, over, _, info = made.step(-1)
    assert (reward, over) == (-1.0, True)
    made = DuelEnv("divisor-duel", illegal="forfeit")
    made.reset()
    assert made.step(7)[1:3] == (-1.0, True)
    made = DuelEnv("divisor-duel", illegal="raise")
    made.reset()
    with pytest.raises(errors.IllegalMove):
        made.step(7)


def test_what_cannot_be() -> None:
    with pytest.raises(errors.UnknownPlayer):
        DuelEnv(opponent="person")
    with pytest.raises(errors.PlayerFailed):
        DuelEnv(opponent="engine:no-such-program-here").reset()[0]
    with pytest.raises(errors.UnknownPlayer):
        DuelEnv(opponent="level:17")
    for wrong in ({"first": "me"}, {"render_mode": "human"}, {"illegal": "no"}):
        with pytest.raises(errors.InvalidSetup):
            DuelEnv(**wrong)
