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
from numduel.match import BadInput, Moved, Over, Passed, Record, Referee
from numduel.rooms.room import Room
from numduel.rooms.tokens import hashed, new_code


class Played(NamedTuple):
    """What came of a move: how the room stands, and what was wrong with the move, if anything."""

    room: Room | None
    problem: NumduelError | None = None


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
    `NotAllowed` or `NotYourTurn`; bad input comes back as the problem.
    """
    if _is_repeat(room, seat, ply, text):
        return Played(None)
    _check_running(room)
    if ply != room.ply:
        raise StaleMove(ply=ply, now=room.ply)
    if seat != room.player:
        raise NotYourTurn(code=room.code)
    if time_is_up(room, now):
        return Played(end_by_time(room, now))
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


def give_up_for_computer(room: Room, ply: int, now: float) -> Room | None:
    """The computer found no move and forfeits, if that is still the position."""
    if room.ply != ply or not room.waits_for_computer:
        return None
    referee = room.referee()
    referee.forfeit()
    return _after(room, referee, now)


def time_is_up(room: Room, now: float) -> bool:
    """Has the clock of the player to move run out?"""
    clock = room.clock
    if clock is None or not room.clock_runs:
        return False
    return clock.remaining(room.player, room.player, now) <= 0


def end_by_time(room: Room, now: float) -> Room:
    """The player to move forfeits: the time is up."""
    referee = room.referee()
    referee.forfeit()
    return _after(room, referee, now)


def ask_takeback(room: Room, seat: int, now: float) -> Room:
    """Ask to take the own last move back. A computer agrees at once."""
    _check_running(room)
    if not room.terms.takeback:
        raise NotAllowed(problem="no takeback")
    _turns_back(room, seat)
    if not room.seats[1 - seat].is_person:
        return _taken_back(room, seat, now)
    return room.having(asked=seat, changed=_moment(now))


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


def rematch(room: Room, seat: int, now: float) -> Room:
    """Offer another match, or accept the offer: then the other player begins."""
    if not room.over:
        raise NotAllowed(problem="match goes on")
    if room.seats[1 - seat].is_person and room.offered in (None, seat):
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
        left=None if seconds is None else (float(seconds), float(seconds)),
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
    if not 0 <= ply < room.ply or room.turns[ply].player != seat:
        return False
    before = room.turns[ply - 1].board if ply else room.setup.board
    try:
        return before.parse_move(text) == room.turns[ply].move
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


def _moment(now: float) -> datetime:
    return datetime.fromtimestamp(now, UTC)
