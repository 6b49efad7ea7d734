"""Players that choose moves by themselves, made from a word: `random`, `largest`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Protocol

from numduel.arithmetic import count_digits
from numduel.board import Board, Move
from numduel.errors import InvalidGame, UnknownPlayer
from numduel.games import Game

PERSON = "person"
"""The word for a human player, who chooses at a prompt."""

_COUNTED = 100_000
_DRAWN_DIGITS = 300


class Player(Protocol):
    """Whatever chooses moves."""

    def choose(self, board: Board) -> Move:
        """A legal move on a board that is not over."""


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

    def __init__(self, _: Random) -> None:
        pass

    def choose(self, board: Board) -> Move:
        largest = [
            Move(place, next(iter(game.moves_down(n))))
            for place, (game, n) in enumerate(board.numbers)
            if not game.is_over(n)
        ]
        return max(largest, key=lambda move: move.amount)


_KINDS: dict[str, Callable[[Random], Player]] = {"random": RandomPlayer, "largest": LargestPlayer}


def player_words() -> list[str]:
    """The words that name a player."""
    return [PERSON, *_KINDS]


def make_player(word: str, random: Random) -> Player | None:
    """The player that the word names; None for a person. Raises `UnknownPlayer`."""
    if word == PERSON:
        return None
    if word not in _KINDS:
        raise UnknownPlayer(text=word, known=player_words())
    return _KINDS[word](random)
