"""Classes kept, beside the rooms in which they play. Whoever changes a class locks its row.

Locks are taken in one order: the class, then its rooms. A move locks its room alone, and
never waits for a class.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from numduel.errors import StoreError, UnknownClass
from numduel.match import Record
from numduel.store.kept_class import (
    KeptClass,
    read_class,
    standing_class,
    write_parts,
)
from numduel.store.matches import read_matches
from numduel.store.news import GONE, MORE, tell_version, wall_of
from numduel.store.rooms import RoomStore, delete_rooms
from numduel.store.schema import CLASSES, MATCHES, ROOMS, ROUNDS

_CHANGES = select(CLASSES.c.changes).where(CLASSES.c.code == bindparam("code"))
_VERSION = select(CLASSES.c.version).where(CLASSES.c.code == bindparam("code"))
_LOCK = _CHANGES.with_for_update()
_SAVE = update(CLASSES).where(CLASSES.c.code == bindparam("class"))
_PLAYED = select(func.sum(ROOMS.c.version)).where(ROOMS.c.class_code == bindparam("code"))
_JUDGED = (
    select(func.count(ROUNDS.c.judged))
    .join_from(ROUNDS, ROOMS, ROOMS.c.id == ROUNDS.c.room_id)
    .where(ROOMS.c.class_code == bindparam("code"))
)
_KEEP_JUDGED = update(ROUNDS).where(ROUNDS.c.match_id == bindparam("match"))
_LOCK_ROOMS = (
    select(ROOMS.c.id, ROOMS.c.code)
    .where(ROOMS.c.class_code == bindparam("code"))
    .with_for_update()
)
_MOST_KNOWN = 1_000


class ClassMatch(NamedTuple):
    """A match of a class, with the code of its room, and what was found in it, if anything yet."""

    id: int
    room: str
    record: Record
    judged: str | None


class ClassStore:
    """The classes of a database whose rooms are these. For any thread.

    Those that were looked at last are kept in mind, to save reading them again: as they were
    committed, perhaps long ago, so whoever uses one compares how often it was changed.
    """

    def __init__(self, rooms: RoomStore) -> None:
        self.rooms = rooms
        self._database = rooms.database
        self._known: dict[str, KeptClass] = {}

    def add(self, kept: KeptClass) -> None:
        """Keep a new class. A code that is taken is a `StoreError`."""
        with self._database.writing() as connection:
            named = {"code": kept.code, "opened": kept.opened.isoformat()}
            row = {**named, "used": self.rooms.uptime.now(), **standing_class(kept)}
            connection.execute(insert(CLASSES), row)
            write_parts(connection, None, kept)

    def count(self) -> int:
        """How many classes there are."""
        with self._database.reading() as connection:
            return int(connection.scalar(select(func.count()).select_from(CLASSES)) or 0)

    def load(self, code: str) -> KeptClass:
        """The class. Raises `UnknownClass`."""
        with self._database.reading() as connection:
            changes = connection.scalar(_CHANGES, {"code": code})
            if changes is None:
                self.drop(code)
            kept = read_class(connection, code, changes, self._known.get(code))
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[code] = kept
        return kept

    def drop(self, code: str) -> None:
        """The class is gone: nothing of it is kept in memory either."""
        self._known.pop(code, None)

    def version(self, code: str) -> int:
        """The version that pupils' pages go by; `GONE` where there is no class."""
        with self._database.reading() as connection:
            return connection.scalar(_VERSION, {"code": code}) or GONE

    def wall_version(self, code: str) -> int:
        """What the teacher's page goes by: it grows with every change, move and judged match."""
        with self._database.reading() as connection:
            changes = connection.scalar(_CHANGES, {"code": code})
            if changes is None:
                return GONE
            return int(changes) + sum(
                int(connection.scalar(query, {"code": code}) or 0) for query in (_PLAYED, _JUDGED)
            )

    def change_in(self, connection: Connection, code: str) -> ClassChange:
        """The class, which nobody else changes until the open transaction ends."""
        changes = connection.scalar(_LOCK, {"code": code})
        kept = read_class(connection, code, changes, self._known.get(code))
        return ClassChange(connection, kept, self.rooms.uptime.now())

    def keep_judged(self, connection: Connection, code: str, found: Mapping[int, str]) -> None:
        """Keep what was found in these matches. Raises `UnknownClass`."""
        if connection.scalar(_LOCK, {"code": code}) is None:
            raise UnknownClass(code=code)
        rows = [{"match": number, "judged": judged} for number, judged in found.items()]
        connection.execute(_KEEP_JUDGED, rows)
        tell_version(connection, wall_of(code), MORE)

    def records(self, code: str) -> list[ClassMatch]:
        """Every match of the class, in the order in which they began."""
        query = (
            select(MATCHES, ROOMS.c.code.label("room"), ROUNDS.c.judged)
            .join(ROUNDS, ROUNDS.c.match_id == MATCHES.c.id)
            .join(ROOMS, ROOMS.c.id == ROUNDS.c.room_id)
            .where(ROOMS.c.class_code == code)
            .order_by(MATCHES.c.id)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
            found = read_matches(connection, query)
        if not all(isinstance(row.judged, str | None) for row in rows):
            raise StoreError(problem="damaged")
        return [
            ClassMatch(kept.id, row.room, kept.record, row.judged)
            for row, kept in zip(rows, found, strict=True)
        ]

    def expire(self, after: timedelta) -> list[str]:
        """Forget classes in which nothing has been done for so long; codes of what is gone."""
        oldest = self.rooms.uptime.now() - after.total_seconds()
        lately = select(ROOMS.c.id).where(
            ROOMS.c.class_code == CLASSES.c.code, ROOMS.c.used >= oldest
        )
        query = select(CLASSES.c.code).where(CLASSES.c.used < oldest, ~lately.exists())
        gone: list[str] = []
        with self._database.writing() as connection:
            for code in list(connection.scalars(query.with_for_update(skip_locked=True))):
                gone += _delete(connection, code)
        return gone


class ClassChange:
    """A class that is being changed, in the middle of a transaction."""

    def __init__(self, connection: Connection, kept: KeptClass, uptime: float) -> None:
        self.connection = connection
        self.kept = kept
        self._uptime = uptime

    def save(self, after: KeptClass) -> KeptClass:
        """Write what differs, as one change more."""
        before, connection = self.kept, self.connection
        after = after._replace(changes=before.changes + 1)
        write_parts(connection, before, after)
        row = {"class": after.code, "used": self._uptime}
        connection.execute(_SAVE, row | standing_class(after))
        if after.version != before.version:
            tell_version(connection, after.code, after.version)
        tell_version(connection, wall_of(after.code), MORE)
        return after

    def delete(self) -> list[str]:
        """Forget the class and all that belongs to it; codes of what is gone."""
        return _delete(self.connection, self.kept.code)


def _delete(connection: Connection, code: str) -> list[str]:
    # Rooms before their matches, as a move locks them.
    rooms = {row.id: row.code for row in connection.execute(_LOCK_ROOMS, {"code": code})}
    delete_rooms(connection, rooms)
    connection.execute(delete(CLASSES).where(CLASSES.c.code == code))
    gone = [code, wall_of(code)]
    for topic in gone:
        tell_version(connection, topic, GONE)
    return [*rooms.values(), *gone]
