"""What a class consists of: pupils, rounds, tables, questions, votes, guesses, puzzles."""

import re
from enum import StrEnum
from typing import NamedTuple

from numduel.board import Board
from numduel.errors import UnknownGame
from numduel.games import keys
from numduel.match import Record

LARGEST = 100  # the largest number on a class's map
UNKNOWN = "?"  # for winning moves that are too many or too hard to find


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

    STAGE = "stage"  # what everybody sees now; the wall while a round is played
    CODE = "code"
    WALL = "wall"
    MAP = "map"
    LEARNED = "learned"


class Pupil(NamedTuple):
    number: int  # never given twice in a class
    name: str
    token: str  # hashed
    seat: int = 0  # at the door: the pupil whom they say they are, on another device


class Teacher(NamedTuple):
    """A device that teaches: the first one's, or its key's, without a name; or who was let in."""

    token: str  # hashed
    name: str = ""


class RoundPlan(NamedTuple):
    board: Board
    opponent: str = "person"  # or the word of the computer whom everybody meets
    hints: bool = False
    takebacks: bool = True
    seconds: int | None = None
    pairing: str = "random"  # or "winners", "hand", "same" for those who met in the last round
    pairs: tuple[tuple[int, int | None], ...] = ()
    """By hand: numbers of pupils, None for a computer. Who is left out is paired at random."""


class Round(NamedTuple):
    """Counted from 1."""

    number: int
    plan: RoundPlan
    ended: bool = False


class Table(NamedTuple):
    """A room of a round, by its code, and the pupils there by number; None for a computer."""

    room: str
    round: int
    pupils: tuple[int | None, int | None]


class Question(NamedTuple):
    number: int
    board: Board
    shown: int = 0  # 0 while pupils vote; then the votes, the perfect player's reply, the reason
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
    asks: str  # "move" or "winner"
    solution: str  # the right answers, with blanks between them; to pupils none


class Answer(NamedTuple):
    """The first answer of a pupil to a puzzle."""

    set: int
    number: int
    pupil: int
    text: str
    right: bool


class Played(NamedTuple):
    """A match, and who sat at its seats; None for a computer, and for who was removed."""

    round: int
    pupils: tuple[int | None, int | None]
    record: Record
    id: int = 0
