"""Players of an exam that know a trick and nothing else, and search that is cut short.

They stand beside a model: a score that a trick reaches says little.
"""

from collections.abc import Callable, Iterator
from itertools import count, islice
from random import Random

from numduel.board import Board, Move
from numduel.errors import InvalidSetup
from numduel.games import OwnRule
from numduel.players.reading import NONE
from numduel.study.puzzles import SEVERAL

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


def _combined(board: Board) -> Move | None:
    games = [number.game for number in board.numbers]
    one = "own-rule" if isinstance(games[0], OwnRule) else games[0].key
    shown = one if len(games) == 1 else SEVERAL
    return TRICKS[BEST.get((shown, board.misere), NONE)](board)


BEST: dict[tuple[str, bool], str] = {
    ("digit-subtraction-duel", False): "last-digit",
    ("divisor-duel", False): "parity",
    ("own-rule", False): "finish",
    ("prime-subtractor", False): "finish",
    ("prime-subtractor", True): "parity",
    ("subtract-a-prime", False): "finish",
}
"""The trick that was right most often, by game (or several) and misère, on 2,100 questions of the
seed "combined"; all that is not named here is `none`."""

TRICKS: dict[str, Trick] = {
    NONE: lambda _board: None,
    "finish": _finish,
    "parity": _parity,
    "last-digit": _last_digit,
    "combined": _combined,
}
"""Always none; end the match at once if that is legal, else none; leave an odd number if that is
possible, else none; take the last digit if that is legal, else none; the best of these by what
is shown."""


def make_trick(word: str, random: Random) -> Trick | None:
    """The trick of this word, or the search of `search:3`; None for other words."""
    depth = word.removeprefix(SEARCH)
    if word in TRICKS or depth == word:
        return TRICKS.get(word)
    if not (depth.isascii() and depth.isdigit() and 0 < int(depth) <= _DEEPEST):
        raise InvalidSetup(problem="unknown player", text=word, known=[*TRICKS, f"{SEARCH}3"])
    return lambda board: _look_ahead(board, int(depth), random)


def _look_ahead(board: Board, depth: int, random: Random) -> Move | None:
    """A move that is seen to win so far ahead; None where all are seen to lose; else a guess."""
    left = count(_LOOKED * depth, -1)
    seen = {move: _lost(board.play(move), depth - 1, left) for move in _moves(board)}
    wins = [move for move, lost in seen.items() if lost]
    unsure = [move for move, lost in seen.items() if lost is None]
    return wins[0] if wins else random.choice(unsure) if unsure else None


def _lost(board: Board, depth: int, left: Iterator[int]) -> bool | None:
    """Is the board lost for whoever moves there? None where that is not seen."""
    if board.is_over:
        return not board.misere
    if depth == 0 or next(left) < 0:
        return None
    replies = [_lost(board.play(move), depth - 1, left) for move in _moves(board)]
    if any(replies):
        return False
    return None if None in replies or len(replies) == _LOOKED else True
