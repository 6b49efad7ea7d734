"""Threads that make changes, so that the event loop never waits for a disk.

On SQLite one thread makes all that wait, in one commit. On PostgreSQL several make one change
each, since transactions over several rooms could wait for each other crosswise.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from numduel.errors import NumduelError, StoreError
from numduel.rooms.kept_rooms import Rooms

_TOGETHER = 64  # the most changes that become durable by one commit
_OF_ONE = ("taken", "damaged")  # what is wrong with one room, and not with the database
_THREADS = 4
_Result = TypeVar("_Result")
Change = Callable[[Rooms], Any]


class SeparateWriter:
    """Each change in a transaction of its own, some at the same time."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._threads = ThreadPoolExecutor(_THREADS, "numduel-changes")

    def make(self, change: Callable[[Rooms], _Result]) -> asyncio.Future[_Result]:
        """What the change gives or raises, once it is durable."""
        return asyncio.get_running_loop().run_in_executor(self._threads, change, self._rooms)

    def close(self) -> None:
        self._threads.shutdown()


class _Wanted(NamedTuple):
    change: Change
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class _Made(NamedTuple):
    result: Any
    error: BaseException | None


class JoiningWriter:
    """Changes one after another in one thread, a commit for all that wait."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._wanted: SimpleQueue[_Wanted | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="numduel-changes", daemon=True)
        self._thread.start()

    def make(self, change: Callable[[Rooms], _Result]) -> asyncio.Future[_Result]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_Result] = loop.create_future()
        self._wanted.put(_Wanted(change, future, loop))
        return future

    def close(self) -> None:
        self._wanted.put(None)
        self._thread.join()

    def _run(self) -> None:
        ends = False
        while not ends:
            batch, ends = self._waiting()
            batch = [wanted for wanted in batch if not wanted.future.done()]  # they have gone
            made = self._make_together([wanted.change for wanted in batch])
            answers = [(wanted.future, each) for wanted, each in zip(batch, made, strict=True)]
            for loop in {wanted.loop for wanted in batch}:
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_answer, answers)

    def _waiting(self) -> tuple[list[_Wanted], bool]:
        """All changes that wait, at least one; and whether to end after them."""
        batch: list[_Wanted] = []
        wanted = self._wanted.get()
        while wanted is not None and len(batch) < _TOGETHER - 1:
            batch.append(wanted)
            try:
                wanted = self._wanted.get_nowait()
            except Empty:
                return batch, False
        if wanted is not None:
            batch.append(wanted)
        return batch, wanted is None

    def _make_together(self, changes: list[Change]) -> list[_Made]:
        """Make them in one transaction; where one of them breaks it, each in its own."""
        if len(changes) > 1:
            # Whatever goes wrong: nothing is written then, and who broke it is told.
            try:
                with self._rooms.database.writing():
                    return [self._make(change) for change in changes]
            except Exception as error:
                if isinstance(error, StoreError) and error.problem not in _OF_ONE:
                    return [_Made(None, error) for _ in changes]
        return [self._make_alone(change) for change in changes]

    def _make(self, change: Change) -> _Made:
        """A refusal leaves nothing half done. Anything else spoils the transaction."""
        try:
            return _Made(change(self._rooms), None)
        except StoreError:
            raise
        except NumduelError as error:
            return _Made(None, error)

    def _make_alone(self, change: Change) -> _Made:
        try:
            return _Made(change(self._rooms), None)
        except Exception as error:
            return _Made(None, error)


Writer = SeparateWriter | JoiningWriter


def _answer(answers: list[tuple[asyncio.Future[Any], _Made]]) -> None:
    for future, (result, error) in answers:
        if future.done():  # who asked has gone
            continue
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
