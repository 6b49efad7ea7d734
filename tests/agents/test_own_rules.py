"""Environments take any board of one number, own rules with it, by one id."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from numduel import Board, solve
from numduel.adaptors import pettingzoo
from numduel.errors import InvalidRule, InvalidSetup

BOARDS = ["subtract-1-3-4:21", "halve-or-subtract-1:20~misere", "divisor-duel:60,divisors=even"]


@pytest.mark.parametrize("board", BOARDS)
def test_legal_actions_are_the_boards_moves_in_both(board: str) -> None:
    moves = [move.amount for move in Board.parse(board).moves()]
    single = gymnasium.make("numduel/board-v0", board=board)
    _, info = single.reset(seed=1)
    assert np.flatnonzero(info["action_mask"]).tolist() == moves
    check_env(single.unwrapped, skip_render_check=True)
    pair = pettingzoo.env(board=board)
    pair.reset(seed=1)
    assert np.flatnonzero(pair.infos["player_0"]["action_mask"]).tolist() == moves


def test_a_won_rule_is_won_against_perfect_by_winning_moves() -> None:
    match = gymnasium.make("numduel/board-v0", board="subtract-1-3-4:22", opponent="perfect")
    match.reset(seed=1)
    over, reward = False, 0.0
    while not over:
        board = match.unwrapped._position.board  # type: ignore[attr-defined]
        _, reward, over, _, _ = match.step(next(iter(solve(board).winning_moves)).amount)
    assert reward == 1.0


def test_what_is_no_board_of_one_number_is_refused() -> None:
    with pytest.raises(InvalidSetup):
        gymnasium.make("numduel/board-v0", board="subtract-1-3:9+halve:8")
    with pytest.raises(InvalidRule):
        gymnasium.make("numduel/board-v0", board="subtract-x:9")


def test_open_spiel_takes_own_rules_too() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import numduel.adaptors.open_spiel  # noqa: F401

    game = pyspiel.load_game("python_board(board=subtract-1-3-4:9)")
    assert game.new_initial_state().legal_actions() == [1, 3, 4]
