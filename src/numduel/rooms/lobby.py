"""The lobby: rooms for an event loop, with the computers and clocks in them. Pages call this."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from secrets import randbits

from numduel.errors import NotAllowed, StoreError
from numduel.match import Record
from numduel.players import PERSON
from numduel.rooms.actions import Action, Outcome, Play, act, call_time, play_for_computer
from numduel.rooms.changes import sit
from numduel.rooms.desk import AWAY, Desk
from numduel.rooms.kept_rooms import Alter, Rooms
from numduel.rooms.live import BEAT, Live, Presence
from numduel.rooms.room import Bounds, Room, Terms
from numduel.rooms.steady_time import now
from numduel.rooms.tasks import Tasks, patiently
from numduel.rooms.tokens import check_code, is_class_code
from numduel.store.news import GONE, HERE, MORE, News, wall_of
from numduel.thinking.meter import VISIT, Quota
from numduel.thinking.questions import position
from numduel.thinking.thinkers import Thinkers

NO_SEAT = -1  # of a host who only looks on
_EXPIRE_EVERY = 600.0  # seconds
_OPEN_AGAIN_AFTER = 0.5  # seconds
_PASSING = {AWAY, "slow", "busy", "full", "unwritten", "read-only"}
"""What may be otherwise in a moment: it is waited for. Anything else needs a person."""
_PAUSES = (0.2, 0.4, 0.8, 1.6)  # seconds until a computer asks again while all thinkers are busy
_AFTER_FLAG = 0.02  # seconds


class Lobby(Desk):
    """Rooms, for whoever runs an event loop. Start it there, and close it. `opening` is how many
    rooms a client may open. `class_match_over`, to be set, hears the code of a class in which a
    match has ended here. Unless a room is there, all raise `UnknownRoom`.
    """

    def __init__(
        self,
        place: str,
        thinkers: Thinkers,
        bounds: Bounds | None = None,
        failed: Callable[[StoreError], None] = lambda _: None,
        opening: Quota | None = None,
    ) -> None:
        super().__init__(place, failed)
        self.live = Live()
        self.presence = Presence(self._came_or_left, self._announce)
        self._unannounced: set[str] = set()
        self.thinkers = thinkers
        self.bounds = bounds or Bounds()
        self.tasks = Tasks()
        self.class_match_over: Callable[[str], None] = lambda _: None
        self._begin: list[Callable[[Rooms], None]] = []
        self._opening = opening or Quota("rooms")
        self._news: News | None = None

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
        heard, most, days = self.live.hear, self.bounds.rooms, self.bounds.days
        rooms = await self.open_rooms(lambda: Rooms(self._place, heard, most, days))
        for begin in self._begin:
            begin(rooms)
        if rooms.database.carries_news:
            hear_who_is_here = partial(self.live.from_thread, self.presence.hear)
            self._news = News(rooms.database, partial(self._hear, rooms), hear_who_is_here)
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
        if self._news is not None:
            await asyncio.to_thread(self._news.stop)
        await asyncio.to_thread(self.let_go)

    async def open(self, terms: Terms, token: str, seat: int | None = None, name: str = "") -> Room:
        """As `Rooms.open`; None: the first seat that is a person's. Raises what does not fit."""
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
        check_code(code)
        return self.go_on(await self.read(lambda rooms: rooms.look(code)))

    async def replay(self, code: str) -> Record:
        check_code(code)
        return await self.read(lambda rooms: rooms.replay(code))

    async def sit(self, code: str, token: str, name: str = "") -> Room:
        """Take the free seat, under this name if it can be used. Raises `NotAllowed`."""
        return await self._alter(
            code, lambda room, now: Outcome(sit(room, token, now, name)), token
        )

    async def act(self, code: str, token: str | None, version: int, action: Action) -> Room:
        """What a player does, who has seen this version. Raises what is wrong with it."""
        if isinstance(action, Play):
            self.bounds.check_move(action.text)
        acted = partial(act, token=token, version=version, action=action)
        return await self._alter(code, acted, token)

    async def delete(self, code: str, token: str | None) -> None:
        """Forget the room and all that it holds; its host may."""
        check_code(code)
        await self.change(lambda rooms: rooms.delete(code, token))

    async def settled(self, room: Room, seconds: float) -> Room:
        """The room once the computer has answered, or else after so long."""
        if not room.waits_for_computer:
            return room
        VISIT.get().step_aside()
        await self.tasks.wait(("computer", room.code), seconds)
        return await self.look(room.code)

    async def _alter(self, code: str, alter: Alter, token: str | None = None) -> Room:
        check_code(code)
        room = await self.change(lambda rooms: rooms.change(code, alter))
        VISIT.get().holds(token, room.class_code or "")
        if room.over is not None and room.class_code is not None:
            self.class_match_over(room.class_code)
        return self.go_on(room)

    def go_on(self, room: Room) -> Room:
        """If a computer is to move, it will; if a clock runs, it is watched."""
        if room.waits_for_computer:
            self.tasks.run(("computer", room.code), lambda: self._play(room.code))
        if room.clock_runs:
            self.tasks.run(("clock", room.code), lambda: self._watch_clock(room.code))
        return room

    async def _play(self, code: str) -> None:
        """Play until a person is to move. Without a move in time, the computer gives up."""
        room = await self.read(lambda rooms: rooms.look(code))
        while room.waits_for_computer:
            board, word = str(room.board), room.seats[room.player].player
            ask, seed = self.thinkers.ask, randbits(48)
            choose = partial(ask, position.move, board=board, player=word, seed=seed)
            chosen = await patiently(choose, _PAUSES)
            text = None if chosen is None else chosen["move"]
            play = partial(play_for_computer, version=room.version, text=text)
            room = await self._alter(code, play)

    async def _watch_clock(self, code: str) -> None:
        with self.live.watch(code) as news:
            room = await self.read(lambda rooms: rooms.look(code))
            while room.clock is not None and room.clock_runs:
                left = room.clock.remaining(room.player, room.player, now())
                try:
                    async with asyncio.timeout(left + _AFTER_FLAG):
                        await news.next()
                    room = await self.read(lambda rooms: rooms.look(code))
                except TimeoutError:
                    room = await self._alter(code, call_time)

    async def _expire(self) -> None:
        while True:
            with suppress(StoreError):  # it may be back the next time
                while await self.change(lambda rooms: rooms.expire()):
                    pass
            await asyncio.sleep(_EXPIRE_EVERY)

    def _came_or_left(self, code: str) -> None:
        self.live.tell(wall_of(code) if is_class_code(code) else code, MORE)

    def _announce(self, codes: Iterable[str]) -> None:
        if self._news is not None:
            self._unannounced.update(codes)
            if self._unannounced:
                self.tasks.run("announce", self._tell_who_is_here)

    async def _tell_who_is_here(self) -> None:
        messages = self.presence.messages(self._unannounced)
        self._unannounced = set()
        await self.change(lambda rooms: rooms.database.notify(HERE, *messages))

    async def _beat(self) -> None:
        while True:
            self.presence.beat()
            await asyncio.sleep(BEAT)

    def _hear(self, rooms: Rooms, code: str | None, version: int) -> None:
        """News, in the database's thread; None: anything may have changed."""
        if code is not None:
            if version == GONE:
                rooms.drop(code)
            self.live.hear(code, version)
            return
        for watched in self.live.watched:
            with suppress(StoreError):
                self.live.hear(watched, rooms.version_of(watched))
