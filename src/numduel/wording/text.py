"""Small pieces of text: numbers in short, quoted input, who is meant, moves and lists of them."""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import islice

from numduel.arguments import checked
from numduel.arithmetic import count_digits
from numduel.board import Board, Move, Number
from numduel.errors import InvalidGame, TooLarge
from numduel.match import Series
from numduel.wording.players import ANYBODY

FEW = 15  # lists of moves up to this long are shown whole
DIVISION: ContextVar[str] = ContextVar("DIVISION", default="/")
"""The sign of a division in moves that may be typed: "/" is on every keyboard. Pages set "÷", which
their buttons show; both are read."""

_FIRST, _LAST = 6, 3
_TAIL_DIGITS = 100  # the last moves are looked for below numbers of up to this many digits


@checked
def brief(n: int) -> str:
    """The number; beyond 30 digits its ends and how many digits it has."""
    text = str(n)
    if len(text) <= 30:
        return text
    return f"{text[:6]}...{text[-6:]} ({len(text):,} digits)"


def tail(n: int) -> str:
    """The number as it fits on a button; beyond 12 digits its last ones."""
    text = str(n)
    return text if len(text) <= 12 else f"…{text[-6:]}"


@checked
def quoted(text: str, limit: int = 40) -> str:
    """What somebody typed, in quotes, on one line, without control characters, in short."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[: limit + 1])
    if len(shown) > limit or len(text) > limit:
        shown = f"{shown[: limit - 3]}..."
    return f'"{shown}"'


@checked
def joined(words: list[str], last: str = "or") -> str:
    """Words as a sentence has them: a, b or c."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def counted(count: int, what: str, many: str = "") -> str:
    """How many of something: "1 turn", "2 turns"."""
    return f"{count} {what if count == 1 else many or f'{what}s'}"


def series_words(series: Series | None) -> str:
    """Which match of a series is to be played: " Match 2 in a best of 3."; nothing without one."""
    return f" Match {series.played + 1} in a best of {series.length}." if series else ""


@dataclass(frozen=True, slots=True)
class Subject:
    """A player in a sentence. As text, as it stands at the beginning: "You", "Alice"."""

    name: str
    is_you: bool = False

    def __str__(self) -> str:
        return "You" if self.is_you else self.name

    def __format__(self, verb: str) -> str:
        """With what somebody does: f"{who:play}" is "You play", or "Alice plays"."""
        return f"{self} {self.form(verb, f'{verb}s')}" if verb else str(self)

    @property
    def inside(self) -> str:
        """The same within a sentence: "you", "Alice", "a player"."""
        return "you" if self.is_you else "a player" if self.name == ANYBODY else self.name

    @property
    def whose(self) -> str:
        """What is theirs, at the beginning of a sentence: "Your", "Alice's"."""
        return "Your" if self.is_you else f"{self.name}'s"

    def told(self, what: str) -> str:
        """What somebody is asked to do: "Alice, enter a digit", or "Enter a digit"."""
        return f"{what[0].upper()}{what[1:]}" if self.is_you else f"{self.name}, {what}"

    def form(self, you: str, other: str) -> str:
        """The form of a word that goes with it: `form("have", "has")`."""
        return you if self.is_you else other


def operation(number: Number, amount: int) -> tuple[str, int]:
    """How a legal move is shown: a sign and a figure, "÷" and 2 where it halves the number."""
    divisor = number.game.divides(number.value, amount)
    return ("\N{MINUS SIGN}", amount) if divisor is None else ("÷", divisor)


def shown_move(board: Board, move: Move) -> str:
    """A legal move with its sign, as "−7" or "÷2"."""
    sign, figure = operation(board.numbers[move.place], move.amount)
    return f"{sign}{brief(figure)}"


def instruction(number: Number, amount: int) -> str:
    """What a move does, to be read out: "Divide by 5"."""
    divisor = number.game.divides(number.value, amount)
    return f"Subtract {brief(amount)}" if divisor is None else f"Divide by {brief(divisor)}"


def typed_move(board: Board, move: Move, shown: Callable[[int], str] = str) -> str:
    """A move as it may be typed, at its full length."""
    text = _written(board.numbers[move.place], move.amount, shown)
    return f"{move.place + 1}:{text}" if len(board.numbers) > 1 else text


def short_move(board: Board, move: Move) -> str:
    """The same, a long amount in short."""
    return typed_move(board, move, brief)


_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")


def said_move(board: Board, move: Move) -> str:
    """A move as a person reads it: on a board of several numbers "11 from the second number"."""
    if len(board.numbers) == 1:
        return typed_move(board, move)
    sign, figure = operation(board.numbers[move.place], move.amount)
    named = move.place < len(_PLACES)
    place = f"the {_PLACES[move.place]} number" if named else f"number {move.place + 1}"
    return f"÷{brief(figure)} on {place}" if sign == "÷" else f"{brief(figure)} from {place}"


def listed_moves(number: Number, join: str = ", ", few: int = FEW) -> str:
    """The legal moves of one number: all when they are few, else first, last and how many."""
    game, value = number
    moves: list[int] = []

    def shortened(*last: int) -> str:
        first = moves[: few * _FIRST // FEW]
        return join.join([*map(brief, first), "...", *map(brief, last)])

    try:
        for move in islice(game.moves(value), few + 1):
            moves.append(move)  # noqa: PERF402  what came before an error counts
        if len(moves) <= few:
            return join.join(_written(number, move) for move in moves) or "None"
        text, count = shortened(*_last_moves(number, few * _LAST // FEW)), game.count(value)
        return text if count is None else f"{text} ({count:,} in all)"
    except TooLarge as error:
        limit = f"too large to factor: more than {error.limit} digits"
        return f"{shortened()} (not all known, {limit})" if moves else f"not listed ({limit})"


def _written(number: Number, amount: int, shown: Callable[[int], str] = brief) -> str:
    """A move as it may be typed: a division as one, in a game that also subtracts."""
    game, value = number
    divisor = game.divides(value, amount) if game.divisors else None
    return shown(amount) if divisor is None else f"{DIVISION.get()}{divisor}"


def _last_moves(number: Number, count: int) -> list[int]:
    """The largest moves in ascending order; none where finding them takes long."""
    if count_digits(number.value) > _TAIL_DIGITS:
        return []
    try:
        return list(islice(number.game.moves_down(number.value), count))[::-1]
    except InvalidGame:
        return []
