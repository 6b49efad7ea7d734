"""One step of a tutorial."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from numduel.board import Board
from numduel.solver import solve


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

    @property
    def winner(self) -> str:
        """Who wins with best play: "1", who is to move, or "2"."""
        return "1" if solve(self.board).outcome == "win" else "2"


def refutation(after: Board) -> str | None:
    """What is wrong with the move that left this board; None for a move that wins."""
    verdict = solve(after)
    if verdict.outcome == "loss":
        return None
    reply = after.write_move(next(iter(verdict.winning_moves)))
    alone = len(after.numbers) == 1
    leaves = f"That leaves {after.numbers[0].value}, and the answer" if alone else "The answer"
    return f"{leaves} {reply} wins. Try another move."
