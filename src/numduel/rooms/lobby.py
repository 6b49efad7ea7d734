"""The lobby: rooms for an event loop, with the computers in them. Pages call this alone."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TypeVar

from numduel.errors import NotAllowed, StoreError, TooBusy, UnknownRoom
from numduel.match import Record
from numduel.players import PERSON
from numduel.rooms.actions import Action, Outcome, Play, act
from numduel.rooms.admission import Bounds
from numduel.rooms.changes import sit
from numduel.rooms.computers import Computers
from numduel.rooms.kept_rooms import Alter, Rooms
from numduel.rooms.live import Live
from numduel.rooms.presence import BEAT, Presence
from numduel.rooms.room import Room, Terms
from numduel.rooms.tasks import Tasks
from numduel.rooms.tokens import is_class_code, is_code
from numduel.rooms.writers import JoiningWriter, SeparateWriter, Writer
from numduel.store.engines import shown_place
from numduel.store.news import GONE, MORE, News, wall_of
from numduel.thinking.meter import VISIT, Quota
from numduel.thinking.thinkers import Thinkers
from numduel.thinking.turns import Turns

NO_SEAT = -1
"""The seat of a host who only looks on."""

_EXPIRE_EVERY = 600.0  # seconds
_OPEN_AGAIN_AFTER = 0.5  # seconds
_READERS = 8  # threads that read; two at once for one address, and four for those past their share
_DEADLINE = 10.0  # seconds that a request waits for the database, and for those before it
_AWAY = "unreachable"
_PASSING = {_AWAY, "slow", "busy", "full", "unwritten", "read-only"}
"""What may be otherwise in a moment: it is waited for. Anything else needs a person."""

_Result = TypeVar("_Result")


class Lobby:
    """Rooms, for whoever runs an event loop. Start it there, and close it.

    `failed` hears of every failure of the database, besides whoever asked. `opening` is how many
    rooms a client may open. `class_match_over`, to be set, hears the code of a class in which a
    match has ended here.
    """

    def __init__(
        self,
        place: str,
        thinkers: Thinkers,
        bounds: Bounds | None = None,
        failed: Callable[[StoreError], None] = lambda _: None,
        opening: Quota | None = None,
    ) -> None:
        self.live = Live()
        self._tell = partial(self.live.from_thread, self.live.tell)
        self.presence = Presence(self._came_or_left, self._announce)
        self._unannounced: set[str] = set()
        self.thinkers = thinkers
        self._place = place
        self._failed = failed
        self.bounds = bounds or Bounds()
        self.tasks = Tasks()
        self.class_match_over: Callable[[str], None] = lambda _: None
        self._computers = Computers(thinkers, self.tasks, self.live, self._look, self._alter)
        self._begin: list[Callable[[Rooms], None]] = []
        self._opening = opening or Quota("rooms")
        self._looks = ThreadPoolExecutor(_READERS, "numduel-looks")
        self._turns = Turns(_READERS, each=2, past=_READERS // 2)
        self._rooms: Rooms | None = None
        self._writer: Writer | None = None
        self._news: News | None = None
        self._closed = False

    async def start(self) -> None:
        """Open the database; where it is away it is waited for, and who asks meanwhile is told.

        Raises `StoreError` for any other fault; the lobby is to be closed then too.
        """
        self.live.start()
        try:
            await self._open()
        except StoreError as error:
            if error.problem not in _PASSING:
                raise
            self._failed(error)
            self.tasks.run("opening", self._open_later)

    async def _open_later(self) -> None:
        while self._rooms is None:
            await asyncio.sleep(_OPEN_AGAIN_AFTER)
            with suppress(StoreError):  # as it is told whoever asks for a room
                await self._open()

    async def _open(self) -> None:
        bounds = self.bounds
        rooms = await asyncio.get_running_loop().run_in_executor(
            self._looks, lambda: Rooms(self._place, self._tell, bounds.rooms, bounds.days)
        )
        self._rooms = rooms
        for begin in self._begin:
            begin(rooms)
        database = rooms.database
        self._writer = SeparateWriter(rooms) if database.carries_news else JoiningWriter(rooms)
        if database.carries_news:
            hear_who_is_here = partial(self.live.from_thread, self.presence.hear)
            self._news = News(database, partial(self._hear, rooms), hear_who_is_here)
            await asyncio.to_thread(self._news.start)
            self.tasks.run("beat", self._beat)
        self.tasks.run("expiry", self._expire)

    def when_open(self, begin: Callable[[Rooms], None]) -> None:
        """Call it with the rooms once the database is open; at once where it is."""
        if self._rooms is None:
            self._begin.append(begin)
        else:
            begin(self._rooms)

    async def close(self) -> None:
        """End what runs here, and let go of the database. Who comes later is told `TooBusy`."""
        await self.tasks.close()
        self._closed = True
        await asyncio.to_thread(self._let_go)

    async def open(self, terms: Terms, token: str, seat: int | None = None, name: str = "") -> Room:
        """A new room, hosted by who has the token, at the seat or the first that is a person's.

        A name that cannot be used is one by chance. Raises what does not fit in the terms.
        """
        self._opening.take()
        await self.bounds.check_terms(terms, self.thinkers)
        if seat is None:
            seat = terms.players.index(PERSON)
        elif seat != NO_SEAT and (seat not in (0, 1) or terms.players[seat] != PERSON):
            raise NotAllowed(problem="no person")
        at = None if seat == NO_SEAT else seat
        room = await self.change(lambda rooms: rooms.open(terms, token, at, name))
        VISIT.get().holds(token)
        return self.go_on(room)

    async def look(self, code: str) -> Room:
        """The room as it stands. Raises `UnknownRoom`."""
        _check_code(code)
        return self.go_on(await self._look(code))

    async def replay(self, code: str) -> Record:
        """The match whose replay has this code. Raises `UnknownRoom`."""
        _check_code(code)
        return await self.read(lambda rooms: rooms.replay(code))

    async def sit(self, code: str, token: str, name: str = "") -> Room:
        """Take the free seat, under this name if it can be used. Raises `NotAllowed`."""
        room = await self._alter(code, lambda room, now: Outcome(sit(room, token, now, name)))
        VISIT.get().holds(token, room.class_code or "")
        return room

    async def act(self, code: str, token: str | None, version: int, action: Action) -> Room:
        """What a player does, who has seen this version. Raises what is wrong with it."""
        if isinstance(action, Play):
            self.bounds.check_move(action.text)
        room = await self._alter(code, lambda room, now: act(room, now, token, version, action))
        VISIT.get().holds(token, room.class_code or "")
        return room

    async def delete(self, code: str, token: str | None) -> None:
        """Forget the room and all that it holds; its host may."""
        _check_code(code)
        await self.change(lambda rooms: rooms.delete(code, token))

    async def settled(self, room: Room, seconds: float) -> Room:
        """The room once the computer has answered, or else after so long."""
        if not room.waits_for_computer:
            return room
        VISIT.get().step_aside()
        await self.tasks.wait(("computer", room.code), seconds)
        return await self.look(room.code)

    def _look(self, code: str) -> Awaitable[Room]:
        return self.read(lambda rooms: rooms.look(code))

    async def _alter(self, code: str, alter: Alter) -> Room:
        _check_code(code)
        room = await self.change(lambda rooms: rooms.change(code, alter))
        if room.over is not None and room.class_code is not None:
            self.class_match_over(room.class_code)
        return self.go_on(room)

    async def change(self, change: Callable[[Rooms], _Result]) -> _Result:
        """What the change gives, once it is durable. Raises what it raises."""
        if self._closed:
            raise TooBusy()
        if self._writer is None:
            raise self._failure(_AWAY)
        return await self._in_time(self._writer.make(VISIT.get().paid(change)))

    async def read(self, read: Callable[[Rooms], _Result]) -> _Result:
        if self._closed:
            raise TooBusy()
        if self._rooms is None:
            raise self._failure(_AWAY)
        visit, turns = VISIT.get(), self._turns
        if not turns.enter(visit.account):
            try:
                async with asyncio.timeout(_DEADLINE):
                    await turns.wait(visit.account)
            except TimeoutError:
                raise self._failure("slow") from None
        loop = asyncio.get_running_loop()
        reading = loop.run_in_executor(self._looks, visit.paid(read), self._rooms)

        def done(read: asyncio.Future[_Result]) -> None:
            read.exception()  # nobody may hear of it any more
            turns.leave(visit.account)

        reading.add_done_callback(done)
        return await self._in_time(asyncio.shield(reading))  # a thread goes on, whoever has left

    async def _in_time(self, work: asyncio.Future[_Result]) -> _Result:
        late = asyncio.get_running_loop().call_later(_DEADLINE, work.cancel)
        try:
            return await work
        except asyncio.CancelledError:
            asked_by = asyncio.current_task()
            if asked_by is not None and asked_by.cancelling():  # who asked has gone
                raise
            raise self._failure("slow") from None
        except StoreError as error:
            self._failed(error)
            raise
        finally:
            late.cancel()

    def _failure(self, problem: str) -> StoreError:
        error = StoreError(place=shown_place(self._place), problem=problem)
        self._failed(error)
        return error

    def go_on(self, room: Room) -> Room:
        """See to it that the computer moves, and that the clock is watched."""
        self._computers.see(room)
        return room

    async def _expire(self) -> None:
        while True:
            with suppress(StoreError):  # it may be back the next time
                while await self.change(lambda rooms: rooms.expire()):
                    pass
            await asyncio.sleep(_EXPIRE_EVERY)

    def _came_or_left(self, code: str) -> None:
        self.live.tell(wall_of(code) if is_class_code(code) else code, MORE)

    def _announce(self, codes: Iterable[str]) -> None:
        if self._news is None:
            return
        self._unannounced.update(codes)
        if self._unannounced:
            self.tasks.run("announce", self._tell_who_is_here)

    async def _tell_who_is_here(self) -> None:
        messages = self.presence.messages(self._unannounced)
        self._unannounced = set()
        await self.change(lambda rooms: rooms.tell_who_is_here(messages))

    async def _beat(self) -> None:
        while True:
            self.presence.beat()
            await asyncio.sleep(BEAT)

    def _hear(self, rooms: Rooms, code: str | None, version: int) -> None:
        """News, in the database's thread; None: anything may have changed."""
        if code is not None:
            if version == GONE:
                rooms.drop(code)
            self._tell(code, version)
            return
        for watched in self.live.watched:
            with suppress(StoreError):
                self._tell(watched, rooms.version_of(watched))

    def _let_go(self) -> None:
        if self._news is not None:
            self._news.stop()
        if self._writer is not None:
            self._writer.close()
        self._looks.shutdown()
        if self._rooms is not None:
            self._rooms.close()


def _check_code(code: str) -> None:
    if not is_code(code):
        raise UnknownRoom(code=code)
