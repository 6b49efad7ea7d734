"""What may be done in a room, and what comes of it: from one room to the next, nothing else.

Each function takes a room as it stands and gives how it stands afterwards; None where
nothing changes. Nothing here reads a clock, a database or a network.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from typing import NamedTuple, Protocol

from numduel.errors import (
    MatchOver,
    NotAllowed,
    NotSeated,
    NotYourTurn,
    NumduelError,
    SeatsTaken,
    StaleChange,
)
from numduel.match import BadInput, Moved, Over, Passed, Record, Referee, Setup
from numduel.rooms.names import with_name
from numduel.rooms.room import Room, Terms
from numduel.rooms.tokens import hashed, new_code
from numduel.store import KeptRoom
from numduel.store.rooms import Done

MOST_TURNS = 10_000
"""Turns of one match: each change costs as much as the match is long."""


class Outcome(NamedTuple):
    """How the room stands then, None where nothing changes; and what was wrong, if anything."""

    room: Room | None
    problem: NumduelError | None = None


class Action(Protocol):
    """Something that a player does. Its fields are all that it says."""

    def seen(self, room: Room, seat: int) -> int:
        """The version that the player must have seen, besides that of the player's last change."""

    def apply(self, room: Room, seat: int, now: float) -> Outcome:
        """What comes of it. Raises a `RoomError` or `MatchOver` where it cannot be done."""


def opened(terms: Terms, names: tuple[str, str], token: str, seat: int | None, now: float) -> Room:
    """A new room, hosted by who has the token and seated there; `seat` None for nowhere.

    Raises `InvalidSetup` for terms that do not fit together.
    """
    setup = Setup(terms.board, names, terms.first, terms.overshoot, terms.penalty)
    code, moment, seconds = new_code(), _moment(now), terms.seconds
    mine = hashed(code, token)
    kept = KeptRoom(
        code=code,
        host=mine,
        opened=moment,
        changed=moment,
        record=Record.of(Referee(setup), moment, terms.players),
        replay=new_code(),
        tokens=(mine if seat == 0 else None, mine if seat == 1 else None),
        takeback=terms.takeback,
        seconds=seconds,
        left=_full_clock(seconds),
    )
    room = Room(kept, (), None)
    return room if room.is_open or seconds is None else room.having(since=now)


def sit(room: Room, token: str, now: float, name: str = "") -> Room | None:
    """Take the free seat, under this name if it can be used.

    Raises `SeatsTaken`; sitting down twice changes nothing.
    """
    if room.seat_of(token) is not None:
        return None
    free = [seat for seat in (0, 1) if not room.seats[seat].taken]
    if not free:
        raise SeatsTaken(code=room.code)
    mine = hashed(room.code, token)
    first, second = room.kept.tokens
    tokens = (mine, second) if free[0] == 0 else (first, mine)
    full = len(free) == 1
    since = now if full and room.kept.left and not room.over else None
    setup = replace(room.setup, names=with_name(room.setup.names, free[0], name))
    record = replace(room.record, setup=setup)
    return room.having(record=record, tokens=tokens, changed=_moment(now), since=since)


def act(room: Room, seat: int, version: int, action: Action, now: float) -> Outcome:
    """Do it for the player at the seat, who has seen this version of the room.

    Sent again, it changes nothing, whatever has happened since. Raises `StaleChange` when
    it was not made for the room as it stands: the player has done something since, or has
    not seen what it answers.
    """
    said = _digest(version, action)
    mine = room.kept.done[seat]
    if mine.said == said:
        return Outcome(None)
    if not max(mine.version, action.seen(room, seat)) <= version <= room.version:
        raise StaleChange(version=version, now=room.version)
    after, problem = action.apply(room, seat, now)
    return Outcome(None if after is None else _signed(after, seat, said), problem)


def play_for_computer(room: Room, text: str | None, now: float) -> Room:
    """The move of the computer to move; None where it found none, and forfeits."""
    if text is not None:
        after = Play(text).apply(room, room.player, now).room
        if after is not None:
            return _signed(after, room.player, "")
    return forfeit(room, now)


@dataclass(frozen=True, slots=True)
class Play:
    """A move. Bad input, and a move that comes after its time, are the outcome's problem."""

    text: str

    def seen(self, room: Room, seat: int) -> int:
        return room.kept.position

    def apply(self, room: Room, seat: int, now: float) -> Outcome:
        _check_running(room)
        if seat != room.player:
            raise NotYourTurn(code=room.code)
        if room.ply >= MOST_TURNS:
            raise NotAllowed(problem="turns", limit=MOST_TURNS)
        if time_is_up(room, now):
            return Outcome(forfeit(room, now), NotAllowed(problem="time is up"))
        referee = room.referee()
        events = referee.enter(self.text)
        kinds = {type(event) for event in events}
        error = next((event.error for event in events if isinstance(event, BadInput)), None)
        if kinds & {Moved, Passed, Over}:
            return Outcome(_after(room, referee, now), error)
        if room.setup.penalty is None:
            return Outcome(None, error)
        counted = room.having(bad_inputs=referee.bad_inputs, changed=_moment(now))
        return Outcome(counted, error)


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the match up, on either player's turn."""

    def seen(self, room: Room, seat: int) -> int:
        return 0

    def apply(self, room: Room, seat: int, now: float) -> Outcome:
        _check_running(room)
        referee = room.referee()
        referee.resign(seat)
        return Outcome(_after(room, referee, now))


