"""Players without a plan: any legal move, or always the largest."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from random import Random

from numduel.arithmetic import count_digits
from numduel.board import Board, Move
from numduel.errors import InvalidGame
from numduel.games import Game

_COUNTED = 100_000
_DRAWN_DIGITS = 300


class RandomPlayer:
    """Any legal move, all alike likely.

    On numbers whose moves cannot be counted cheaply, likely enough to be
    different each time, but not evenly.
    """

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, board: Board) -> Move:
        places = [p for p, (game, n) in enumerate(board.numbers) if not game.is_over(n)]
        weights = [min(_COUNTED, self._count(*board.numbers[place])) for place in places]
        place = self._random.choices(places, weights)[0]
        return Move(place, self._draw(*board.numbers[place]))

    def _count(self, game: Game, n: int) -> int:
        count = game.count(n)
        return _COUNTED if count is None else count

    def _draw(self, game: Game, n: int) -> int:
        count = game.count(n)
        if count is not None and count <= _COUNTED:
            return next(islice(game.moves(n), self._random.randrange(count), None))
        if count_digits(n) <= _DRAWN_DIGITS:
            with suppress(InvalidGame):
                for _ in range(20 * count_digits(n)):
                    amount = self._random.randint(1, n)
                    if game.fault(n, amount) is None:
                        return amount
        return self._random.choice(list(islice(game.moves(n), 1000)))


class LargestPlayer:
    """Always the largest legal move, on the first number that has it."""

    def choose(self, board: Board) -> Move:
        largest = [
            Move(place, next(iter(game.moves_down(n))))
            for place, (game, n) in enumerate(board.numbers)
            if not game.is_over(n)
        ]
        return max(largest, key=lambda move: move.amount)
