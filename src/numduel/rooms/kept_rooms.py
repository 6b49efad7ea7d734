"""The rooms of a database: each change is one transaction, durable when it is done.

For one thread or several; the database decides who comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from random import SystemRandom
from threading import local

from sqlalchemy import Connection

from numduel.errors import NotSeated, NumduelError, StoreError, TooBusy, UnknownRoom
from numduel.match import Record
from numduel.rooms import actions, changes
from numduel.rooms.actions import Action
from numduel.rooms.known import KnownRooms
from numduel.rooms.names import two_names, with_name
from numduel.rooms.room import RESTING, UNUSED, Room, Terms
from numduel.rooms.steady_time import now
from numduel.rooms.tokens import is_code
from numduel.store import GONE, ClassStore, KeptRoom, RoomStore
from numduel.store.news import MORE, wall_of

CLASS_KEPT = timedelta(hours=2)
"""How long after the last action a class is forgotten."""


class Rooms:
    """Opens, changes and forgets rooms. `tell` hears every change: a code and a version.

    Where the database itself carries the news, `tell` is not called from here.
    Raises `UnknownRoom`, `NotSeated`, `NotAllowed`, `StoreError`, and what a move breaks.
    """

    def __init__(
        self, place: str, tell: Callable[[str, int], None], most: int = 50_000, days: int = 30
    ) -> None:
        self.store = RoomStore(place)
        self.classes = ClassStore(self.store)
        self.tell = _tell_nobody if self.store.database.carries_news else tell
        self._most = most
        self._days = days
        self._begun = now()
        self._known = KnownRooms()
        self._waiting = local()

    def close(self) -> None:
        """Let go of the database."""
        self.store.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """What this thread changes in the block becomes durable at once, or not at all."""
        with self._holding_back(), self.store.database.together():
            yield

    @contextmanager
    def _holding_back(self) -> Iterator[None]:
        """What is to be called when durable is called after the block, unless that fails."""
        waiting: list[Callable[[], None]] = []
        self._waiting.calls = waiting
        try:
            yield
        finally:
            del self._waiting.calls
        for call in waiting:
            call()

    def open(self, terms: Terms, token: str, seat: int | None, name: str = "") -> Room:
        """A new room, hosted by who has the token and seated there; `seat` None for nowhere.

        The host has this name, if it can be used, or else one by chance.
        """
        self.make_space()
        names = two_names(terms.players, SystemRandom())
        if seat is not None:
            names = with_name(names, seat, name)
        room = changes.opened(terms, names, token, seat, now())
        room = Room(self.store.add(room.kept), (), None, self._days)
        self.when_durable(lambda: self._known.remember(room))
        return room

    def look(self, code: str) -> Room:
        """The room as it stands."""
        known = self._known.get(code)
        room = self._room(self.store.load(code, known.kept if known else None), known)
        self._known.remember(room)
        return room

    def version_of(self, topic: str) -> int:
        """The version of a room or a class, for who watches it; `GONE` where it is not there."""
        if is_code(topic):
            try:
                return self.look(topic).version
            except UnknownRoom:
                return GONE
        code = topic.removesuffix(wall_of(""))
        version = self.classes.version(code)
        return version if code == topic or version == GONE else MORE

    def sit(self, code: str, token: str, name: str = "") -> Room:
        """Take the free seat, under this name if it can be used."""
        return self._change(code, lambda room, now: changes.sit(room, token, now, name))

    def act(self, code: str, token: str | None, version: int, action: Action) -> Room:
        """What a player does, who has seen this version. Raises what is wrong with it."""
        problems = []

        def done(room: Room, now: float) -> Room | None:
            seat = actions.seated(room, token)
            after, problem = actions.act(room, seat, version, action, now)
            problems.append(problem)
            return after

        room = self._change(code, done)
        if problems[0] is not None:
            raise problems[0]
        return room

    def play_for_computer(self, code: str, version: int, text: str | None) -> Room:
        """The move of the computer to move; None where it found none, and forfeits.

        Nothing happens when the room has another version than the computer thought about.
        """

        def played(room: Room, now: float) -> Room | None:
            if room.version != version or not room.waits_for_computer:
                return None
            return actions.play_for_computer(room, text, now)

        return self._change(code, played)

    def call_time(self, code: str) -> Room:
        """End the match if the clock of the player to move has run out."""

        def called(room: Room, now: float) -> Room | None:
            return changes.forfeit(room, now) if changes.time_is_up(room, now) else None

        return self._change(code, called)

    def delete(self, code: str, token: str | None) -> None:
        """Forget the room and all that it holds. Raises `NotSeated` for who is not its host."""
        with self.store.changing(code) as change:
            if not Room(change.room, (), None).is_host(token):
                raise NotSeated(code=code, needs="host")
            change.delete()
        self._forget(code)

    def expire(self) -> int:
        """Forget rooms that nobody has used for long; how many comes back."""
        gone = self.forget(self.store.expire(timedelta(days=self._days), UNUSED))
        gone += self.forget(self.classes.expire(CLASS_KEPT))
        if not gone:
            self.when_durable(self.store.database.tidy)
        return gone

    def replay(self, code: str) -> Record:
        """The match whose replay has this code."""
        return self.store.replay(code)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction of several changes: of all of them is told when it is durable."""
        if getattr(self._waiting, "calls", None) is not None:
            with self.store.database.writing() as connection:
                yield connection
            return
        with self._holding_back(), self.store.database.writing() as connection:
            yield connection

    @contextmanager
    def all_or_nothing(self) -> Iterator[Connection]:
        """The same, where a refusal in the middle takes back what the block has changed."""
        with self.writing() as connection:
            waiting: list[Callable[[], None]] = self._waiting.calls
            before = len(waiting)
            try:
                with connection.begin_nested():
                    yield connection
            except BaseException:
                del waiting[before:]
                raise

    def add_in(self, connection: Connection, room: Room) -> Room:
        """Keep a new room, in a transaction that is open."""
        room = Room(self.store.add_in(connection, room.kept), (), None, self._days)
        self.when_durable(lambda: self._announce(room))
        return room

    def change_in(
        self, connection: Connection, code: str, alter: Callable[[Room, float], Room | None]
    ) -> Room:
        """Change a room, in a transaction that is open."""
        known = self._known.get(code)
        change = self.store.change_in(connection, code, known.kept if known else None)
        room = self._room(change.room, known)
        altered = alter(room, now())
        if altered is None:
            self.when_durable(lambda: self._known.remember(room))
            return room
        changed = Room(change.save(altered.kept), altered.turns, altered.over, self._days)
        self.when_durable(lambda: self._announce(changed))
        return changed

    def make_space(self, wanted: int = 1) -> None:
        """Have space for so many rooms more. Raises `TooBusy`."""
        if self.store.count() + wanted > self._most and not self.forget(
            self.store.forget_emptiest(RESTING)
        ):
            raise TooBusy("rooms", limit=self._most)

    def _change(self, code: str, alter: Callable[[Room, float], Room | None]) -> Room:
        with self.writing() as connection:
            return self.change_in(connection, code, alter)

    def _announce(self, room: Room) -> None:
        self._known.remember(room)
        self.tell(room.code, room.version)
        if room.kept.class_code is not None:
            self.tell(wall_of(room.kept.class_code), MORE)

    def when_durable(self, call: Callable[[], None]) -> None:
        """Call it after the commit: what is remembered and told is never ahead of the database."""
        waiting: list[Callable[[], None]] | None = getattr(self._waiting, "calls", None)
        if waiting is None:
            call()
        else:
            waiting.append(call)

    def _room(self, kept: KeptRoom, known: Room | None) -> Room:
        """The room of what is kept; `known` itself where that is the same.

        A turn that began before this server ran, or by another clock, begins when it is first
        seen here: time that passed meanwhile is nobody's.
        """
        if known is not None and kept is known.kept:
            return known
        moment = now()
        if kept.since is not None and not self._begun <= kept.since <= moment:
            kept = kept._replace(since=moment)
        try:
            return Room.of(kept, self._days)
        except NumduelError as error:
            raise StoreError(place=self.store.database.shown, problem="damaged") from error

    def forget(self, codes: list[str]) -> int:
        """These are gone; how many comes back."""
        for code in codes:
            self._forget(code)
        return len(codes)

    def _forget(self, code: str) -> None:
        def forget() -> None:
            self.drop(code)
            self.tell(code, GONE)

        self.when_durable(forget)

    def drop(self, code: str) -> None:
        """Keep nothing in memory of a room or a class that is gone."""
        self._known.forget(code)
        self.classes.drop(code)


def _tell_nobody(_code: str, _version: int) -> None:
    """The database tells everybody."""
