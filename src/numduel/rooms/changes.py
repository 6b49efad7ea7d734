"""What may be done in a room, and what comes of it: from one room to the next, nothing else.

Each function takes a room as it stands and gives how it stands afterwards; None where
nothing changes. Nothing here reads a clock, a database or a network.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from numduel.errors import (
    MatchOver,
    NotAllowed,
    NotSeated,
    NotYourTurn,
    NumduelError,
    SeatsTaken,
    StaleMove,
)
from numduel.match import BadInput, Ending, Moved, Over, Passed, Record, Referee, Setup
from numduel.rooms.room import Room, Terms
from numduel.rooms.tokens import hashed, new_code
from numduel.store import KeptRoom

MOST_TURNS = 10_000
"""Turns of one match: each change costs as much as the match is long."""


class Played(NamedTuple):
    """What came of a move: how the room stands, and what was wrong with the move, if anything."""

    room: Room | None
    problem: NumduelError | None = None


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


def sit(room: Room, token: str, now: float) -> Room | None:
    """Take the free seat. Raises `SeatsTaken`; sitting down twice changes nothing."""
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
    return room.having(tokens=tokens, changed=_moment(now), since=since)


def play(room: Room, seat: int, ply: int, text: str, now: float) -> Played:
    """The move of a seat, which answers the position after `ply` turns.

    The same move sent again changes nothing. Raises `StaleMove`, `MatchOver`,
    `NotAllowed` or `NotYourTurn`; bad input, and a move that comes after its time,
    come back as the problem.
    """
    if _is_repeat(room, seat, ply, text):
        return Played(None)
    _check_running(room)
    if ply != room.ply:
        raise StaleMove(ply=ply, now=room.ply)
    if seat != room.player:
        raise NotYourTurn(code=room.code)
    if ply >= MOST_TURNS:
        raise NotAllowed(problem="turns", limit=MOST_TURNS)
    if time_is_up(room, now):
        return Played(forfeit(room, now), NotAllowed(problem="time is up"))
    referee = room.referee()
    events = referee.enter(text)
    kinds = {type(event) for event in events}
    error = next((event.error for event in events if isinstance(event, BadInput)), None)
    if kinds & {Moved, Passed, Over}:
        return Played(_after(room, referee, now), error)
    if room.setup.penalty is None:
        return Played(None, error)
    counted = room.having(bad_inputs=referee.bad_inputs, changed=_moment(now))
    return Played(counted, error)


def resign(room: Room, seat: int, now: float) -> Room:
    """Give the match up, on either player's turn."""
    _check_running(room)
    referee = room.referee()
    referee.resign(seat)
    return _after(room, referee, now)


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


def ask_takeback(room: Room, seat: int, now: float) -> Room | None:
    """Ask to take the own last move back. A computer agrees at once.

    Asking twice changes nothing; whoever is asked has to answer before asking too.
    """
    _check_running(room)
    if not room.terms.takeback:
        raise NotAllowed(problem="no takeback")
    if room.asked == 1 - seat:
        raise NotAllowed(problem="answer first")
    _turns_back(room, seat)
    if not room.seats[1 - seat].is_person:
        return _taken_back(room, seat, now)
    return None if room.asked == seat else room.having(asked=seat, changed=_moment(now))


def answer_takeback(room: Room, seat: int, yes: bool, now: float) -> Room:
    """Agree to the other player's takeback, or not."""
    _check_running(room)
    if room.asked is None:
        raise NotAllowed(problem="not asked")
    if room.asked == seat:
        raise NotAllowed(problem="own question")
    if yes:
        return _taken_back(room, room.asked, now)
    return room.having(asked=None, changed=_moment(now))


def rematch(room: Room, seat: int, now: float) -> Room | None:
    """Offer another match, or accept the offer: then the other player begins.

    A computer accepts at once. Offering twice changes nothing.
    """
    if not room.over:
        raise NotAllowed(problem="match goes on")
    if room.offered == seat:
        return None
    if room.offered is None and room.seats[1 - seat].is_person:
        return room.having(offered=seat, changed=_moment(now))
    setup = room.setup.beginning_with(1 - room.setup.first)
    seconds = room.kept.seconds
    record = Record.of(Referee(setup), _moment(now), room.record.players)
    kept = room.kept._replace(
        record=record,
        replay=new_code(),
        round=room.round + 1,
        asked=None,
        offered=None,
        bad_inputs=0,
        left=_full_clock(seconds),
        since=None if seconds is None else now,
        changed=_moment(now),
    )
    return Room(kept, (), None, room.days)


def seated(room: Room, token: str | None) -> int:
    """The seat of who has the token. Raises `NotSeated`."""
    seat = room.seat_of(token)
    if seat is None:
        raise NotSeated(code=room.code, needs="seat")
    return seat


def _is_repeat(room: Room, seat: int, ply: int, text: str) -> bool:
    """Is it what this seat did at this ply, by a turn or by overshooting?"""
    if 0 <= ply < room.ply:
        player, move = room.turns[ply].player, room.turns[ply].move
    elif ply == room.ply and room.over and room.over.ending is Ending.OVERSHOT:
        player, move = room.over.player, room.over.move
    else:
        return False
    before = room.turns[ply - 1].board if ply else room.setup.board
    try:
        return player == seat and before.parse_move(text) == move
    except NumduelError:
        return False


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
        changed=_moment(now),
    )


def _full_clock(seconds: int | None) -> tuple[float, float] | None:
    return None if seconds is None else (float(seconds), float(seconds))


def _moment(now: float) -> datetime:
    return datetime.fromtimestamp(now, UTC)
