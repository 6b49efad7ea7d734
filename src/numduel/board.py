"""The board: one or more numbers, each with its game. It is what is played and solved.

A board is a position. It is immutable and hashable; playing a move gives a new board.

    >>> from numduel import Board
    >>> board = Board.parse("subtract-a-prime:20+divisor-duel:60")
    >>> str(board.play(board.parse_move("2:15")))
    'subtract-a-prime:20+divisor-duel:45'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import import_module
from itertools import chain, count
from operator import index
from typing import Any, NamedTuple

from numduel import errors
from numduel.arguments import check
from numduel.arithmetic import read_number
from numduel.games import Fault, Game, Reduction, load

MAX_NUMBERS = 100
_LISTED = 1000  # the moves of numbers below this are kept in memory, for quick playouts
_MISERE = "~misere"
_DIVIDED = re.compile(r"\s*[/÷](.*)", re.DOTALL)
_PLACED = re.compile(r"\s*([0-9]+)\s*:(.*)", re.ASCII | re.DOTALL)


class Move(NamedTuple):
    """The integer `amount` played on the board's number at `place` (counted from 0)."""

    place: int
    amount: int


class Number(NamedTuple):
    game: Game
    value: int

    def __str__(self) -> str:
        variants = "".join(
            f",{name}={value}"
            for name, value in self.game.settings.items()
            if value != self.game.variants[name][0]
        )
        return f"{self.game.key}:{self.value}{variants}"


