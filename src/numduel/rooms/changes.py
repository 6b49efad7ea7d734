"""How a room becomes the next; None where nothing changes. No clock, database or network."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from numduel.errors import NotAllowed
from numduel.match import Record, Referee, Setup
from numduel.rooms.names import with_name
from numduel.rooms.room import Clock, Done, Room, Terms
from numduel.rooms.tokens import hashed, new_code

_Value = TypeVar("_Value")
Tokens = tuple[str | None, str | None]


def opened(terms: Terms, names: tuple[str, str], token: str, seat: int | None, now: float) -> Room:
    """A new room, hosted by who has the token, at the seat if it is one. Raises `InvalidSetup`."""
    setup = Setup(terms.board, names, terms.first, terms.overshoot, terms.penalty)
    code, moment = new_code(), _moment(now)
    mine = hashed(code, token)
    room = Room(
        code=code,
        host=mine,
        opened=moment,
        changed=moment,
        record=Record.of(Referee(setup), moment, terms.players),
        replay=new_code(),
        tokens=(mine if seat == 0 else None, mine if seat == 1 else None),
        takeback=terms.takeback,
        seconds=terms.seconds,
    )
    return room.but(clock=_full_clock(room, None if room.is_open else now))


def sit(room: Room, token: str, now: float, name: str = "") -> Room | None:
    """Take the free seat, under this name if it can be used. Raises `NotAllowed`."""
    if room.seat_of(token) is not None:
        return None
    free = [seat for seat in (0, 1) if not room.seats[seat].taken]
    if not free or room.class_code:
        raise NotAllowed("seats taken", code=room.code)
    tokens = with_seat(room.tokens, free[0], hashed(room.code, token))
    clock = room.clock
    if clock is not None and len(free) == 1 and not room.over:
        clock = clock._replace(since=now)
    setup = replace(room.setup, names=with_name(room.setup.names, free[0], name))
    return touched(room, now, record=replace(room.record, setup=setup), tokens=tokens, clock=clock)


def opened_by_class(
    terms: Terms, names: tuple[str, str], tokens: Tokens, code: str, hints: bool, now: float
) -> Room:
    """A new room of the class of this code; nobody hosts it. Tokens are hashed with the code."""
    room = opened(terms, names, "", None, now)
    clock = _full_clock(room, now)
    return room.but(host="", tokens=tokens, class_code=code, hints=hints, clock=clock)


def seated_by_class(
    room: Room, seat: int, now: float, player: str, name: str, token: str | None
) -> Room:
    """The room with somebody else at the seat, as its class says; the match stays as it is.
    `token`: hashed with the class's code, None for a computer. Before a move the clock begins anew.
    """
    room = renamed(room, seat, name, now)
    return touched(
        room,
        now,
        record=replace(room.record, players=with_seat(room.record.players, seat, player)),
        tokens=with_seat(room.tokens, seat, token),
        done=with_seat(room.done, seat, Done()),
        asked=None,
        offered=None,
        clock=_full_clock(room, now) if room.ply == 0 and room.clock_runs else room.clock,
    )


def renamed(room: Room, seat: int, name: str, now: float) -> Room:
    setup = replace(room.setup, names=with_seat(room.setup.names, seat, name))
    return touched(room, now, record=replace(room.record, setup=setup))


def held(room: Room, why: str | None, now: float) -> Room | None:
    """The room in which nobody may play, and no clock runs; None for why: they may again."""
    if room.held == why:
        return None
    runs = why is None and not room.over and not room.is_open
    clock = room.clock and room.clock.at(room.player, now, now if runs else None)
    return touched(room, now, held=why, clock=clock)


def stopped(room: Room) -> Room:
    """The room whose clock does not run."""
    return room.but(clock=room.clock and room.clock._replace(since=None))


def forfeit(room: Room, now: float) -> Room:
    """The player to move loses: the time is up, or a computer found no move."""
    referee = room.referee()
    referee.forfeit()
    return carried_on(room, referee, now)


def time_is_up(room: Room, now: float) -> bool:
    clock = room.clock if room.clock_runs else None
    return clock is not None and clock.remaining(room.player, room.player, now) <= 0


def touched(room: Room, now: float, **values: Any) -> Room:
    return room.but(changed=_moment(now), **values)


def next_round(room: Room, now: float) -> Room:
    referee = Referee(room.setup.beginning_with(room.next_first))
    return touched(
        room,
        now,
        record=Record.of(referee, _moment(now), room.record.players),
        turns=(),
        over=None,
        replay=new_code(),
        round=room.round + 1,
        asked=None,
        offered=None,
        bad_inputs=0,
        clock=_full_clock(room, now),
        position=room.version + 1,
    )


def carried_on(room: Room, referee: Referee, now: float) -> Room:
    wins, over = room.wins, referee.over
    if over:
        wins = with_seat(wins, over.winner, wins[over.winner] + 1)
    return touched(
        room,
        now,
        record=Record.of(referee, room.record.date, room.record.players),
        turns=tuple(referee.turns),
        over=over,
        bad_inputs=referee.bad_inputs,
        wins=wins,
        asked=None,
        offered=None,
        clock=room.clock and room.clock.at(room.player, now, None if over else now),
        position=room.version + 1,
    )


def with_seat(pair: tuple[_Value, _Value], seat: int, value: _Value) -> tuple[_Value, _Value]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def _full_clock(room: Room, since: float | None) -> Clock | None:
    seconds = room.seconds
    return None if seconds is None else Clock((float(seconds), float(seconds)), since)


def _moment(now: float) -> datetime:
    return datetime.fromtimestamp(now, UTC)
