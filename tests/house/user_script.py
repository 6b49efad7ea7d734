# ruff: noqa: T201  a script prints
"""A script as a user would write it: `make check` reads it with `mypy --strict`, a test runs it."""

from random import Random

import gymnasium
import numpy as np

import numduel.adaptors.gymnasium
from numduel import Board, Move, NumduelError, load, regret, solve
from numduel.adaptors.vector import VectorDuel
from numduel.arena.regret import Regret
from numduel.players import make_computer


def careful(board: Board) -> Move:
    """A win if there is one, or the smallest move."""
    return next(iter(solve(board).winning_moves), None) or next(board.moves())


def played(board: Board, seed: int) -> list[Move]:
    moves: list[Move] = []
    opponent = make_computer("level:2", Random(seed))
    while not board.is_over:
        move = careful(board) if len(moves) % 2 == 0 else opponent.choose(board)
        moves.append(move)
        board = board.play(move)
    return moves


def main() -> Regret:
    try:
        load("chess")
    except NumduelError as error:
        print(error)
    board = Board.of("divisor-duel", 60)
    print([board.write_move(move) for move in played(board, 1)])
    match = numduel.adaptors.gymnasium.DuelEnv("divisor-duel", opponent="level:1")
    _, info = match.reset(seed=1)
    _, reward, over, _, info = match.step(int(np.flatnonzero(info["action_mask"])[0]))
    print(float(reward), over)
    many = gymnasium.make_vec("numduel/divisor-duel-v0", num_envs=8)
    print(many.reset(seed=1)[0].shape)
    boards = VectorDuel("divisor-duel", boards=4)
    rewards, ended = boards.step(boards.sample())
    print(int(rewards.sum()), bool(ended.any()))
    found = regret(careful, [Board.of("divisor-duel", n) for n in range(2, 100)])
    print(found)
    return found


if __name__ == "__main__":
    main()
