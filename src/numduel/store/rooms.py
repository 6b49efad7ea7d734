"""Rooms kept: who sits where, and the match that is being played there.

A room is read as a `KeptRoom` and never changed in place: whoever changes it makes
another one, and `save` writes what differs. On PostgreSQL the news of a change
travels with its transaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from sqlalchemy import (
    BindParameter,
    Connection,
    Select,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from numduel.errors import UnknownRoom
from numduel.match import Record
from numduel.store.database import Database
from numduel.store.kept_room import KeptRoom, read_room, standing
from numduel.store.matches import (
    add_match,
    add_turns,
    drop_turns,
    read_matches,
    write_players,
    write_result,
)
from numduel.store.news import GONE, HERE, MORE, tell, tell_version, wall_of
from numduel.store.schema import MATCHES, ROOMS, ROUNDS, SEATS
from numduel.store.uptime import Uptime

# Made once: building a statement costs as much as running it.
_VERSION = select(ROOMS.c.version).where(ROOMS.c.code == bindparam("code"))
_LOCK = _VERSION.with_for_update()
_ADD = insert(ROOMS).returning(ROOMS.c.id)
_SAVE = update(ROOMS).where(ROOMS.c.id == bindparam("room"))
_SIT = (
    update(SEATS)
    .where(SEATS.c.room_id == bindparam("room"), SEATS.c.seat == bindparam("place"))
    .values(token=bindparam("sitting"))
)
_ROOMS: BindParameter[int] = bindparam("rooms", expanding=True)
_DELETE_MATCHES = delete(MATCHES).where(
    MATCHES.c.id.in_(select(ROUNDS.c.match_id).where(ROUNDS.c.room_id.in_(_ROOMS)))
)
_FREE = select(ROOMS.c.id, ROOMS.c.code).where(ROOMS.c.class_code.is_(None))
"""Rooms of their own; those of a class stay as long as it does."""
_DELETE_ROOMS = delete(ROOMS).where(ROOMS.c.id.in_(_ROOMS))


class RoomStore:
    """The rooms of a database. What a method has written is durable when it returns.

    Several processes may use the same rooms at once. Raises `StoreError` for a database
    that cannot be used, and `UnknownRoom` for a room that is not there.
    """

    def __init__(self, place: str) -> None:
        self.database = Database(place)
        try:
            with self.database.reading() as connection:
                self.uptime = Uptime(connection)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()

    def count(self) -> int:
        """How many rooms there are."""
        with self.database.reading() as connection:
            return int(connection.scalar(select(func.count()).select_from(ROOMS)) or 0)

    def add(self, room: KeptRoom) -> KeptRoom:
        """Keep a new room with its first match. A code that is taken is a `StoreError`."""
        with self.database.writing() as connection:
            return self.add_in(connection, room)

    def add_in(self, connection: Connection, room: KeptRoom) -> KeptRoom:
        """The same, in a transaction that is open."""
        match_id = add_match(connection, room.record)
        row = {
            "code": room.code,
            "host": room.host,
            "opened": room.opened.isoformat(),
            "match_id": match_id,
            "takeback": room.takeback,
            "seconds": room.seconds,
            "class_code": room.class_code,
            "hints": room.hints,
            "used": self.uptime.now(),
            **standing(room),
        }
        room_id = int(connection.execute(_ADD, row).scalar_one())
        room = room._replace(id=room_id, match_id=match_id)
        seats = [{"room_id": room_id, "seat": s, "token": room.tokens[s]} for s in (0, 1)]
        connection.execute(insert(SEATS), seats)
        _add_round(connection, room)
        return room

    def load(self, code: str, known: KeptRoom | None = None) -> KeptRoom:
        """The room; `known` itself when that is how it stands."""
        with self.database.reading() as connection:
            return read_room(connection, code, connection.scalar(_VERSION, {"code": code}), known)

    @contextmanager
    def changing(self, code: str, known: KeptRoom | None = None) -> Iterator[Change]:
        """A transaction in which nobody else changes the room."""
        with self.database.writing() as connection:
            yield self.change_in(connection, code, known)

    def change_in(self, connection: Connection, code: str, known: KeptRoom | None = None) -> Change:
        """The same, in a transaction that is open, until that ends."""
        version = connection.scalar(_LOCK, {"code": code})
        room = read_room(connection, code, version, known)
        return Change(connection, room, self.uptime.now())

    def tell_who_is_here(self, messages: list[str]) -> None:
        """Tell other servers, where the database carries news."""
        if self.database.carries_news:
            with self.database.writing() as connection:
                for message in messages:
                    tell(connection, HERE, message)

    def replay(self, code: str) -> Record:
        """The match whose replay has this code. Raises `UnknownRoom`."""
        query = select(MATCHES).join(ROUNDS, ROUNDS.c.match_id == MATCHES.c.id)
        with self.database.reading() as connection:
            found = read_matches(connection, query.where(ROUNDS.c.code == code))
        if not found:
            raise UnknownRoom(code=code)
        return found[0].record

    def keep_time(self) -> None:
        """Write how long servers have run. Raises `StoreError` where nothing can be written."""
        with self.database.writing() as connection:
            self.uptime.save(connection)

    def expire(self, after: timedelta, unused: timedelta, limit: int = 100) -> list[str]:
        """Forget some rooms that nobody has changed for so long; their codes come back.

        Those in which nothing ever happened need only be older than `unused`. Time counts as
        servers have seen it pass.
        """
        with self.database.writing() as connection:
            self.uptime.save(connection)
        now = self.uptime.now()
        never = and_(ROOMS.c.version == 1, ROOMS.c.used < now - unused.total_seconds())
        old = or_(ROOMS.c.used < now - after.total_seconds(), never)
        return self._forget(_FREE.where(old).limit(limit))

    def forget_emptiest(self, after: timedelta, limit: int = 100) -> list[str]:
        """Forget some that nobody has changed for so long, those with the fewest changes first."""
        resting = ROOMS.c.used < self.uptime.now() - after.total_seconds()
        query = _FREE.where(resting)
        return self._forget(query.order_by(ROOMS.c.version, ROOMS.c.used).limit(limit))

    def _forget(self, query: Select[tuple[int, str]]) -> list[str]:
        """Forget the rooms that are found; their codes come back."""
        with self.database.writing() as connection:
            # Who else expires rooms, or changes one just now, is not waited for.
            rows = connection.execute(query.with_for_update(skip_locked=True))
            found = {row.id: row.code for row in rows}
            delete_rooms(connection, found)
        return list(found.values())


class Change:
    """A room that is being changed, in the middle of a transaction."""

    def __init__(self, connection: Connection, room: KeptRoom, uptime: float) -> None:
        self._connection = connection
        self._uptime = uptime
        self.room = room

    def save(self, room: KeptRoom) -> KeptRoom:
        """Write what differs, under the next version; a later round adds a match."""
        old, connection = self.room, self._connection
        room = room._replace(version=old.version + 1)
        if room.round != old.round:
            room = room._replace(match_id=add_match(connection, room.record))
            _add_round(connection, room)
        else:
            self._save_match(room)
        for seat in (0, 1):
            if room.tokens[seat] != old.tokens[seat]:
                row = {"room": room.id, "place": seat, "sitting": room.tokens[seat]}
                connection.execute(_SIT, row)
        ids = {"room": room.id, "match_id": room.match_id}
        connection.execute(_SAVE, {**ids, "used": self._uptime, **standing(room)})
        tell_version(connection, room.code, room.version)
        if room.class_code is not None:
            tell_version(connection, wall_of(room.class_code), MORE)
        return room

    def delete(self) -> None:
        """Forget the room, its seats, its matches and their replays."""
        delete_rooms(self._connection, {self.room.id: self.room.code})

    def _save_match(self, room: KeptRoom) -> None:
        before, after = self.room.record, room.record
        if len(after.turns) > len(before.turns):
            add_turns(self._connection, room.match_id, after, len(before.turns))
        elif len(after.turns) < len(before.turns):
            drop_turns(self._connection, room.match_id, len(after.turns))
        if (after.setup.names, after.players) != (before.setup.names, before.players):
            write_players(self._connection, room.match_id, after)
        if after.winner != before.winner:
            write_result(self._connection, room.match_id, after)


def delete_rooms(connection: Connection, rooms: dict[int, str]) -> None:
    """Delete these rooms, numbers and codes, with all that belongs to them."""
    for statement in (_DELETE_MATCHES, _DELETE_ROOMS) if rooms else ():
        connection.execute(statement, {"rooms": list(rooms)})
    for code in rooms.values():
        tell_version(connection, code, GONE)


def _add_round(connection: Connection, room: KeptRoom) -> None:
    row = {"match_id": room.match_id, "room_id": room.id, "round": room.round, "code": room.replay}
    connection.execute(insert(ROUNDS), row)
