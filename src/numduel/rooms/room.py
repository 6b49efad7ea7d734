"""A room as it stands: two seats, a match, what was agreed about it, and what may be agreed."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple

from numduel.arithmetic import count_digits
from numduel.board import Board
from numduel.errors import InvalidSetup, NotAllowed, TooManyDigits
from numduel.match import Over, Record, Referee, Setup, Turn, write_notation
from numduel.players import PERSON, player_words
from numduel.rooms.tokens import hashed
from numduel.thinking.questions import position
from numduel.thinking.thinkers import Thinkers

CLOCK = (10, 86_400)  # the least and the most seconds that a clock may give
UNUSED = timedelta(days=1)  # how long a room is kept in which nothing happens after it was opened
RESTING = timedelta(hours=1)  # without a change; then it may have to make room for another


class Terms(NamedTuple):
    """What a room is opened with. `players` are words of `player_words()`."""

    board: Board
    players: tuple[str, str] = (PERSON, PERSON)
    first: int = 0
    overshoot: str = "again"
    penalty: int | None = None
    takeback: bool = True
    seconds: int | None = None  # what the clock gives each player; None for no clock


class Bounds(NamedTuple):
    """How much one database of rooms takes."""

    digits: int = 100  # digits of a number: its moves are checked at once, so it has to stay small
    numbers: int = 12  # numbers on a board
    rooms: int = 50_000
    days: int = 30  # days after its last change that a room is kept

    def check_move(self, text: str) -> None:
        """Raise `TooManyDigits` for a move longer than any number: checking it takes long."""
        digits = sum(map(str.isdigit, text))
        most = self.digits + len(str(self.numbers))
        if digits > most:
            raise TooManyDigits(digits=digits, limit=most)

    async def check_terms(self, terms: Terms, thinkers: Thinkers) -> None:
        """Raise what does not fit: the size, the players, the clock, or a board without a move.
        Players are built-in ones, so that nothing sent here starts a program or reaches an address.
        A computer has to find a first move within its time.
        """
        numbers = terms.board.numbers
        if len(numbers) > self.numbers:
            raise NotAllowed(problem="numbers", limit=self.numbers)
        digits = max(count_digits(number.value) for number in numbers)
        if digits > self.digits:
            raise TooManyDigits(digits=digits, limit=self.digits)
        for word in terms.players:
            if word not in player_words():
                raise InvalidSetup("unknown player", text=word, known=player_words())
        if PERSON not in terms.players:
            raise NotAllowed(problem="no person")
        least, most = CLOCK
        if terms.seconds is not None and not least <= terms.seconds <= most:
            raise no_clock()
        board = str(terms.board)
        known = await thinkers.ask(position.moves, board=board, most=1)
        if not known["moves"]:
            raise NotAllowed(problem="over" if known["complete"] else "unknown moves")
        for word in {*terms.players} - {PERSON}:
            await thinkers.ask(position.move, board=board, player=word, seed=0)


def no_clock() -> NotAllowed:
    return NotAllowed(problem="minutes", least=CLOCK[0], hours=CLOCK[1] // 3600)


class Seat(NamedTuple):
    player: str  # the word of who plays there: "person", "level:3", ...
    name: str
    taken: bool

    @property
    def is_person(self) -> bool:
        return self.player == PERSON


class Clock(NamedTuple):
    """The seconds left to both players when the turn began, and when that was."""

    left: tuple[float, float]
    since: float | None  # seconds since 1970; None while no clock runs

    def remaining(self, player: int, to_move: int, now: float) -> float:
        used = 0.0 if self.since is None or player != to_move else max(0.0, now - self.since)
        return max(0.0, self.left[player] - used)

    def at(self, to_move: int, now: float, since: float | None) -> "Clock":
        """The clock when the turn ends, or is interrupted, now; the next begins `since`."""
        first, second = (self.remaining(player, to_move, now) for player in (0, 1))
        return Clock((first, second), since)


class Done(NamedTuple):
    """The last change that a seat made: the version that came of it, and what was said."""

    version: int = 0
    said: str = ""


@dataclass(frozen=True)
class Room:
    """A snapshot of a room; a change makes another one. Numbers of rows are 0 until it is kept."""

    code: str
    host: str  # the hash of who opened it; nobody's in a class
    opened: datetime
    changed: datetime
    record: Record
    replay: str  # the code of the match's replay
    tokens: tuple[str | None, str | None]  # hashes of who sits there
    takeback: bool = True
    seconds: int | None = None
    clock: Clock | None = None
    wins: tuple[int, int] = (0, 0)
    round: int = 1
    asked: int | None = None  # the seat that asks for a takeback
    offered: int | None = None  # the seat that offers a rematch
    bad_inputs: int = 0
    position: int = 0  # the version since which the match stands as it does
    class_code: str | None = None
    hints: bool = True
    held: str | None = None  # why nobody may play now, as a problem of `NotAllowed`; None: they may
    done: tuple[Done, Done] = (Done(), Done())
    version: int = 1  # grows with every change
    id: int = 0
    match_id: int = 0
    turns: tuple[Turn, ...] = ()
    over: Over | None = None
    days: int = 30  # how long it is kept after its last change

    def but(self, **values: Any) -> "Room":
        """The next snapshot, in which these are so. All fields are copied at once: a move makes
        several snapshots, and `dataclasses.replace` takes ten times as long.
        """
        assert values.keys() <= Room.__dataclass_fields__.keys(), values.keys()
        made = object.__new__(Room)
        made.__dict__.update(self.__dict__, **values)
        made.__dict__.pop("seats", None)
        return made

    @property
    def setup(self) -> Setup:
        return self.record.setup

    @property
    def notation(self) -> str:
        return write_notation(self.record)

    def may_have_hint(self, seat: int | None) -> bool:
        """May whoever sits there be given a hint now? In turn, against a computer, if allowed."""
        ready = self.hints and not self.over and not self.is_open and not self.held
        return ready and seat == self.player and not self.seats[1 - self.player].is_person

    @property
    def expires(self) -> datetime:
        days = timedelta(days=self.days)
        return self.changed + (min(days, UNUSED) if self.version == 1 else days)

    @cached_property
    def seats(self) -> tuple[Seat, Seat]:
        first, second = (
            Seat(player, name, player != PERSON or token is not None)
            for player, name, token in zip(
                self.record.players, self.setup.names, self.tokens, strict=True
            )
        )
        return (first, second)

    @property
    def board(self) -> Board:
        return self.turns[-1].board if self.turns else self.setup.board

    @property
    def ply(self) -> int:
        return len(self.turns)

    @property
    def player(self) -> int:
        return (self.record.setup.first + len(self.turns)) % 2

    @property
    def next_first(self) -> int:
        """Who begins in a rematch: the other player, but who lost to a computer begins again."""
        if self.over and not self.seats[self.over.winner].is_person:
            return 1 - self.over.winner
        return 1 - self.setup.first

    @property
    def is_open(self) -> bool:
        return not (self.seats[0].taken and self.seats[1].taken)

    @property
    def waits_for_computer(self) -> bool:
        ready = not self.over and not self.is_open and not self.held
        return ready and not self.seats[self.player].is_person

    @property
    def clock_runs(self) -> bool:
        return self.clock is not None and self.clock.since is not None and not self.over

    def seat_of(self, token: str | None) -> int | None:
        """The seat of who has this token; None for a watcher."""
        if token is None:
            return None
        mine = hashed(self.class_code or self.code, token)
        return next((seat for seat in (0, 1) if self.tokens[seat] == mine), None)

    def is_host(self, token: str | None) -> bool:
        return token is not None and self.host == hashed(self.code, token)

    def before_answer(self) -> "Room":
        """The room as it stood before the computer's last move, for who has not seen it yet."""
        if not self.turns or self.seats[self.turns[-1].player].is_person:
            return self
        return self.but(version=self.version - 1, turns=self.turns[:-1], over=None)

    def referee(self) -> Referee:
        referee = Referee(self.setup)
        referee.turns, referee.over = list(self.turns), self.over
        referee.bad_inputs = self.bad_inputs
        return referee
