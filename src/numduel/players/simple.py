"""Players without a plan: any legal move, or always the largest."""

from contextlib import suppress
from itertools import islice
from random import Random

from numduel.arithmetic import count_digits
from numduel.board import Board, Move
from numduel.errors import InvalidGame, TooLarge
from numduel.games import Game
from numduel.games.amounts import named

_COUNTED = 100_000
_DRAWN_DIGITS = 300
_NAMED = 1000


class RandomPlayer:
    """Any legal move, all alike likely, but where they cannot be counted cheaply."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, board: Board) -> Move:
        places = [p for p, (game, n) in enumerate(board.numbers) if not game.is_over(n)]
        weights = [min(_COUNTED, self._count(*board.numbers[place])) for place in places]
        chosen = self._random.choices(places, weights)[0]
        others = [place for place in places if place != chosen]
        for place in (chosen, *others):
            with suppress(TooLarge):
                return Move(place, self._draw(*board.numbers[place]))
        return Move(chosen, self._draw(*board.numbers[chosen]))

    def _count(self, game: Game, n: int) -> int:
        try:
            count = game.count(n)
        except TooLarge:
            count = None
        return _COUNTED + 1 if count is None else count

    def _draw(self, game: Game, n: int) -> int:
        count = self._count(game, n)
        if count <= _COUNTED:
            return next(islice(game.moves(n), self._random.randrange(count), None))
        if count_digits(n) <= _DRAWN_DIGITS:
            with suppress(InvalidGame):
                for _ in range(20 * count_digits(n)):
                    amount = self._random.randint(1, n)
                    if game.fault(n, amount) is None:
                        return amount
        first, error = named(game.moves(n), _NAMED)
        if error and not first:
            raise error
        return self._random.choice(first)


class LargestPlayer:
    """Always the largest legal move, on the first number that has it."""

    def choose(self, board: Board) -> Move:
        largest = [
            Move(place, next(iter(game.moves_down(n))))
            for place, (game, n) in enumerate(board.numbers)
            if not game.is_over(n)
        ]
        return max(largest, key=lambda move: move.amount)
