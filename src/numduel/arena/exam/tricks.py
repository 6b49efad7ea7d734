"""Players of an exam that know a trick and nothing else, and search that is cut short.

They stand beside a model: a score that a trick reaches says little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

from numduel.board import Board, Move
from numduel.errors import InvalidSetup
from numduel.players.reading import NONE

Trick = Callable[[Board], Move | None]
"""The move that is answered, or None for none."""

_LOOKED = 200
"""Legal moves that a trick looks at, and positions that a search looks at for each move ahead."""
SEARCH = "search:"
_DEEPEST = 64


def _moves(board: Board) -> Iterator[Move]:
    return islice(board.moves(), _LOOKED)


def _finish(board: Board) -> Move | None:
    return next((move for move in _moves(board) if board.play(move).is_over), None)


def _parity(board: Board) -> Move | None:
    left = (move for move in _moves(board) if board.play(move).numbers[move.place].value % 2)
    return next(left, None)


def _last_digit(board: Board) -> Move | None:
    moves = (Move(place, value % 10) for place, (_, value) in enumerate(board.numbers))
    return next(filter(board.is_legal, moves), None)


TRICKS: dict[str, Trick] = {
    NONE: lambda _board: None,
    "finish": _finish,
    "parity": _parity,
    "last-digit": _last_digit,
}
"""Always none; end the match at once if that is legal, else none; leave an odd number if that is
possible, else none; take the last digit if that is legal, else none."""


def make_trick(word: str, random: Random) -> Trick | None:
    """The trick of this word, or the search of `search:3`; None for other words."""
    depth = word.removeprefix(SEARCH)
    if word in TRICKS or depth == word:
        return TRICKS.get(word)
    if not (depth.isascii() and depth.isdigit() and 0 < int(depth) <= _DEEPEST):
        raise InvalidSetup(problem="unknown player", text=word, known=[*TRICKS, f"{SEARCH}3"])
    return Lookahead(int(depth), random).find


class Lookahead:
    """Looks so many moves ahead, and guesses where that shows no win and no certain loss."""

    def __init__(self, depth: int, random: Random) -> None:
        self._depth = depth
        self._random = random
        self._left = 0

    def find(self, board: Board) -> Move | None:
        """The move that it takes for a winning one; None where it sees that all lose."""
        self._left = _LOOKED * self._depth
        moves = list(_moves(board))
        seen = {move: self._lost(board.play(move), self._depth - 1) for move in moves}
        if any(seen.values()):
            return next(move for move in moves if seen[move])
        unsure = [move for move in moves if seen[move] is None]
        return self._random.choice(unsure) if unsure else None

    def _lost(self, board: Board, depth: int) -> bool | None:
        """Is the board lost for whoever moves there? None where that is not seen."""
        if board.is_over:
            return not board.misere
        self._left -= 1
        if depth == 0 or self._left < 0:
            return None
        replies = [self._lost(board.play(move), depth - 1) for move in _moves(board)]
        if any(replies):
            return False
        return None if None in replies or len(replies) == _LOOKED else True
