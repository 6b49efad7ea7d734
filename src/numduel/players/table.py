"""The computer's players in one table, as facts; and those without a plan, who need no solver.

What is said of them is in `wording/players.py`.
"""

from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Final, NamedTuple, Protocol

from numduel.arguments import checked
from numduel.arithmetic import count_digits
from numduel.board import Board, Move
from numduel.errors import InvalidGame, TooLarge
from numduel.games import Game
from numduel.games.amounts import named

_COUNTED = 100_000
_DRAWN_DIGITS = 300
_NAMED = 1000


class Player(Protocol):
    def choose(self, board: Board) -> Move:
        """A legal move on a board that is not over."""


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


class Computer(NamedTuple):
    word: str
    make: Callable[[Random], Player]
    keeps: float
    """Of the wins that it could have thrown away, the share that it kept in matches against
    `random`. `tools/strength.py` measures it again."""


def _later(name: str, *care: float) -> Callable[[Random], Player]:
    """A player of `levels.py`, which is loaded with its first: it needs the solver."""

    def make(random: Random) -> Player:
        from numduel.players import levels

        made: Player = getattr(levels, name)(*care, random)
        return made

    return make


def _level(level: int, care: float, sight: float, keeps: float) -> Computer:
    return Computer(f"level:{level}", _later("LevelPlayer", care, sight), keeps)


COMPUTERS: Final = {
    computer.word: computer
    for computer in (
        Computer("random", RandomPlayer, keeps=0.37),
        Computer("largest", lambda _: LargestPlayer(), keeps=0.70),
        Computer("beginner", _later("BeginnerPlayer"), keeps=0.12),
        _level(1, care=0.1, sight=0.5, keeps=0.53),
        _level(2, care=0.35, sight=0.75, keeps=0.69),
        _level(3, care=0.65, sight=0.9, keeps=0.85),
        _level(4, care=0.9, sight=1.0, keeps=0.96),
        _level(5, care=1.0, sight=1.0, keeps=1.0),
        Computer("perfect", _later("PerfectPlayer"), keeps=1.0),
    )
}

LADDER: Final = ("beginner", *(f"level:{level}" for level in range(1, 6)))
"""From rung to rung they play better. Whoever beats one can try the next."""


@checked
def next_rung(word: str) -> str | None:
    """The next stronger player of the ladder; None above it, and for others."""
    later = LADDER[LADDER.index(word) + 1 :] if word in LADDER else ()
    return later[0] if later else None
