"""The perfect player, and what it does when it cannot win."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from random import Random

from numduel.arithmetic import count_digits
from numduel.board import Board, Move
from numduel.errors import TooLarge
from numduel.players.simple import RandomPlayer
from numduel.solver import Search, Verdict, solve

_TRIED = 40
"""When lost, this many moves are compared by the winning replies that they leave."""

_COUNTED = 12
"""Winning replies are counted up to this many."""

_REMEMBERED = 4096
"""Boards whose best moves are remembered: small ones come again and again."""

_COMPARED_DIGITS = 15
"""On larger numbers counting replies takes long, and a lost move is as good as another."""


class PerfectPlayer:
    """Wins every board that it could win.

    Raises `TooLarge`, rather than guess, on a board that only search could settle and that is
    too large for it, and on a won board of which no winning move can be named.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._careless = RandomPlayer(random)

    def choose(self, board: Board) -> Move:
        winning, least_bad = _best_moves(board)
        if winning is not None:
            return winning
        return self._random.choice(least_bad) if least_bad else self._careless.choose(board)

    def find_win(self, board: Board) -> Move | None:
        """A winning move; None where no move wins. Raises as `choose` does."""
        return _best_moves(board)[0]


@lru_cache(maxsize=_REMEMBERED)
def _best_moves(board: Board) -> tuple[Move | None, list[Move]]:
    """A winning move; or None, and the moves to choose from."""
    verdict = solve(board)
    if verdict.outcome == "loss":
        return None, least_bad_moves(verdict)
    return verdict.winning_move(), []


def least_bad_moves(verdict: Verdict) -> list[Move]:
    """On a lost board, the moves that leave the opponent the fewest winning replies.

    Compared among the first moves; on large numbers none is told from another.
    """
    board = verdict.board
    if max(count_digits(number.value) for number in board.numbers) > _COMPARED_DIGITS:
        return []
    # One search serves all moves: they lead to much the same positions.
    search = Search(verdict.misere) if verdict.method == "search" else None
    moves = list(islice(board.moves(), _TRIED))
    replies = [_count_winning(board.play(move), search) for move in moves]
    fewest = min(replies)
    return [move for move, r in zip(moves, replies, strict=True) if r == fewest]


def _count_winning(board: Board, search: Search | None) -> int:
    if search is None:
        return len(solve(board).first_moves(_COUNTED)[0])
    try:
        return sum(1 for _ in islice(search.winning_moves(board), _COUNTED))
    except TooLarge:
        return _COUNTED
