"""What a player may see of a match, and how patient the match is with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from numduel.board import Board, Move
from numduel.errors import NumduelError, PlayerFailed


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


class Turn:
    """A turn of a player that may err. Walk through it, and let it take an answer each time.

    The walk gives the match as it is to be shown: with what was wrong with the answers so
    far. It ends with a legal move, when the tries are used up, or when time ran out.
    """

    def __init__(self, view: View, tries: int) -> None:
        self.move: Move | None = None
        self._view = view
        self._tries = tries

    def __iter__(self) -> Iterator[View]:
        while self.move is None and self._tries > 0:
            self._tries -= 1
            yield self._view

    def take(self, read: Callable[..., Move], *arguments: object) -> None:
        """Take the answer that `read` gives or raises."""
        try:
            move = read(*arguments)
            self._view.board.play(move)
            self.move = move
        except NumduelError as error:
            self.refuse(error)

    def refuse(self, error: NumduelError) -> None:
        """The answer was no legal move. Who lets the time run out is not asked again."""
        self._view = self._view._replace(problems=(*self.problems, error))
        if isinstance(error, PlayerFailed) and error.problem == "time":
            self._tries = 0

    @property
    def problems(self) -> tuple[NumduelError, ...]:
        """What was wrong with each answer."""
        return self._view.problems


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
