"""Rooms in rows: who sits where, and the match that is being played there."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    Select,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from numduel.errors import NumduelError, StoreError, UnknownRoom
from numduel.match import Record
from numduel.rooms.room import Clock, Done, Room
from numduel.store.database import Prepared
from numduel.store.matches import add_match, read_matches, save_match
from numduel.store.schema import MATCHES, ROOMS, ROUNDS, SEATS, check_row

_STAYS = ("code", "host", "takeback", "seconds", "class_code", "hints")
_CHANGES = ("version", "match_id", "round", "asked", "offered", "bad_inputs", "position", "held")
"""Columns that hold what the room has under the same name: those that stay as it was opened, and
the others. What is not written again need not be looked up in other tables."""

# Made once: building a statement costs as much as running it.
_OF_CODE = select(ROOMS.c.version).where(ROOMS.c.code == bindparam("code"))
_VERSION, _LOCK = Prepared(_OF_CODE), Prepared(_OF_CODE.with_for_update())
_ONE, _OTHER = SEATS.alias(), SEATS.alias()
_ROOM = (
    select(ROOMS, ROUNDS.c.code.label("replay"), _ONE.c.token, _OTHER.c.token.label("other"))
    .join(ROUNDS, ROUNDS.c.match_id == ROOMS.c.match_id)
    .join(_ONE, (_ONE.c.room_id == ROOMS.c.id) & (_ONE.c.seat == 0))
    .join(_OTHER, (_OTHER.c.room_id == ROOMS.c.id) & (_OTHER.c.seat == 1))
    .where(ROOMS.c.code == bindparam("code"))
)
_MATCH = select(MATCHES).where(MATCHES.c.id == bindparam("match"))
_REPLAYED = (
    select(MATCHES)
    .join(ROUNDS, ROUNDS.c.match_id == MATCHES.c.id)
    .where(ROUNDS.c.code == bindparam("code"))
)
SEATED = (
    select(
        func.coalesce(ROOMS.c.class_code, ROOMS.c.code), ROOMS.c.code, SEATS.c.seat, SEATS.c.token
    )
    .join(SEATS, SEATS.c.room_id == ROOMS.c.id)
    .join(ROUNDS, ROUNDS.c.room_id == ROOMS.c.id)
    .where(ROUNDS.c.code == bindparam("code"))
)
_ADD = insert(ROOMS).returning(ROOMS.c.id)
_SAVE = Prepared(
    update(ROOMS).where(ROOMS.c.id == bindparam("room")),
    [one.name for one in ROOMS.c if one.name not in ("id", "opened", *_STAYS)],
)
_SIT = (
    update(SEATS)
    .where(SEATS.c.room_id == bindparam("room"), SEATS.c.seat == bindparam("place"))
    .values(token=bindparam("sitting"))
)
_CHANGE_PLAYERS = update(MATCHES).where(MATCHES.c.id == bindparam("match"))
_CHANGE_NAMES = update(MATCHES).where(
    MATCHES.c.id.in_(select(ROUNDS.c.match_id).where(ROUNDS.c.room_id == bindparam("room")))
)
_ROOMS: BindParameter[int] = bindparam("rooms", expanding=True)
_DELETE_MATCHES = delete(MATCHES).where(
    MATCHES.c.id.in_(select(ROUNDS.c.match_id).where(ROUNDS.c.room_id.in_(_ROOMS)))
)
_DELETE_ROOMS = delete(ROOMS).where(ROOMS.c.id.in_(_ROOMS))


def read_room(connection: Connection, code: str, known: Room | None, lock: bool = False) -> Room:
    """The room; `known` itself where it stands so; `lock` for a change. Raises `UnknownRoom`."""
    found = (_LOCK if lock else _VERSION).run(connection, {"code": code}).fetchone()
    if found is None:
        raise UnknownRoom(code=code)
    if known is not None and known.version == found[0]:
        return known
    row = connection.execute(_ROOM, {"code": code}).mappings().first()
    if row is None:
        raise StoreError(problem="damaged")
    check_row(row, ROOMS)
    tokens, replay = (row["token"], row["other"]), row["replay"]
    matches = read_matches(connection, _MATCH.params(match=row["match_id"]))
    texts = isinstance(replay, str) and all(isinstance(token, str | None) for token in tokens)
    try:
        referee = matches[0].record.replay() if matches and texts else None
    except NumduelError:
        referee = None
    if referee is None:
        raise StoreError(problem="damaged")
    left = (row["left_1"], row["left_2"])
    return Room(
        **{name: row[name] for name in ("id", *_STAYS, *_CHANGES)},
        opened=datetime.fromisoformat(row["opened"]),
        changed=datetime.fromisoformat(row["changed"]),
        record=matches[0].record,
        replay=replay,
        tokens=tokens,
        clock=None if None in left else Clock(left, row["since"]),
        wins=(row["wins_1"], row["wins_2"]),
        done=(Done(row["done_1"], row["said_1"]), Done(row["done_2"], row["said_2"])),
        turns=tuple(referee.turns),
        over=referee.over,
    )


def read_replay(connection: Connection, code: str) -> Record:
    """The match whose replay has this code. Raises `UnknownRoom`."""
    found = read_matches(connection, _REPLAYED.params(code=code))
    if not found:
        raise UnknownRoom(code=code)
    return found[0].record


def add_room(connection: Connection, room: Room, now: float) -> Room:
    """Keep a new room with its first match. A code that is taken is a `StoreError`."""
    room = room.but(match_id=add_match(connection, room.record))
    row = {name: getattr(room, name) for name in _STAYS} | _row(room, now)
    row["opened"] = room.opened.isoformat()
    room = room.but(id=int(connection.execute(_ADD, row).scalar_one()))
    seats = [{"room_id": room.id, "seat": s, "token": room.tokens[s]} for s in (0, 1)]
    connection.execute(insert(SEATS), seats)
    _add_round(connection, room)
    return room


def save_room(connection: Connection, before: Room, after: Room, now: float) -> Room:
    """Write what differs, under the next version; a later round adds a match."""
    after = after.but(version=before.version + 1)
    if after.round != before.round:
        after = after.but(match_id=add_match(connection, after.record))
        _add_round(connection, after)
    else:
        save_match(connection, after.match_id, before.record, after.record)
        players, names = after.record.players, after.setup.names
        row = {
            f"name_{seat}": name
            for seat, (old, name) in enumerate(zip(before.setup.names, names, strict=True), 1)
            if name != old
        }
        if players != before.record.players:  # somebody else sits there
            row |= {f"player_{seat}": player for seat, player in enumerate(players, 1)}
            connection.execute(_CHANGE_PLAYERS, {"match": after.match_id, **row})
        elif row:  # in earlier matches of the room, too
            connection.execute(_CHANGE_NAMES, {"room": after.id, **row})
    for seat in (0, 1):
        if after.tokens[seat] != before.tokens[seat]:
            sitting = {"room": after.id, "place": seat, "sitting": after.tokens[seat]}
            connection.execute(_SIT, sitting)
    _SAVE.run(connection, {"room": after.id, **_row(after, now)})
    return after


def delete_rooms(connection: Connection, query: Select[Any]) -> list[str]:
    """Delete the rooms whose numbers and codes are found, with all that belongs to them."""
    rooms = {row.id: row.code for row in connection.execute(query)}
    for statement in (_DELETE_MATCHES, _DELETE_ROOMS) if rooms else ():
        connection.execute(statement, {"rooms": list(rooms)})
    return list(rooms.values())


def _row(room: Room, now: float) -> dict[str, Any]:
    """The columns of the room's own row that change."""
    left, since = room.clock or ((None, None), None)
    row = {name: getattr(room, name) for name in _CHANGES}
    for seat in (0, 1):
        done, said = room.done[seat]
        pairs = {"wins": room.wins[seat], "left": left[seat], "done": done, "said": said}
        row |= {f"{name}_{seat + 1}": value for name, value in pairs.items()}
    return {**row, "since": since, "changed": room.changed.isoformat(), "used": now}


def _add_round(connection: Connection, room: Room) -> None:
    row = {"match_id": room.match_id, "room_id": room.id, "round": room.round, "code": room.replay}
    connection.execute(insert(ROUNDS), row)
