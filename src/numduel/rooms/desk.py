"""Rooms read and changed by threads, so that the event loop never waits for a disk.

On SQLite one thread makes all changes that wait, in one commit. On PostgreSQL several make one
change each, since transactions over several rooms could wait for each other crosswise.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, TypeVar

from numduel.errors import NumduelError, StoreError, TooBusy
from numduel.rooms.kept_rooms import Rooms
from numduel.store.engines import shown_place
from numduel.thinking.meter import VISIT
from numduel.thinking.turns import Turns

_TOGETHER = 64  # the most changes that become durable by one commit
_COMPANY = 0.0005  # seconds that a commit waits for as many changes as the last one had, at most
_OF_ONE = ("taken", "damaged")  # what is wrong with one room, and not with the database
_WRITERS = 4  # threads that change rooms on PostgreSQL
_READERS = 8  # threads that read; two at once for one address, and four for those past their share
_PAST = 8  # changes at once from which on those past their share wait; on PostgreSQL two
_DEADLINE = 10.0  # seconds that a request waits for the database, and for those before it
AWAY = "unreachable"
_Result = TypeVar("_Result")


@dataclass(eq=False, slots=True)
class _Wanted:
    change: Callable[[Rooms], Any]
    future: asyncio.Future[Any]
    result: Any = None
    error: Exception | None = None

    def make(self, rooms: Rooms) -> Exception | None:
        """Make it; what spoils a common transaction comes back, which a refusal does not."""
        self.result = self.error = None
        try:
            self.result = self.change(rooms)
        except Exception as error:
            self.error = error
        refused = isinstance(self.error, NumduelError) and not isinstance(self.error, StoreError)
        return None if refused else self.error


def _answer(batch: list[_Wanted]) -> None:
    """On the loop: waking it costs as much for many as for one."""
    for wanted in batch:
        if not wanted.future.done():  # else who asked has gone
            if wanted.error is None:
                wanted.future.set_result(wanted.result)
            else:
                wanted.future.set_exception(wanted.error)


class Writer:
    """Makes changes in threads: what is asked for together is durable together, where it may be."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        apart = rooms.database.carries_news
        self._most = 1 if apart else _TOGETHER
        self._wanted: SimpleQueue[_Wanted | None] = SimpleQueue()
        self._threads = [
            Thread(target=self._run, name="numduel-changes", daemon=True)
            for _ in range(_WRITERS if apart else 1)
        ]
        for thread in self._threads:
            thread.start()

    def make(self, change: Callable[[Rooms], _Result]) -> asyncio.Future[_Result]:
        """What the change gives or raises, once it is durable."""
        future: asyncio.Future[_Result] = asyncio.get_running_loop().create_future()
        self._wanted.put(_Wanted(change, future))
        return future

    def close(self) -> None:
        """Make what waits, and end."""
        for _ in self._threads:
            self._wanted.put(None)
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        waiting: list[_Wanted | None] = []
        while None not in waiting:
            before, waiting = len(waiting), [self._wanted.get()]
            until = monotonic() + _COMPANY
            with suppress(Empty):
                while waiting[-1] and len(waiting) < self._most:
                    patience = until - monotonic() if len(waiting) < before else 0
                    waiting.append(self._wanted.get(timeout=max(0, patience)))
            # Those who asked may have gone.
            batch = [wanted for wanted in waiting if wanted and not wanted.future.done()]
            if len(batch) < 2 or not self._make_together(batch):
                for wanted in batch:
                    wanted.make(self._rooms)
            with suppress(RuntimeError):  # the loop has closed
                if batch:
                    batch[0].future.get_loop().call_soon_threadsafe(_answer, batch)

    def _make_together(self, batch: list[_Wanted]) -> bool:
        """Make them in one transaction, unless one of them breaks it: then nothing is written."""
        try:
            with self._rooms.database.writing():
                for wanted in batch:
                    if spoilt := wanted.make(self._rooms):
                        raise spoilt
        except Exception as error:
            if not isinstance(error, StoreError) or error.problem in _OF_ONE:
                return False
            for wanted in batch:
                wanted.error = error
        return True


class Desk:
    """Reads and changes, in time, for an event loop. `failed` hears of database failures, too."""

    def __init__(self, place: str, failed: Callable[[StoreError], None]) -> None:
        self._place, self._failed = place, failed
        self._looks = ThreadPoolExecutor(_READERS, "numduel-looks")
        self._reads = Turns(_READERS, each=2, past=_READERS // 2)
        self._changes = Turns(inf, past=_PAST)
        self._rooms: Rooms | None = None
        self._writer: Writer | None = None
        self._closed = False

    async def open_rooms(self, opened: Callable[[], Rooms]) -> Rooms:
        rooms = await asyncio.get_running_loop().run_in_executor(self._looks, opened)
        self._rooms, self._writer = rooms, Writer(rooms)
        if rooms.database.carries_news:
            self._changes = Turns(inf, past=_WRITERS // 2)
        return rooms

    def let_go(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._looks.shutdown()
        if self._rooms is not None:
            self._rooms.close()

    async def change(self, change: Callable[[Rooms], _Result]) -> _Result:
        """What the change gives, once it is durable. Raises what it raises."""
        if self._closed:
            raise TooBusy()
        if self._writer is None:
            raise self._failure(AWAY)
        visit, turns = VISIT.get(), self._changes
        if not turns.enter(visit.account):
            await self._wait(turns)
        made = self._writer.make(visit.paid(change))
        made.add_done_callback(lambda _: turns.leave(visit.account))
        return await self._in_time(made)

    async def read(self, read: Callable[[Rooms], _Result]) -> _Result:
        if self._closed:
            raise TooBusy()
        if self._rooms is None:
            raise self._failure(AWAY)
        visit, turns = VISIT.get(), self._reads
        if not turns.enter(visit.account):
            await self._wait(turns)
        loop = asyncio.get_running_loop()
        reading = loop.run_in_executor(self._looks, visit.paid(read), self._rooms)
        reading.add_done_callback(lambda _: turns.leave(visit.account))
        reading.add_done_callback(asyncio.Future.exception)  # nobody may hear of it any more
        return await self._in_time(asyncio.shield(reading))  # a thread goes on, whoever has left

    async def _wait(self, turns: Turns) -> None:
        """Wait for a turn, in fair order: those past their share let the others go first."""
        try:
            async with asyncio.timeout(_DEADLINE):
                await turns.wait(VISIT.get().account)
        except TimeoutError:
            # Not told to `failed`: whoever is before it may only ask for much.
            raise StoreError(place=shown_place(self._place), problem="slow") from None

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
