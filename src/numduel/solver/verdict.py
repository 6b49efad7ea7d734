"""The verdict: who wins a board, by which moves, and how that is known."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from itertools import chain, islice
from typing import Any, Literal

from numduel.arguments import checked
from numduel.board import Board, Move
from numduel.errors import InvalidGame, TooLarge
from numduel.games.amounts import named
from numduel.theory import Basis, Method

_MOST = 10**9
_AT_A_GLANCE, _LOOKED_AT = 10**15, 40
"""A win at once is looked for in numbers up to the first, among this many winning moves."""
Outcome = Literal["win", "loss"]


class Verdict:
    """What the solver says about a board, for the player to move; each way to it is a subclass.

    `outcome` is settled when it is made; the rest is found when somebody asks. Under `misere`, of
    the board or of the question, the last to move loses.
    """

    __slots__ = ("board", "misere", "outcome")

    def __init__(self, board: Board, misere: bool, lost: bool) -> None:
        self.board = board
        self.misere = misere
        self.outcome: Outcome = "loss" if lost else "win"

    def __repr__(self) -> str:
        return f"<Verdict {self.outcome} of {self.board}{' under misère' * self.misere}>"

    def _repr_html_(self) -> str:
        """The board and the verdict in words, as a notebook shows them; made layers above."""
        return str(import_module("numduel.drawing.path").show_verdict(self))

    @property
    def grundy(self) -> int | None:
        """The Grundy value; None under misère, where it decides nothing."""
        return None

    @property
    def basis(self) -> Basis:
        """How the outcome and the winning moves are known."""
        raise NotImplementedError

    @property
    def grundy_basis(self) -> Basis | None:
        """How the Grundy value is known; None under misère."""
        return None if self.misere else self.basis

    def _winning(self) -> Iterator[Move]:
        """The winning moves of a board that is not lost; then what kept it from naming more."""
        raise NotImplementedError

    def _moves(self) -> Iterator[Move]:
        return iter(()) if self.outcome == "loss" else self._winning()

    @property
    def winning_moves(self) -> "WinningMoves":
        """Found one by one, the smallest first for each number; each iteration starts again.

        Numbers that are sure to have one come before those that may.
        """
        return WinningMoves(self._moves)

    def winning_move(self) -> Move:
        """The first winning move of a won board. Raises `TooLarge` where none can be named."""
        for move in self.winning_moves:
            return move
        game, n = self.board.numbers[0]
        raise TooLarge("to list", game=game, number=n)

    @property
    def named_move(self) -> Move | None:
        """The winning move that people are told of: one that wins at once, else the first."""
        first = next(iter(self.winning_moves), None)
        if first is None or self.misere or any(n > _AT_A_GLANCE for _, n in self.board.numbers):
            return first
        found = chain(islice(self.winning_moves, _LOOKED_AT), self._largest())
        return next((move for move in found if self.board.play(move).is_over), first)

    def _largest(self) -> Iterator[Move]:
        """The largest move of each number, which may be far down the list."""
        for place, (game, n) in enumerate(self.board.numbers):
            with suppress(InvalidGame):  # of a game whose moves are only listed upwards
                yield from (Move(place, amount) for amount in islice(game.moves_down(n), 1))

    @checked
    def first_moves(self, count: int) -> tuple[list[Move], bool]:
        """The first winning moves, at most `count`, and whether these are all."""
        moves, error = named(self._moves(), min(max(0, count), _MOST) + 1)
        complete = error is None and len(moves) <= count
        return sorted(moves) if complete else moves[:count], complete

    @property
    def method(self) -> Method:
        """`theorem`, `table`, `search` or `conjecture`."""
        return self.basis.method

    @property
    def holds(self) -> str:
        """How far that is proved or checked, as a sentence."""
        return self.basis.holds

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


class WinningMoves:
    """Moves that are found as they are asked for, as far as they can be named."""

    __slots__ = ("_moves",)

    def __init__(self, moves: Callable[[], Iterator[Move]]) -> None:
        self._moves = moves

    def __iter__(self) -> Iterator[Move]:
        with suppress(TooLarge):
            yield from self._moves()
