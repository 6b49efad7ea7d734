"""What a player may see of a match, how patient the match is with it, and two without a plan."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any, NamedTuple, Protocol

from numduel.arithmetic import count_digits
from numduel.board import Board, Move
from numduel.errors import InvalidGame, NumduelError, PlayerFailed, TooLarge
from numduel.games import Game
from numduel.games.amounts import named

_COUNTED = 100_000
_DRAWN_DIGITS = 300
_NAMED = 1000


class Player(Protocol):
    def choose(self, board: Board) -> Move:
        """A legal move on a board that is not over."""


class View(NamedTuple):
    board: Board
    start: Board  # the board that the match began with
    moves: tuple[Move | None, ...] = ()  # None for a pass; the last one was the opponent's
    problems: tuple[NumduelError, ...] = ()  # what was wrong with the answers given in this turn

    @classmethod
    def of(cls, board: Board) -> "View":
        return cls(board, board)


class Sampling(NamedTuple):
    """How a model is asked to answer; None leaves it to whoever serves the model."""

    temperature: float | None = None
    max_tokens: int | None = None
    system: str | None = None  # a system prompt, before the prompt that tells the match
    body: str | None = None  # other fields, as one JSON object: `{"reasoning_effort": "high"}`


class Limits(NamedTuple):
    """How long a program or a model may take, how often it is asked, and what it may use."""

    seconds: float | None = None  # for one answer; None: 10 for a program, 60 for a model
    tries: int = 3  # after this many answers that are no legal move, the match is forfeited
    sampling: Sampling = Sampling()
    turns: int = 100  # after this many turns a match in which a model plays is ended
    requests: int | None = None  # for a model's match, as the next two; checked before each turn
    tokens: int | None = None
    match_seconds: float | None = None
    ask_forced: bool = False  # is a model asked where there is only one legal move?
    list_moves: bool = False

    def fields(self) -> dict[str, Any]:
        return self._asdict() | {"sampling": self.sampling._asdict()}

    @classmethod
    def of(cls, fields: dict[str, Any]) -> "Limits":
        """The limits that `fields` gave. Raises `TypeError` or `KeyError` for anything else."""
        return cls(**fields | {"sampling": Sampling(**fields["sampling"])})


CHARACTERS = 4  # of a token, about, where nobody counts tokens


class Spent(NamedTuple):
    """What a model has used; the server counts its tokens."""

    requests: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0

    def plus(self, other: "Spent", times: int = 1) -> "Spent":
        """Both together; with `times=-1`, what is more here."""
        return Spent._make(mine + times * more for mine, more in zip(self, other, strict=True))

    def exceeds(self, limits: Limits) -> bool:
        """Is as much used as the limits allow for one match?"""
        used = self.requests, self.prompt_tokens + self.answer_tokens, self.seconds
        most = limits.requests, limits.tokens, limits.match_seconds
        return any(b is not None and a >= b for a, b in zip(used, most, strict=True))


class Exchange(NamedTuple):
    prompt: str
    answer: str | None  # None where no answer came


class Turn:
    """A turn of a player that may err. Walk through it, and let it take an answer each time.

    The walk gives the match as it is to be shown: with what was wrong with the answers so
    far. It ends with a legal move, when the tries are used up, or when time ran out.
    """

    def __init__(self, view: View, tries: int) -> None:
        self.move: Move | None = None
        self._view, self._tries = view, tries

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
        """The answer was no legal move. Who lets the time run out, or has no key, is out."""
        self._view = self._view._replace(problems=(*self.problems, error))
        if isinstance(error, PlayerFailed) and error.problem in ("time", "key"):
            self._tries = 0

    @property
    def problems(self) -> tuple[NumduelError, ...]:
        return self._view.problems


class SeesMatch:
    """A player who is shown the whole match, and may err: a program or a model."""

    word = ""
    limits: Limits
    spent: Spent | None = None  # what a model has used so far; None for whoever costs nothing
    exchanges: Sequence[Exchange] = ()  # what a model was asked and answered in its last turn

    def answer(self, view: View) -> Move:
        """A move, perhaps illegal. Raises `PlayerFailed`, or what reading the answer raises."""
        raise NotImplementedError

    def choose(self, board: Board) -> Move:
        """The answer on this board, as if the match began here."""
        return self.answer(View.of(board))

    def close(self) -> None:
        """End what was started for this player."""

    def failed(self, problem: str, **fields: object) -> PlayerFailed:
        return PlayerFailed(player=self.word, problem=problem, **fields)


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
        with suppress(TooLarge):
            if (count := game.count(n)) is not None:
                return count
        return _COUNTED + 1

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
