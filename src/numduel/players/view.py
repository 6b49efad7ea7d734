"""What a player may see of a match, and how patient the match is with it."""

from __future__ import annotations

from typing import NamedTuple

from numduel.board import Board, Move
from numduel.errors import NumduelError


class View(NamedTuple):
    """The match as the player to move sees it."""

    board: Board
    """The board as it stands."""
    start: Board
    """The board that the match began with."""
    moves: tuple[Move | None, ...] = ()
    """The turns taken so far, None for a pass; the last one was the opponent's."""
    problems: tuple[NumduelError, ...] = ()
    """What was wrong with the answers given in this very turn."""

    @classmethod
    def of(cls, board: Board) -> View:
        """A match that begins here."""
        return cls(board, board)


class Limits(NamedTuple):
    """How long a program or a model may take for a move, and how often it is asked."""

    seconds: float | None = None
    """For one answer; None: 10 for a program, 60 for a model."""
    tries: int = 3
    """After so many answers that are no legal move, the match is forfeited."""


class SeesMatch:
    """A player who is shown the whole match, and may err: a program or a model."""

    limits: Limits

    def answer(self, view: View) -> Move:
        """A move that need not be legal.

        Raises `PlayerFailed`, or what reading the answer raises.
        """
        raise NotImplementedError

    def choose(self, board: Board) -> Move:
        """The answer on this board, as if the match began here."""
        return self.answer(View.of(board))

    def close(self) -> None:
        """End what was started for this player."""
