"""What the API answers about games, boards, matches and puzzles."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from numduel.analysis import Judgement
from numduel.match import Ending
from numduel.web.api.shapes import (
    BoardText,
    MoveText,
    PlayerNumber,
    PlayerWord,
    Taken,
    Told,
)

Outcome = Literal["win", "loss"]
ANSWER = 4_200
"""Characters of an answer to a puzzle."""
WORD = 100
"""Characters of a key, a day or a seed."""


class Game(Told):
    """A game that can be played here."""

    key: str = Field(examples=["divisor-duel"])
    title: str = Field(examples=["Divisor Duel"])
    summary: str
    default_start: int
    least: int = Field(description="The smallest number that can occur.")
    variants: dict[str, list[str]] = Field(description="Each variant's values, the usual first.")
    policies: list[Literal["overshoot", "penalty"]]
    board: BoardText = Field(description="A board to begin with.")


class Games(Told):
    """All games, and who plays them."""

    games: list[Game]
    players: list[PlayerWord]


class LegalMove(Told):
    """A move, and what it leaves."""

    move: MoveText = Field(description="As you send it.")
    place: int = Field(ge=1, description="Which number of the board, counted from 1.")
    amount: str
    left: str = Field(description="What that number is afterwards.")
    ends: bool = Field(description="Does the other player have no move then?")


class Moves(Told):
    """The first legal moves of a board."""

    complete: bool = Field(description="Are these all?")
    count: int | None = Field(description="How many there are; null where that is not known.")
    moves: list[LegalMove]


class Verdict(Told):
    """Who wins a board with best play, and why."""

    board: BoardText
    misere: bool
    outcome: Outcome = Field(description="For the player to move.")
    grundy: int | None = Field(description="The Grundy value; null where it is not known.")
    winning_moves: list[str]
    complete: bool = Field(description="Are these all winning moves?")
    method: str = Field(examples=["theorem", "search"])
    holds: str = Field(description="What the verdict rests on.")
    why: list[str]
    argument: list[str] = Field(description="The same at length.")


class Map(Told):
    """Which numbers of a game are lost for the player to move."""

    title: str
    game: str
    settings: dict[str, str]
    misere: bool
    numbers: list[int]
    lost: list[int]
    values: list[int] | None


class Hint(Told):
    """Something to think about."""

    text: str


class JudgedMove(Told):
    """A turn of a match, judged."""

    turn: int
    player: PlayerNumber
    board: BoardText
    move: str
    outcome_before: str | None
    outcome_after: str | None
    best: str | None
    judgement: Judgement
    mistake: bool


class Row(Told):
    """A turn as a table shows it."""

    turn: int
    player: PlayerNumber
    name: str
    move: str
    left: str
    words: str
    said: str
    mistake: bool
    lost_left: bool | None
    place: int


class Analysis(Told):
    """Where a match was decided."""

    match: str
    board: BoardText
    names: list[str]
    winner: PlayerNumber | None
    ending: Ending | None
    given_up: PlayerNumber | None = Field(
        description="Who resigned, forfeited or overshot while winning."
    )
    no_choice: bool = Field(description="Whether the same player wins whatever anybody plays.")
    moves: list[JudgedMove]
    turning_point: int | None = Field(description="The turn that lost a won match.")
    kept: list[int] = Field(description="Wins that each player kept.")
    keepable: list[int] = Field(description="Wins that each player could have kept.")
    accuracy: list[float | None]
    headline: str
    rows: list[Row]
    conclusions: list[str]
    svg: str = Field(description="The path of the match as a picture.")


class Replay(Told):
    """A match that was played in a room."""

    code: str
    match: str
    start: BoardText
    names: list[str]
    players: list[PlayerWord]
    first: PlayerNumber
    turns: list[str]
    winner: PlayerNumber | None
    ending: Ending | None


class Puzzle(Told):
    """A board and a question."""

    board: BoardText
    game: str
    asks: Literal["move", "winner"]
    question: str
    rating: int
    day: str | None


class PuzzleAnswer(Taken):
    """An answer to the puzzle of a day or of a seed, as it was asked for."""

    answer: str = Field(min_length=1, max_length=ANSWER, examples=["15"])
    day: Annotated[str, Field(max_length=WORD)] | None = None
    seed: Annotated[str, Field(max_length=WORD)] | None = None
    kind: Annotated[str, Field(max_length=WORD)] | None = None
    rating: Annotated[int, Field(ge=0, le=10_000)] | None = None


class PuzzleSolution(Told):
    """Was it right?"""

    solved: bool
    solution: str
    why: list[str]


class LessonStep(Told):
    """A step of a tutorial."""

    number: int
    title: str
    says: str
    board: BoardText
    asks: Literal["move", "winner", "match"]
    hint: str


class Lesson(Told):
    """A game's tutorial."""

    game: str
    title: str
    steps: list[LessonStep]


class StepAnswer(Taken):
    """An answer to a step of a tutorial."""

    answer: str = Field(min_length=1, max_length=ANSWER, examples=["3"])


class StepSaid(Told):
    """What is said to the answer."""

    solved: bool
    said: str
