"""The rooms of a database, for any threads and processes: each change is one transaction."""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import partial
from random import SystemRandom
from threading import RLock
from typing import Any

from sqlalchemy import Select, and_, func, or_, select

from numduel.errors import NotSeated, TooBusy, UnknownRoom
from numduel.match import Record
from numduel.rooms import changes
from numduel.rooms.actions import Outcome
from numduel.rooms.names import two_names, with_name
from numduel.rooms.room import RESTING, UNUSED, Room, Terms
from numduel.rooms.rows import SEATED, add_room, delete_rooms, read_replay, read_room, save_room
from numduel.rooms.steady_time import now
from numduel.rooms.tokens import hashed, is_code
from numduel.store.database import Database
from numduel.store.news import GONE, MORE, wall_of
from numduel.store.schema import ROOMS

_FREE = select(ROOMS.c.id, ROOMS.c.code).where(ROOMS.c.class_code.is_(None))
"""Rooms of their own; those of a class stay as long as it does."""

_AT_ONCE = 100  # rooms that are forgotten in one transaction
_MOST_KNOWN = 10_000
_MOST_TURNS = 200_000  # turns of all these rooms together: some 100 MB

Alter = Callable[[Room, float], Outcome]  # what becomes of a room at this time


class Beside:
    """What else is kept here, and goes by other topics than rooms: nothing, or classes."""

    def version_of(self, topic: str) -> int:
        return GONE

    def expire(self) -> int:
        return 0

    def drop(self, topic: str) -> None:
        pass