@dataclass(frozen=True, slots=True)
class AskTakeback:
    """Ask to take one's own last move back. A computer agrees at once.

    Whoever is asked has to answer before asking too.
    """

    def seen(self, room: Room, seat: int) -> int:
        return 0

    def apply(self, room: Room, seat: int, now: float) -> Outcome:
        _check_running(room)
        if not room.terms.takeback:
            raise NotAllowed(problem="no takeback")
        if room.asked == 1 - seat:
            raise NotAllowed(problem="answer first")
        _turns_back(room, seat)
        if not room.seats[1 - seat].is_person:
            return Outcome(_taken_back(room, seat, now))
        asks = room.having(asked=seat, changed=_moment(now))
        return Outcome(None if room.asked == seat else asks)


@dataclass(frozen=True, slots=True)
class AnswerTakeback:
    """Agree to the other player's takeback, or not."""

    yes: bool

    def seen(self, room: Room, seat: int) -> int:
        return room.kept.done[1 - seat].version

    def apply(self, room: Room, seat: int, now: float) -> Outcome:
        _check_running(room)
        if room.asked is None:
            raise NotAllowed(problem="not asked")
        if room.asked == seat:
            raise NotAllowed(problem="own question")
        if self.yes:
            return Outcome(_taken_back(room, room.asked, now))
        return Outcome(room.having(asked=None, changed=_moment(now)))


@dataclass(frozen=True, slots=True)
class Rematch:
    """Offer another match, or accept the offer: then the other player begins.

    A computer accepts at once. Offering twice changes nothing.
    """

    def seen(self, room: Room, seat: int) -> int:
        return 0

    def apply(self, room: Room, seat: int, now: float) -> Outcome:
        if not room.over:
            raise NotAllowed(problem="match goes on")
        if room.offered == seat:
            return Outcome(None)
        if room.offered is None and room.seats[1 - seat].is_person:
            return Outcome(room.having(offered=seat, changed=_moment(now)))
        return Outcome(_next_round(room, now))


def forfeit(room: Room, now: float) -> Room:
    """The player to move loses: the time is up, or a computer found no move."""
    referee = room.referee()
    referee.forfeit()
    return _after(room, referee, now)


def time_is_up(room: Room, now: float) -> bool:
    """Has the clock of the player to move run out?"""
    clock = room.clock
    if clock is None or not room.clock_runs:
        return False
    return clock.remaining(room.player, room.player, now) <= 0


def seated(room: Room, token: str | None) -> int:
    """The seat of who has the token. Raises `NotSeated`."""
    seat = room.seat_of(token)
    if seat is None:
        raise NotSeated(code=room.code, needs="seat")
    return seat


def _digest(version: int, action: Action) -> str:
    """What somebody said, in short: the same again gives the same."""
    return blake2b(f"{version} {action!r}".encode(), digest_size=8).hexdigest()


def _signed(room: Room, seat: int, said: str) -> Room:
    """The room as this seat has changed it, under the version that it will be saved by."""
    mine, (first, second) = Done(room.version + 1, said), room.kept.done
    return room.having(done=(mine, second) if seat == 0 else (first, mine))


def _next_round(room: Room, now: float) -> Room:
    setup = room.setup.beginning_with(room.next_first)
    seconds = room.kept.seconds
    kept = room.kept._replace(
        record=Record.of(Referee(setup), _moment(now), room.record.players),
        replay=new_code(),
        round=room.round + 1,
        asked=None,
        offered=None,
        bad_inputs=0,
        left=_full_clock(seconds),
        since=None if seconds is None else now,
        position=room.version + 1,
        changed=_moment(now),
    )
    return Room(kept, (), None, room.days)


def _check_running(room: Room) -> None:
    if room.over:
        raise MatchOver()
    if room.is_open:
        raise NotAllowed(problem="seat is free")


def _turns_back(room: Room, seat: int) -> int:
    """How many turns lead back to the seat's last one."""
    for turns, turn in enumerate(reversed(room.turns), 1):
        if turn.player == seat:
            return turns
    raise NotAllowed(problem="nothing to take back")


def _taken_back(room: Room, seat: int, now: float) -> Room:
    referee = room.referee()
    referee.undo(_turns_back(room, seat))
    return _after(room, referee, now)


def _after(room: Room, referee: Referee, now: float) -> Room:
    """The room once the referee has seen more of the match, or less."""
    first, second = room.wins
    if referee.over:
        first, second = first + (referee.over.winner == 0), second + (referee.over.winner == 1)
    left, clock = room.kept.left, room.clock
    if clock is not None:
        one, two = (clock.remaining(player, room.player, now) for player in (0, 1))
        left = (one, two)
    return room.after(
        referee,
        wins=(first, second),
        asked=None,
        offered=None,
        left=left,
        since=None if left is None or referee.over else now,
        position=room.version + 1,
        changed=_moment(now),
    )


def _full_clock(seconds: int | None) -> tuple[float, float] | None:
    return None if seconds is None else (float(seconds), float(seconds))


def _moment(now: float) -> datetime:
    return datetime.fromtimestamp(now, UTC)
