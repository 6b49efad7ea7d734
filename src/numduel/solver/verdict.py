"""The verdict: who wins a board, by which moves, and how that is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from itertools import islice
from typing import Any, Literal

from numduel.arguments import check, checked
from numduel.board import Board, Move
from numduel.errors import TooLarge
from numduel.solver.ways import Way, find_way
from numduel.theory import Basis, Method, find

_MOST = 10**9
Outcome = Literal["win", "loss"]


class Verdict:
    """What the solver says about a board, for the player to move.

    `outcome` is settled when the verdict is made; the rest is found when somebody
    asks for it. `misere` says under which ending: the last mover loses.
    """

    __slots__ = ("_grundy", "_way", "board", "misere", "outcome")

    def __init__(self, board: Board, misere: bool) -> None:
        check("board", board, Board)
        self.board = board
        self.misere = misere
        self._way: Way = find_way(board, misere)
        self._grundy: int | None = None
        self.outcome: Outcome = "loss" if self._way.lost else "win"

    def __repr__(self) -> str:
        return f"<Verdict {self.outcome} of {self.board}{' under misère' * self.misere}>"

    def _repr_html_(self) -> str:
        """The board and the verdict in words, as a notebook shows them; made layers above."""
        return str(import_module("numduel.drawing.board").show_verdict(self))

    @property
    def grundy(self) -> int | None:
        """The Grundy value; None under misère, where it decides nothing."""
        if self._grundy is None and not self.misere:
            self._grundy = self._way.grundy()
        return self._grundy

    @checked
    def as_dict(self, count: int = 20) -> dict[str, Any]:
        """The verdict with plain values, as `--json` prints it: at most `count` winning moves."""
        moves, complete = self.first_moves(count)
        grundy = None  # under misère, and where finding it would take too long
        with suppress(TooLarge):
            grundy = self.grundy
        return {
            "board": str(self.board),
            "misere": self.misere,
            "outcome": self.outcome,
            "grundy": grundy,
            "winning_moves": [self.board.write_move(move) for move in moves],
            "complete": complete,
            "method": self.method,
            "holds": self.holds,
        }

    @property
    def winning_moves(self) -> WinningMoves:
        """The moves that win, found one by one; each iteration starts again.

        Number by number, the smallest first for each; numbers that are sure to
        have one come before those that may.
        """
        return WinningMoves(self._moves)

    def _moves(self) -> Iterator[Move]:
        return iter(() if self._way.lost else self._way)

    @checked
    def first_moves(self, count: int) -> tuple[list[Move], bool]:
        """The first winning moves, at most `count`, and whether these are all."""
        moves: list[Move] = []
        try:
            for move in islice(self._moves(), min(max(0, count), _MOST) + 1):
                moves.append(move)  # noqa: PERF402 - what came before an error counts
        except TooLarge:
            return moves[:count], False
        if len(moves) <= count:
            return sorted(moves), True
        return moves[:count], False

    @property
    def basis(self) -> Basis:
        """How the outcome and the winning moves are known."""
        return self._way.basis()

    @property
    def method(self) -> Method:
        """`theorem`, `table`, `search` or `conjecture`."""
        return self.basis.method

    @property
    def holds(self) -> str:
        """How far that is proved or checked, as a sentence."""
        return self.basis.holds

    @property
    def grundy_basis(self) -> Basis | None:
        """How the Grundy value is known; None under misère."""
        return None if self.misere else self._way.grundy_basis()


class WinningMoves:
    """Moves that are found as they are asked for, as far as they can be named."""

    __slots__ = ("_moves",)

    def __init__(self, moves: Callable[[], Iterator[Move]]) -> None:
        self._moves = moves

    def __iter__(self) -> Iterator[Move]:
        with suppress(TooLarge):
            yield from self._moves()


def no_choice_matters(board: Board) -> bool:
    """Does the same player win whatever is played, as in Power Play?"""
    return all(find(number.game).no_choice for number in board.numbers)


def is_settled(board: Board) -> bool:
    """Do theories or tables say who wins, without a search?"""
    if board.misere and len(board.numbers) > 1:
        return False
    try:
        return all(find(game).lost(n, board.misere) is not None for game, n in board.numbers)
    except TooLarge:
        return False


@checked
def solve(board: Board | str, misere: bool = False) -> Verdict:
    """Who wins the board, or the board of this text, with perfect play, and how.

    >>> verdict = solve("divisor-duel:60")
    >>> verdict.outcome, verdict.grundy, next(iter(verdict.winning_moves))
    ('win', 2, Move(place=0, amount=3))

    Misère when either the argument or the board says so. Raises `TooLarge` where only search
    could tell and the board is too large, and where the game itself needs the factors.
    """
    read = Board.parse(board) if isinstance(board, str) else board
    return Verdict(read, misere or read.misere)
