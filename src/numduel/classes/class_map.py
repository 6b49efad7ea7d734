"""The map that a class makes by playing: from which numbers the player to move won and lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from numduel.games import Game
from numduel.match import Record


@dataclass(frozen=True, slots=True)
class Seen:
    """How often the player to move at a number went on to win, and to lose."""

    won: int = 0
    lost: int = 0

    def and_then(self, won: bool) -> Seen:
        """The same after one match more."""
        return Seen(self.won + won, self.lost + (not won))


def class_map(records: Iterable[Record], game: Game, misere: bool = False) -> dict[int, Seen]:
    """Each number that the class has met in a finished match under the game's very rules.

    Only boards of one number tell of a number alone. The last number of a match counts too:
    there somebody was to move, and had no move or gave up. Where a first move has a rule of
    its own, the numbers after it are under other rules.
    """
    found: dict[int, Seen] = {}
    for record in records:
        board, winner = record.setup.board, record.winner
        if winner is None or len(board.numbers) != 1 or board.misere != misere:
            continue
        for turn, move in enumerate((*record.turns, None)):
            rules, number = board.numbers[0]
            if rules == game:
                to_move = (record.setup.first + turn) % 2
                found[number] = found.get(number, Seen()).and_then(to_move == winner)
            if move is not None:
                board = board.play(move)
    return found