class Board:
    """One or more numbers, in order, and whether the match is misère.

    Raises `InvalidArgument`, or `InvalidBoard` for a number below its game's least.
    """

    __slots__ = ("misere", "numbers")
    numbers: tuple[Number, ...]
    misere: bool

    def __init__(self, numbers: tuple[Number, ...], misere: bool = False) -> None:
        check("misere", misere, bool)
        for number in numbers if isinstance(numbers, tuple) else (numbers,):
            check("numbers", number, Number)
            check("game", number.game, Game)
            check("number", number.value, int)
            if number.value < (least := number.game.least):
                part = str(number)
                raise errors.InvalidBoard(text=part, problem="too small", part=part, least=least)
        _set_numbers(self, numbers)
        _set_misere(self, misere)

    def __setattr__(self, name: str, *value: object) -> None:
        raise AttributeError(f"a board does not change: {name} stays as it is")

    __delattr__ = __setattr__

    def __reduce__(self) -> tuple[Any, ...]:
        return (Board.parse, (str(self),))

    @classmethod
    def of(cls, game: Game | str, number: int, misere: bool = False) -> Board:
        """A board of one number. Raises `InvalidBoard` for a number below the game's least."""
        check("number", number, int)
        found = load(game) if isinstance(game, str) else game
        return cls((Number(found, int(index(number))),), misere)

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read what `str` writes. Raises `InvalidBoard`, or what a number, key or variant does."""
        check("text", text, str)
        body, tilde, ending = text.strip().partition("~")
        if tilde and tilde + ending != _MISERE:
            raise errors.InvalidBoard(text=text, problem="ending", ending=tilde + ending)
        parts = body.split("+")
        if len(parts) > MAX_NUMBERS:
            raise errors.InvalidBoard(
                text=text, problem="too many numbers", count=len(parts), limit=MAX_NUMBERS
            )
        return cls(tuple(_parse_number(text, part.strip()) for part in parts), bool(tilde))

    def __str__(self) -> str:
        return "+".join(map(str, self.numbers)) + (_MISERE if self.misere else "")

    def __repr__(self) -> str:
        return f"Board.parse({str(self)!r})"

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows; it is drawn layers above."""
        return str(import_module("numduel.drawing.path").draw_board(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.numbers == other.numbers and self.misere == other.misere

    def __hash__(self) -> int:
        return hash((self.numbers, self.misere))

    @property
    def is_over(self) -> bool:
        for game, value in self.numbers:  # noqa: SIM110  a third faster than all()
            if not game.is_over(value):
                return False
        return True

    def moves(self) -> Iterator[Move]:
        """The legal moves, number by number, the smallest first, one at a time."""
        return chain.from_iterable(map(_moves_at, count(), self.numbers))

    def fault(self, move: Move) -> Fault | None:
        """Why the move cannot be played; None when it is legal."""
        place, amount = _parts(move)
        if not 0 <= place < len(self.numbers):
            return Fault.NOT_LEGAL
        game, value = self.numbers[place]
        return game.fault(value, amount)

    def is_legal(self, move: Move) -> bool:
        """Can the move be played? Answered without listing moves."""
        return self.fault(move) is None

    def play(self, move: Move) -> Board:
        """The board after the move. Raises `IllegalMove`."""
        fault = self.fault(move)
        if fault is not None:
            raise errors.IllegalMove(board=self, move=move, fault=fault)
        place, amount = move
        game, value = self.numbers[place]
        after = Number(*game.after(value, index(amount)))
        return _made((*self.numbers[:place], after, *self.numbers[place + 1 :]), self.misere)

    def write_move(self, move: Move) -> str:
        """The move as text: `15`, or `2:15` on a board of several numbers."""
        place, amount = _parts(move)
        return f"{place + 1}:{amount}" if len(self.numbers) > 1 else str(amount)

    def parse_move(self, text: str) -> Move:
        """Read a move as `write_move` writes it; it need not be legal.

        On a board of several numbers the place may be left out if only one number can take the
        move. Raises `InvalidMove`, `InvalidNumber`, `AmbiguousMove` or `TooManyDigits`.
        """
        check("text", text, str)
        placed = _PLACED.fullmatch(text)
        if placed:
            place = read_number(placed[1]) - 1
            if not 0 <= place < len(self.numbers):
                raise errors.InvalidMove(text=text.strip(), problem="no such number", board=self)
            try:
                return Move(place, self._amount(place, placed[2]))
            except errors.InvalidNumber as error:
                raise errors.InvalidMove(
                    text=text.strip(), problem="not a number", board=self, number=error
                ) from error
        if len(self.numbers) == 1:
            return Move(0, self._amount(0, text))
        amount = read_number(text)
        fits = [p for p in range(len(self.numbers)) if self.is_legal(Move(p, amount))]
        if len(fits) != 1:
            raise errors.AmbiguousMove(board=self, amount=amount, places=fits)
        return Move(fits[0], amount)

    def _amount(self, place: int, text: str) -> int:
        """The amount that is typed for a number; `/2`, or `halve`, where its game divides."""
        halves = text.strip().casefold() == "halve"
        divisor = _DIVIDED.fullmatch("/2" if halves else text)
        game, n = self.numbers[place]
        if divisor is None or not (game.divisors or game.reduction is Reduction.DIVIDE):
            return read_number(text)
        amount = game.dividing(n, read_number(divisor[1]))
        if amount is None:
            raise errors.InvalidMove(text=text.strip(), problem="not divisible", board=self)
        return amount

    def having(self, **settings: str) -> Board:
        """Set variants on every number that has them. Raises `InvalidSetup` where none has one."""
        known = {name: v for number in self.numbers for name, v in number.game.variants.items()}
        for name, value in settings.items():
            if name not in known:
                raise errors.InvalidSetup(
                    "unknown variant", game=None, name=name, value=value, known=known
                )
        numbers = []
        for game, n in self.numbers:
            own = {name: value for name, value in settings.items() if name in game.variants}
            numbers.append(Number(game.having(**own), n))
        return Board(tuple(numbers), self.misere)


def _moves_at(place: int, number: Number) -> Iterable[Move]:
    """The moves of one number; those of small numbers are listed once, then remembered."""
    if number[1] < _LISTED:
        return _listed_moves(place, number)
    return (Move(place, amount) for amount in number.game.moves(number.value))


@lru_cache(maxsize=4096)
def _listed_moves(place: int, number: Number) -> tuple[Move, ...]:
    return tuple(Move(place, amount) for amount in number.game.moves(number.value))


_set_numbers = Board.__dict__["numbers"].__set__
_set_misere = Board.__dict__["misere"].__set__


def _made(numbers: tuple[Number, ...], misere: bool) -> Board:
    """A board of numbers that need no check."""
    board = Board.__new__(Board)
    _set_numbers(board, numbers)
    _set_misere(board, misere)
    return board


def _parts(move: Move) -> tuple[int, int]:
    """The place and the amount. Raises `InvalidArgument`."""
    try:
        place, amount = move
        return index(place), index(amount)
    except (TypeError, ValueError):
        check("move", move, Move)
        raise errors.InvalidArgument(name="move", value=repr(move), expected=("Move",)) from None


def _parse_number(board: str, text: str) -> Number:
    """One number of a board: `divisor-duel:60,divisors=even`."""
    head, *variants = text.split(",")
    key, colon, value = head.partition(":")
    if not colon:
        problem = "no game" if key.isdigit() else "no number" if key else "empty"
        if problem == "no number":
            load(key.strip())  # if there is no such game, that is the error to report
        raise errors.InvalidBoard(text=board, problem=problem, part=text)
    settings: dict[str, str] = {}
    for variant in variants:
        name, equals, choice = (part.strip() for part in variant.partition("="))
        if not equals or name in settings:
            problem = "variant twice" if equals else "variant without value"
            raise errors.InvalidBoard(text=board, problem=problem, part=variant)
        settings[name] = choice
    game = load(key.strip())
    try:
        number = read_number(value)
    except errors.InvalidNumber as error:
        raise errors.InvalidBoard(
            text=board, problem="not a number", part=value, number=error
        ) from error
    return Number(game.having(**settings) if settings else game, number)
