"""How a room becomes the next: opened, sat in, played on. What players do there: `actions.py`.

Each function takes a room as it stands and gives how it stands afterwards; None where
nothing changes. Nothing here reads a clock, a database or a network.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from numduel.errors import NotAllowed
from numduel.match import Record, Referee, Setup
from numduel.rooms.names import with_name
from numduel.rooms.room import Room, Terms
from numduel.rooms.tokens import hashed, new_code
from numduel.store import KeptRoom
from numduel.store.kept_room import Done


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

    Raises `NotAllowed`; sitting down twice changes nothing.
    """
    if room.seat_of(token) is not None:
        return None
    free = [seat for seat in (0, 1) if not room.seats[seat].taken]
    if not free or room.kept.class_code:
        raise NotAllowed("seats taken", code=room.code)
    mine = hashed(room.code, token)
    first, second = room.kept.tokens
    tokens = (mine, second) if free[0] == 0 else (first, mine)
    full = len(free) == 1
    since = now if full and room.kept.left and not room.over else None
    setup = replace(room.setup, names=with_name(room.setup.names, free[0], name))
    record = replace(room.record, setup=setup)
    return room.having(record=record, tokens=tokens, changed=_moment(now), since=since)


def opened_by_class(
    terms: Terms,
    names: tuple[str, str],
    tokens: tuple[str | None, str | None],
    code: str,
    hints: bool,
    now: float,
) -> Room:
    """A new room of the class of this code; nobody hosts it. Tokens are hashed with the code."""
    room = opened(terms, names, "", None, now)
    room = room.having(host="", tokens=tokens, class_code=code, hints=hints)
    return room if terms.seconds is None else room.having(since=now)


def seated_by_class(
    room: Room, seat: int, now: float, player: str, name: str, token: str | None
) -> Room:
    """The room with somebody else at the seat, as its class says; the match stays as it is.

    Before the first move its clock begins anew. `token` is hashed with the class's code, and
    None for a computer.
    """
    players, tokens, done = [*room.record.players], [*room.kept.tokens], [*room.kept.done]
    players[seat], tokens[seat], done[seat] = player, token, Done()
    room = renamed(room, seat, name, now)
    record = replace(room.record, players=(players[0], players[1]))
    values: dict[str, Any] = {
        "tokens": tuple(tokens),
        "done": tuple(done),
        "asked": None,
        "offered": None,
    }
    if room.ply == 0 and room.clock_runs:
        values |= {"left": _full_clock(room.kept.seconds), "since": now}
    return touched(room, now, record=record, **values)


def renamed(room: Room, seat: int, name: str, now: float) -> Room:
    """The room in which who sits there is called so."""
    names = room.setup.names
    setup = replace(room.setup, names=(name, names[1]) if seat == 0 else (names[0], name))
    return touched(room, now, record=replace(room.record, setup=setup))


def held(room: Room, why: str | None, now: float) -> Room | None:
    """The room in which nobody may play, and no clock runs; None for why: they may again."""
    if room.held == why:
        return None
    left, clock = room.kept.left, room.clock
    if clock is not None:
        one, two = (clock.remaining(player, room.player, now) for player in (0, 1))
        left = (one, two)
    runs = left is not None and why is None and not room.over and not room.is_open
    return touched(room, now, held=why, left=left, since=now if runs else None)


def forfeit(room: Room, now: float) -> Room:
    """The player to move loses: the time is up, or a computer found no move."""
    referee = room.referee()
    referee.forfeit()
    return carried_on(room, referee, now)


def time_is_up(room: Room, now: float) -> bool:
    """Has the clock of the player to move run out?"""
    clock = room.clock
    if clock is None or not room.clock_runs:
        return False
    return clock.remaining(room.player, room.player, now) <= 0


def touched(room: Room, now: float, **values: Any) -> Room:
    """The same match, in a room where something else was done now."""
    return room.having(changed=_moment(now), **values)


def next_round(room: Room, now: float) -> Room:
    """The room with its next match, begun by whose turn that is."""
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


def carried_on(room: Room, referee: Referee, now: float) -> Room:
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
