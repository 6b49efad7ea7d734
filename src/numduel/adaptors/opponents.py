"""Who an agent trains against: a word for a player, or any function of the board.

Programs and models are players too: `engine:COMMAND`, `llm:MODEL@ADDRESS`. They are asked again
when they answer no legal move, as in the arena, and forfeit the match after their last try.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from numduel.adaptors.duel import KEPT, Duel, Position
from numduel.board import Board, Move
from numduel.errors import UnknownPlayer
from numduel.players import (
    Limits,
    Player,
    SeesMatch,
    View,
    close_players,
    make_player,
    player_words,
)
from numduel.running import ask

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
        self._player: Player | None = None
        self.seed(0)

    def seed(self, seed: int) -> None:
        """Make the opponent's random choices repeat."""
        self._random = Random(seed)
        self._kept.clear()
        if callable(self._opponent):
            self._choose = self._opponent
            return
        self.close()
        self._player = make_player(self._opponent, self._random, Limits())
        if self._player is None:
            raise UnknownPlayer(text=self._opponent, known=player_words()[1:])
        self._choose = self._player.choose

    def close(self) -> None:
        """End what was started for the opponent."""
        close_players(self._player)

    def amount(self, position: Position) -> int | None:
        """The amount that the opponent plays; None where it forfeits."""
        if self._plain:
            return self._random.choice(position.legal)
        kept = self._kept.get(position)
        if kept is not None:
            return kept
        if isinstance(self._player, SeesMatch):
            move = ask(self._player, View.of(position.board)).move
            return None if move is None else move.amount
        chosen = self._choose(position.board)
        amount = chosen.amount if isinstance(chosen, Move) else int(chosen)
        if self._keeps:
            self._kept[position] = amount
        return amount
