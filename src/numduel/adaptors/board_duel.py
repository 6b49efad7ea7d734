"""A board of several numbers as states and actions.

The action is the place times the width, plus the amount played there; the width is the largest
number plus 1. On subtract-a-prime:9+divisor-duel:12 the width is 13, and action 19 plays 6 on
the second number.
"""

from __future__ import annotations

from typing import Any

from numduel.adaptors.duel import SMALL
from numduel.arithmetic import count_digits
from numduel.board import Board, Move
from numduel.errors import InvalidSetup


class BoardDuel:
    """What stays the same over matches on one board, as `Duel` has it for one number.

    Raises `InvalidSetup` where the first player could not move, and for numbers above `SMALL`.
    """

    def __init__(self, board: Board) -> None:
        for game, value in board.numbers:
            if value > SMALL:
                raise InvalidSetup(problem="too large", game=game.title, start=value, limit=SMALL)
        if board.is_over:
            game, value = board.numbers[0]
            raise InvalidSetup("not a start", game=game, number=value)
        self.board = board
        self.misere = board.misere
        self.width = max(value for _, value in board.numbers) + 1
        self.size = self.width * len(board.numbers)
        self.places = count_digits(self.width - 1)
        self.longest = sum(value for _, value in board.numbers)
        self.first = BoardPosition(self, board)

    def __reduce__(self) -> tuple[Any, ...]:
        return (BoardDuel, (self.board,))


class BoardPosition:
    """A board in play."""

    __slots__ = ("_duel", "board", "over", "spelled")

    def __init__(self, duel: BoardDuel, board: Board) -> None:
        self._duel = duel
        self.board = board
        self.over = board.is_over
        self.spelled: tuple[int, ...] = ()

    def __deepcopy__(self, memo: object) -> BoardPosition:
        """A position does not change, so it is its own copy."""
        return self

    @property
    def legal(self) -> tuple[int, ...]:
        """The legal actions, smallest first."""
        return tuple(place * self._duel.width + amount for place, amount in self.board.moves())

    def after(self, action: int) -> BoardPosition:
        """The position after a legal action. Raises `IllegalMove`."""
        place, amount = divmod(action, self._duel.width)
        return BoardPosition(self._duel, self.board.play(Move(place, amount)))
