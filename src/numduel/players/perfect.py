"""The perfect player, and what it does when it cannot win."""

from __future__ import annotations

from itertools import islice
from random import Random

from numduel.arithmetic import count_digits
from numduel.board import Board, Move
from numduel.errors import NumduelError
from numduel.players.simple import RandomPlayer
from numduel.solver import solve

_TRIED = 40
"""When lost, so many moves are compared by the winning replies that they leave."""

_COUNTED = 12
"""Winning replies are counted up to this many."""

_COMPARED_DIGITS = 15
"""On larger numbers counting replies takes long, and a lost move is as good as another."""


class PerfectPlayer:
    """Wins every board that it could win.

    Raises `TooLargeToSolve`, rather than guess, on a board that only search
    could settle and that is too large for it.
    """

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, board: Board) -> Move:
        verdict = solve(board)
        winning = next(iter(verdict.winning_moves), None)
        if winning is not None:
            return winning
        return least_bad_move(board, self._random)


def least_bad_move(board: Board, random: Random) -> Move:
    """On a lost board, the move that leaves the opponent the fewest winning replies.

    Compared among the first moves and the last; on large numbers any legal move.
    """
    if max(count_digits(number.value) for number in board.numbers) > _COMPARED_DIGITS:
        return RandomPlayer(random).choose(board)
    moves = list(islice(board.moves(), _TRIED))
    replies = {move: _winning_replies(board.play(move)) for move in moves}
    fewest = min(replies.values())
    return random.choice([move for move in moves if replies[move] == fewest])


def _winning_replies(board: Board) -> int:
    try:
        return len(solve(board).first_moves(_COUNTED)[0])
    except NumduelError:
        return _COUNTED
