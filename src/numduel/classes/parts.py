"""What a class consists of: pupils, rounds, tables, questions, votes, guesses, puzzles."""

import re
from enum import StrEnum
from typing import NamedTuple

from numduel.board import Board
from numduel.errors import UnknownGame
from numduel.games import keys
from numduel.match import Record

LARGEST = 100
"""The largest number on a class's map."""


def rules_of(board: Board) -> str:
    """By what the board's one number is played: its text without the value."""
    number = str(board.numbers[0]).replace(f":{board.numbers[0].value}", "", 1)
    return number + str(board)[len(str(board.numbers[0])) :]


def board_of(rules: str, value: int | None = None) -> Board:
    """The board of this value, or of the least that a map shows. Raises what a text breaks."""
    key = re.split("[,~]", rules)[0]
    rest = rules[len(key) :]
    if ":" in key:  # a map has one number
        raise UnknownGame(key=key, known=keys())
    if value is None:
        value = max(1, Board.parse(f"{key}:{LARGEST}{rest}").numbers[0].game.least)
    return Board.parse(f"{key}:{value}{rest}")


class Stage(StrEnum):
    """What everybody sees now."""

    GATHERING = "gathering"
    ROUND = "round"
    PAUSED = "paused"
    QUESTION = "question"
    MAP = "map"
    PUZZLES = "puzzles"


class Shows(StrEnum):
    """What the projector shows."""

    STAGE = "stage"
    """What everybody sees now; the wall while a round is played."""
    CODE = "code"
    WALL = "wall"
    MAP = "map"
    LEARNED = "learned"


class Pupil(NamedTuple):
    """Somebody in a class. Numbers are never given twice in a class."""

    number: int
    name: str
    token: str
    """Hashed."""
    seat: int = 0
    """At the door: the number of the pupil whom they say they are, on another device; or 0."""


class Teacher(NamedTuple):
    """A device that teaches: the first one's, or its key's, without a name; or who was let in."""

    token: str
    """Hashed."""
    name: str = ""


class RoundPlan(NamedTuple):
    """What a round is played by."""

    board: Board
    opponent: str = "person"
    """A word of `player_words()`: "person" for pairs, or the computer whom everybody meets."""
    hints: bool = False
    takebacks: bool = True
    seconds: int | None = None
    pairing: str = "random"
    """ "random", "winners", "hand", or "same" for those who met in the last round."""
    pairs: tuple[tuple[int, int | None], ...] = ()
    """By hand: numbers of pupils, None for a computer. Who is left out is paired at random."""


class Round(NamedTuple):
    """A round of a class, counted from 1."""

    number: int
    plan: RoundPlan
    ended: bool = False


class Table(NamedTuple):
    """A room of a round, by its code, and the pupils there by number; None for a computer."""

    room: str
    round: int
    pupils: tuple[int | None, int | None]


UNKNOWN = "?"
"""For winning moves that are too many or too hard to find."""


class Question(NamedTuple):
    """A board that the class discusses."""

    number: int
    board: Board
    shown: int = 0
    """0 while pupils vote; then 1 the votes, 2 the perfect player's reply, 3 the reason."""
    winning: str | None = None
    """The winning moves, with blanks between them, or `UNKNOWN`; None while they are looked for,
    and to pupils."""


class Vote(NamedTuple):
    question: int
    pupil: int
    move: str


class Guess(NamedTuple):
    game: str
    value: int
    pupil: int
    trap: bool


class Posed(NamedTuple):
    """A puzzle of a set; both are counted from 1."""

    set: int
    number: int
    board: Board
    asks: str
    """ "move" or "winner"."""
    solution: str
    """The right answers, with blanks between them; to pupils none."""


class Answer(NamedTuple):
    """The first answer of a pupil to a puzzle."""

    set: int
    number: int
    pupil: int
    text: str
    right: bool


class Played(NamedTuple):
    round: int
    pupils: tuple[int | None, int | None]
    """Who sat at the two seats; None for a computer, and for who was removed."""
    record: Record
    id: int = 0
