"""What players do in a room. As in `changes.py`, rooms go in and rooms come out."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple, dataclass_transform

from numduel.errors import NotAllowed, NotSeated, NumduelError
from numduel.match import BadInput, Moved, Over, Passed
from numduel.rooms.changes import carried_on, forfeit, next_round, time_is_up, touched, with_seat
from numduel.rooms.room import Done, Room

MOST_TURNS = 10_000  # of one match: each change costs as much as the match is long
MOST_MATCHES = 1_000  # of one room: each is kept for as long as the room


class Outcome(NamedTuple):
    """How the room stands then, None where nothing changes; and what was wrong, if anything."""

    room: Room | None
    problem: NumduelError | None = None


@dataclass_transform(frozen_default=True)
class Action:
    """Something that a player does. Its fields are all that it says."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    def seen(self, room: Room, seat: int) -> int:
        """The version that the player must have seen, besides that of the player's last change."""
        return 0

    def apply(self, room: Room, seat: int, now: float) -> Outcome:
        """What comes of it. Raises `NotAllowed`, or `NotSeated`, where it cannot be done."""
        raise NotImplementedError


def act(room: Room, now: float, token: str | None, version: int, action: Action) -> Outcome:
    """Do it for who has the token. Sent again, it changes nothing, whatever has happened since.
    Raises `NotSeated` for who is no player, and `NotAllowed` where the player has done something
    since this version of the room, or has not seen what the action answers.
    """
    seat = room.seat_of(token)
    if seat is None:
        raise NotSeated(code=room.code, needs="seat")
    said = blake2b(f"{version} {action!r}".encode(), digest_size=8).hexdigest()
    mine = room.done[seat]
    if mine.said == said:
        return Outcome(None)
    if room.held is not None:
        raise NotAllowed(problem=room.held)
    if not max(mine.version, action.seen(room, seat)) <= version <= room.version:
        raise NotAllowed("stale", version=version, now=room.version)
    after, problem = action.apply(room, seat, now)
    return Outcome(None if after is None else _signed(after, seat, said), problem)


def play_for_computer(room: Room, now: float, version: int, text: str | None) -> Outcome:
    """The move of the computer to move; None where it found none, and forfeits."""
    if room.version != version or not room.waits_for_computer:
        return Outcome(None)
    after = None if text is None else Play(text).apply(room, room.player, now).room
    return Outcome(_signed(after, room.player, "") if after else forfeit(room, now))


def call_time(room: Room, now: float) -> Outcome:
    return Outcome(forfeit(room, now) if time_is_up(room, now) else None)


class Play(Action):
    """A move. Bad input, and a move that comes after its time, are the outcome's problem."""

    text: str

    def seen(self, room: Room, seat: int) -> int:
        return room.position

    def apply(self, room: Room, seat: int, now: float) -> Outcome:
        _check_running(room)
        if seat != room.player:
            raise NotAllowed("not your turn", code=room.code)
        if room.ply >= MOST_TURNS:
            raise NotAllowed(problem="turns", limit=MOST_TURNS)
        if time_is_up(room, now):
            return Outcome(forfeit(room, now), NotAllowed(problem="time is up"))
        referee = room.referee()
        events = referee.enter(self.text)
        error = next((event.error for event in events if isinstance(event, BadInput)), None)
        if {type(event) for event in events} & {Moved, Passed, Over}:
            return Outcome(carried_on(room, referee, now), error)
        if room.setup.penalty is None:
            return Outcome(None, error)
        return Outcome(touched(room, now, bad_inputs=referee.bad_inputs), error)


class Resign(Action):
    """Give the match up, on either player's turn."""

    def apply(self, room: Room, seat: int, now: float) -> Outcome:
        _check_running(room)
        referee = room.referee()
        referee.resign(seat)
        return Outcome(carried_on(room, referee, now))


class AskTakeback(Action):
    """Ask to take one's own last move back. A computer agrees at once."""

    def apply(self, room: Room, seat: int, now: float) -> Outcome:
        _check_running(room)
        if not room.takeback:
            raise NotAllowed(problem="no takeback")
        if room.asked == 1 - seat:
            raise NotAllowed(problem="answer first")
        _turns_back(room, seat)
        if not room.seats[1 - seat].is_person:
            return Outcome(_taken_back(room, seat, now))
        return Outcome(None if room.asked == seat else touched(room, now, asked=seat))


class AnswerTakeback(Action):
    yes: bool

    def seen(self, room: Room, seat: int) -> int:
        return room.done[1 - seat].version

    def apply(self, room: Room, seat: int, now: float) -> Outcome:
        _check_running(room)
        if room.asked is None:
            raise NotAllowed(problem="not asked")
        if room.asked == seat:
            raise NotAllowed(problem="own question")
        if self.yes:
            return Outcome(_taken_back(room, room.asked, now))
        return Outcome(touched(room, now, asked=None))


class Rematch(Action):
    """Offer another match, or accept the offer. A computer accepts at once."""

    def apply(self, room: Room, seat: int, now: float) -> Outcome:
        if not room.over:
            raise NotAllowed(problem="match goes on")
        if room.round >= MOST_MATCHES:
            raise NotAllowed(problem="matches", limit=MOST_MATCHES)
        if room.offered == seat:
            return Outcome(None)
        if room.offered is None and room.seats[1 - seat].is_person:
            return Outcome(touched(room, now, offered=seat))
        return Outcome(next_round(room, now))


def _signed(room: Room, seat: int, said: str) -> Room:
    """The room as this seat has changed it, under the version that it will be saved by."""
    return room.but(done=with_seat(room.done, seat, Done(room.version + 1, said)))


def _check_running(room: Room) -> None:
    if room.over:
        raise NotAllowed("match over")
    if room.is_open:
        raise NotAllowed(problem="seat is free")


def _turns_back(room: Room, seat: int) -> int:
    for turns, turn in enumerate(reversed(room.turns), 1):
        if turn.player == seat:
            return turns
    raise NotAllowed(problem="nothing to take back")


def _taken_back(room: Room, seat: int, now: float) -> Room:
    referee = room.referee()
    referee.undo(_turns_back(room, seat))
    return carried_on(room, referee, now)
