"""One step of a tutorial."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from numduel.board import Board


class Asks(StrEnum):
    """What a step asks for."""

    MOVE = "move"
    """A move that wins."""
    WINNER = "winner"
    """Who wins with best play: 1, who is to move, or 2."""
    MATCH = "match"
    """To play the position to its end, and keep the win."""


@dataclass(frozen=True, slots=True)
class Step:
    """What is said, the position to solve, and what follows from it.

    `lost` and `won` are the numbers that the text calls so; the tests ask the
    solver whether it is right.
    """

    title: str
    says: str
    position: str
    asks: Asks
    hint: str
    learnt: str
    lost: tuple[int, ...] = ()
    won: tuple[int, ...] = ()

    @property
    def board(self) -> Board:
        """The position."""
        return Board.parse(self.position)
