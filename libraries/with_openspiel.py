"""OpenSpiel: five of its algorithms find what our verdicts say, on every game."""

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, mcts, minimax, value_iteration
from open_spiel.python.algorithms.alpha_zero.evaluator import AlphaZeroEvaluator

import numduel.adaptors.open_spiel
from numduel import Board, Move, solve
from numduel.games import keys, load

STARTS = range(4, 13)


class Oracle:
    """A model for AlphaZero's evaluator that knows the verdicts, and reads only the tensor."""

    def __init__(self, key: str, places: int) -> None:
        self._key, self._places = key, places

    def inference(self, seen: Any, mask: Any) -> tuple[float, Any]:
        """The value for the first player, and any legal move alike."""
        to_move, digits = int(seen[1]), seen[2 : 2 + 10 * self._places].reshape(-1, 10)
        number = int("".join(str(row.argmax()) for row in digits))
        board = Board.of(load(self._key), number)
        wins = not board.is_over and solve(board).outcome == "win"
        value = 1.0 if wins == (to_move == 0) else -1.0
        return value, mask / max(1, mask.sum())


def main() -> str:
    """The value of each start, by each algorithm."""
    for key in keys():
        name = numduel.adaptors.open_spiel.short_name(key)
        for start in STARTS:
            board = Board.of(load(key), start)
            if board.is_over or not load(key).is_start(start):
                continue
            game = pyspiel.load_game(name, {"start": start})
            expected = 1.0 if solve(board).outcome == "win" else -1.0
            first = game.new_initial_state()
            assert minimax.alpha_beta_search(game)[0] == expected, board
            values = value_iteration.value_iteration(game, -1, 0.01, cyclic_game=True)
            assert values[str(first)] == expected, board
            learner = cfr.CFRSolver(game)
            for _ in range(50):
                learner.evaluate_and_update_policy()
            policy = learner.average_policy()
            (found, _) = expected_game_score.policy_value(first, [policy, policy])
            assert np.sign(found) == expected, (board, found)
            oracle = Oracle(key, len(str(start)))
            for evaluator in (mcts.RandomRolloutEvaluator(2), AlphaZeroEvaluator(game, oracle)):
                bot = mcts.MCTSBot(game, 2, 400, evaluator, solve=True)
                move = Move(0, bot.step(first.clone()))
                kept = solve(board.play(move)).outcome == "loss"
                assert kept == (expected == 1.0), (board, move)
    return "minimax, value iteration, CFR, MCTS and AlphaZero's evaluator agree with our verdicts"
