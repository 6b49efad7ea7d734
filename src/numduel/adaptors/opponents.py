"""Who an agent trains against: a word for a player, or any function of the board."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from numduel.adaptors.duel import KEPT, Duel, Position
from numduel.board import Board, Move
from numduel.players import make_computer

Opponent = str | Callable[[Board], Move | int]


class Opponents:
    """Chooses the opponent's amount in each position.

    The perfect player's choices are kept for small starts, where a position
    comes again and again. Raises `UnknownPlayer`.
    """

    def __init__(self, duel: Duel, opponent: Opponent) -> None:
        self._kept: dict[Position, int] = {}
        self._keeps = opponent == "perfect" and duel.start <= KEPT
        self._plain = opponent == "random" and not duel.spells
        self._opponent = opponent
        self.seed(0)

    def seed(self, seed: int) -> None:
        """Make the opponent's random choices repeat."""
        self._random = Random(seed)
        self._kept.clear()
        if callable(self._opponent):
            self._choose = self._opponent
        else:
            self._choose = make_computer(self._opponent, self._random).choose

    def amount(self, position: Position) -> int:
        """The amount that the opponent plays."""
        if self._plain:
            return self._random.choice(position.legal)
        kept = self._kept.get(position)
        if kept is not None:
            return kept
        chosen = self._choose(position.board)
        amount = chosen.amount if isinstance(chosen, Move) else int(chosen)
        if self._keeps:
            self._kept[position] = amount
        return amount