class Rooms:
    """Opens, changes and forgets rooms, also within a transaction that the caller has begun. For
    `heard` see `Database`. Raises `UnknownRoom`, `NotSeated`, `NotAllowed`, `StoreError`, and what
    a move breaks.
    """

    def __init__(
        self, place: str, heard: Callable[[str, int], None], most: int = 50_000, days: int = 30
    ) -> None:
        self.database = Database(place, heard)
        self.beside = Beside()
        self._most = most
        self._days = days
        self._begun = now()
        self._known = KnownRooms()

    def close(self) -> None:
        self.database.close()

    def open(self, terms: Terms, token: str, seat: int | None, name: str = "") -> Room:
        """As `changes.opened`; a name that cannot be used is one by chance."""
        names = two_names(terms.players, SystemRandom())
        names = names if seat is None else with_name(names, seat, name)
        with self.database.writing():
            self.make_space()
            return self.add(changes.opened(terms, names, token, seat, now()))

    def add(self, room: Room) -> Room:
        """Keep a new room. Nobody follows it yet, and so nobody is told."""
        with self.database.writing() as connection:
            added = add_room(connection, room, now()).but(days=self._days)
            self.database.remember(added.code, added, self._known.remember)
        return added

    def look(self, code: str, lock: bool = False) -> Room:
        """The room; the known one itself where that is how it stands; `lock` for a change. A turn
        that began before this server ran, or by another clock, begins when it is first seen here:
        time that passed meanwhile is nobody's.
        """
        known: Room | None = self.database.as_of_now(code) or self._known.get(code)
        with self.database.reading() as connection:
            room = read_room(connection, code, known, lock)
        if room is known:
            return room
        moment, clock = now(), room.clock
        if clock and clock.since is not None and not self._begun <= clock.since <= moment:
            clock = clock._replace(since=moment)
        room = room.but(clock=clock, days=self._days)
        self.database.remember(code, room, self._known.remember)
        return room

    def look_at_all(self, codes: Iterable[str]) -> dict[str, Room]:
        """Those of these rooms that there are, by their codes; what is known is not read again."""
        found: dict[str, Room] = {}
        with self.database.reading():
            for code in codes:
                with suppress(UnknownRoom):
                    found[code] = self.look(code)
        return found

    def count(self) -> int:
        with self.database.reading() as connection:
            return int(connection.scalar(select(func.count()).select_from(ROOMS)) or 0)

    def version_of(self, topic: str) -> int:
        """The version of a room or a class, for who watches it; `GONE` where it is not there."""
        if not is_code(topic):
            return self.beside.version_of(topic)
        with suppress(UnknownRoom):
            return self.look(topic).version
        return GONE

    def change(self, code: str, alter: Alter) -> Room:
        """The room after it. What was wrong is raised once the rest of what came of it is kept."""
        with self.database.writing() as connection:
            room, moment = self.look(code, lock=True), now()
            altered, problem = alter(room, moment)
            if altered is not None:
                room = save_room(connection, room, altered, moment)
                self.database.remember(code, room, self._known.remember)
                self.database.tell(room.code, room.version)
                if room.class_code is not None:
                    self.database.tell(wall_of(room.class_code), MORE)
        if problem is not None:
            raise problem
        return room

    def delete(self, code: str, token: str | None) -> None:
        """Forget the room and all that it holds. Raises `NotSeated` for who is not its host."""
        with self.database.writing() as connection:
            if not self.look(code, lock=True).is_host(token):
                raise NotSeated(code=code, needs="host")
            self.forget(delete_rooms(connection, _FREE.where(ROOMS.c.code == code)))

    def expire(self) -> int:
        """Forget some rooms unused for long, unchanged ones sooner; how many comes back."""
        moment = now()
        never = and_(ROOMS.c.version == 1, ROOMS.c.used < moment - UNUSED.total_seconds())
        old = or_(ROOMS.c.used < moment - 86400 * self._days, never)
        with self.database.writing():
            gone = self._forget_some(_FREE.where(old)) + self.beside.expire()
            if not gone:
                self.database.when_durable(self.database.tidy)
        return gone

    def make_space(self, wanted: int = 1) -> None:
        """Make space for so many more; those with the fewest changes go. Raises `TooBusy`."""
        if self.count() + wanted > self._most:
            resting = _FREE.where(ROOMS.c.used < now() - RESTING.total_seconds())
            if not self._forget_some(resting.order_by(ROOMS.c.version, ROOMS.c.used)):
                raise TooBusy("rooms", limit=self._most)

    def replay(self, code: str) -> Record:
        with self.database.reading() as connection:
            return read_replay(connection, code)

    def seat_in_replay(self, code: str, token: str) -> tuple[str, int] | None:
        """The room and the seat that whoever has this token had in the match of this replay."""
        with self.database.reading() as connection:
            seats = connection.execute(SEATED, {"code": code}).all()
        mine = ((room, seat) for at, room, seat, kept in seats if kept == hashed(at, token))
        return next(mine, None)

    def forget(self, topics: Collection[str]) -> int:
        """These are gone, once that is durable; how many comes back."""
        for topic in topics:
            self.database.when_durable(partial(self.drop, topic))
            self.database.tell(topic, GONE)
        return len(topics)

    def drop(self, topic: str) -> None:
        self._known.forget(topic)
        self.beside.drop(topic)

    def _forget_some(self, query: Select[Any]) -> int:
        with self.database.writing() as connection:
            # Who else expires rooms, or changes one just now, is not waited for.
            some = query.limit(_AT_ONCE).with_for_update(skip_locked=True)
            return self.forget(delete_rooms(connection, some))


class KnownRooms:
    """The rooms used last, for any thread; never ahead of the database: compare versions."""

    def __init__(self, rooms: int = _MOST_KNOWN, turns: int = _MOST_TURNS) -> None:
        self._most_rooms, self._most_turns = rooms, turns
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._turns = 0
        self._lock = RLock()

    def get(self, code: str) -> Room | None:
        with self._lock:
            return self._rooms.get(code)

    def remember(self, room: Room) -> None:
        """Keep the room, unless a newer version of it is known."""
        with self._lock:
            known = self.forget(room.code)
            newest = known if known and known.version >= room.version else room
            self._rooms[room.code] = newest
            self._turns += newest.ply
            while len(self._rooms) > self._most_rooms or self._turns > self._most_turns:
                self.forget(next(iter(self._rooms)))

    def forget(self, code: str) -> Room | None:
        with self._lock:
            dropped = self._rooms.pop(code, None)
            self._turns -= dropped.ply if dropped else 0
            return dropped
