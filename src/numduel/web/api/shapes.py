"""What the API takes and answers, as /openapi.json describes it.

Answers are sent without a check: tests compare them with these shapes. What a thinker answers has
its type beside the question, and `told` makes a shape of it.
"""

from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict, get_original_bases

from numduel.match.events import MAX_PENALTY, PlayerNumber
from numduel.players import player_words
from numduel.rooms.room import CLOCK

ROOM_BOARD = 4_000  # characters of a board in play: longer ones have too many digits in any case
BOARD = 10_000  # characters of a board or match asked about: an address holds no more
MOVE = 4_200  # characters of a move or an answer: a number of the most digits, and its place
WORD = 100
VERSIONS = 1_000_000_000

BoardText = Annotated[str, Field(examples=["divisor-duel:60", "subtract-a-prime:20+power-play:30"])]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
PlayerWord = Annotated[
    str,
    Field(
        max_length=20,
        description="A person (anybody with a link, or a program), or a built-in opponent.",
        json_schema_extra={"enum": list(player_words())},
    ),
]


class Taken(BaseModel):
    """A body: nothing is guessed, and nothing is left over."""

    model_config = ConfigDict(strict=True, extra="forbid", use_attribute_docstrings=True)


class Told(BaseModel):
    """An answer: every field is always there."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


A = TypeVar("A")
Pair = Annotated[list[A], Field(min_length=2, max_length=2)]


def told(answer: type[A]) -> type[A]:
    """The type of an answer as a shape, described by the docstrings of its fields.

    Pydantic reads those of the class itself; those of its bases are added here.
    """
    bases = [TypeAdapter(told(b)) for b in get_original_bases(answer) if b is not TypedDict]

    def describe(schema: dict[str, Any]) -> None:
        for base in bases:
            for name, field in base.json_schema()["properties"].items():
                schema["properties"][name] = {**field, **schema["properties"][name]}

    return with_config(extra="forbid", use_attribute_docstrings=True, json_schema_extra=describe)(
        answer
    )


class Problem(Told):
    """What could not be done."""

    error: str = Field(description="One word for programs.", examples=["StaleChange"])
    message: str = Field(description="A sentence for people.")


class NewSeat(Taken):
    """Who takes the seat."""

    name: str = Field(
        "",
        max_length=WORD,
        description="Your name, cut to 20 letters and digits. Leave it empty for a random name,"
        " which you also get if the other player has that name.",
        examples=["Anna"],
    )


class NewRoom(NewSeat):
    """What a room is opened with, and who opens it."""

    board: str = Field(min_length=1, max_length=ROOM_BOARD, examples=["divisor-duel:60"])
    """The numbers, each with its game; `GET /api/games` names the games."""
    players: Pair[PlayerWord] = Field(["person", "person"], examples=[["person", "level:3"]])
    """Who plays at seat 1 and at seat 2. At least one is a person."""
    first: Annotated[int, Field(ge=1, le=2)] = 1  # of a Literal, true would be taken for 1
    """The seat that begins."""
    misere: bool = False
    """Whoever cannot move wins instead of losing."""
    overshoot: Literal["again", "loses"] = "again"
    """In Prime Subtractor: what happens to a prime above the total."""
    penalty: Annotated[int, Field(ge=1, le=MAX_PENALTY)] | None = None
    """In Power Play: how many bad inputs in a row cost the turn."""
    takeback: bool = True
    """May a player ask to take a move back?"""
    seconds: Annotated[int, Field(ge=CLOCK[0], le=CLOCK[1])] | None = None
    """What the clock gives each player; null for no clock."""
    seat: Annotated[int, Field(ge=0, le=2)] | None = None
    """Where you sit; null for the first person's seat, 0 to watch."""


class Act(Taken):
    """Something done in a room, and the version of the room that it answers."""

    version: int = Field(ge=1, le=VERSIONS, examples=[7])
    """The room's `version` when you chose. Sent twice, it is done once."""


class NewMove(Act):
    """A move, and the version of the room that it answers."""

    move: str = Field(min_length=1, max_length=MOVE, examples=["15"])
    """The number to play; on a board of several numbers with its place, like 2:15."""


class TakebackAnswer(Act):
    """Whether the other player may take the last move back."""

    yes: bool


class PuzzleAnswer(Taken):
    """An answer to the puzzle of a seed, as it was asked for."""

    answer: str = Field(min_length=1, max_length=MOVE, examples=["15"])
    seed: str = Field(max_length=WORD, examples=["numduel"])
    kind: Annotated[str, Field(max_length=WORD)] | None = None
    rating: Annotated[int, Field(ge=0, le=10_000)] | None = None
    place: Annotated[int, Field(ge=1, le=99)] | None = None


class StepAnswer(Taken):
    """An answer to a step of a tutorial."""

    answer: str = Field(min_length=1, max_length=MOVE, examples=["3"])


class Seat(Told):
    """One of the two seats."""

    seat: PlayerNumber
    name: str = Field(examples=["Calm Otter"])
    """The player's name, or the name that somebody without one would get."""
    player: PlayerWord
    taken: bool
    wins: int = Field(ge=0, description="Matches won in this room.")


class Takeback(Told):
    """About taking moves back."""

    allowed: bool
    asked_by: PlayerNumber | None = Field(description="The seat that is asking now.")


class Clock(Told):
    """Time left, as of this answer."""

    seconds: int = Field(description="What each player was given.")
    left: Pair[float] = Field(description="Seconds left, by seat.")
    running: PlayerNumber | None = Field(description="The seat whose time runs.")


class Over(Told):
    """How the match ended."""

    winner: PlayerNumber
    ending: Literal["no-move", "resigned", "overshot", "forfeited"]
    player: PlayerNumber
    """Who could not move, resigned, overshot, or ran out of time."""


class Addresses(Told):
    """Where else the room is, on this server."""

    page: str = Field(description="For people.", examples=["/room/k3v9t2mq7d"])
    live: str = Field(description="A WebSocket that announces every new version.")
    replay: str = Field(description="The match, turn by turn.")


class Room(Told):
    """A room as it stands."""

    code: str = Field(description="The room's short address.", examples=["k3v9t2mq7d"])
    version: int = Field(ge=1)
    """Grows with every change. Send it along with whatever you do."""
    round: int = Field(ge=1, description="Which match of the room this is.")
    start: BoardText = Field(description="The board that the match began with.")
    board: BoardText = Field(description="The board now.")
    misere: bool
    ply: int = Field(ge=0, description="Turns taken.")
    to_move: PlayerNumber | None
    """The seat to move; null while a seat is free, and after the end."""
    seats: Pair[Seat]
    you: PlayerNumber | None = Field(description="Your seat, by the token you sent.")
    host: bool = Field(description="Did you open the room?")
    takeback: Takeback
    rematch_offered_by: PlayerNumber | None
    clock: Clock | None
    turns: list[str]
    """The last 50 moves; "pass" for a turn that was lost. The replay has all."""
    over: Over | None
    match: str | None = Field(examples=["divisor-duel:60/15.15"])
    """The match's notation, for `GET /api/analysis`; null after 50 turns."""
    replay: str = Field(description="The code of the match's replay.")
    expires: Moment = Field(description="When the room is deleted if nothing happens.")
    addresses: Addresses


class Seated(Told):
    """The room, and your token."""

    room: Room
    token: str | None = Field(
        description="Send it as `Authorization: Bearer TOKEN`, and keep it secret. It is not shown "
        "again. Null where a browser's cookie already says who you are.",
        examples=["Vq0l2o9xR7mW5cY8bN3tKQ"],
    )
