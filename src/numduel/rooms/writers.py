"""Threads that make changes, so that the event loop never waits for a disk.

On SQLite one thread makes all that wait, in one commit. On PostgreSQL several make one change
each, since transactions over several rooms could wait for each other crosswise.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from numduel.errors import NumduelError, StoreError
from numduel.rooms.kept_rooms import Rooms

_TOGETHER = 64  # the most changes that become durable by one commit
_OF_ONE = ("taken", "damaged")  # what is wrong with one room, and not with the database
_THREADS = 4
_Result = TypeVar("_Result")


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
    change: Callable[[Rooms], Any]
    future: asyncio.Future[Any]


class _Made(NamedTuple):
    result: Any
    error: Exception | None = None


class JoiningWriter:
    """Changes one after another in one thread, a commit for all that wait."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._wanted: SimpleQueue[_Wanted | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="numduel-changes", daemon=True)
        self._thread.start()

    def make(self, change: Callable[[Rooms], _Result]) -> asyncio.Future[_Result]:
        future: asyncio.Future[_Result] = asyncio.get_running_loop().create_future()
        self._wanted.put(_Wanted(change, future))
        return future

    def close(self) -> None:
        self._wanted.put(None)
        self._thread.join()

    def _run(self) -> None:
        waiting: list[_Wanted | None] = []
        while None not in waiting:
            waiting = self._waiting()
            # Those who asked may have gone.
            batch = [wanted for wanted in waiting if wanted and not wanted.future.done()]
            answers = list(zip(batch, self._make_together(batch), strict=True))
            for loop in {wanted.future.get_loop() for wanted in batch}:
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_answer, answers)

    def _waiting(self) -> list[_Wanted | None]:
        """All changes that wait, at least one; None is the last of all."""
        waiting = [self._wanted.get()]
        with suppress(Empty):
            while waiting[-1] is not None and len(waiting) < _TOGETHER:
                waiting.append(self._wanted.get_nowait())
        return waiting

    def _make_together(self, batch: list[_Wanted]) -> list[_Made]:
        """Make them in one transaction; where one of them breaks it, each in its own."""
        if len(batch) > 1:
            # Whatever goes wrong: nothing is written then, and who broke it is told.
            try:
                with self._rooms.database.writing():
                    return [self._make(wanted, alone=False) for wanted in batch]
            except Exception as error:
                if isinstance(error, StoreError) and error.problem not in _OF_ONE:
                    return [_Made(None, error) for _ in batch]
        return [self._make(wanted, alone=True) for wanted in batch]

    def _make(self, wanted: _Wanted, alone: bool) -> _Made:
        try:
            return _Made(wanted.change(self._rooms))
        except Exception as error:
            # A refusal leaves nothing half done. Anything else spoils a common transaction.
            refusal = isinstance(error, NumduelError) and not isinstance(error, StoreError)
            if not alone and not refusal:
                raise
            return _Made(None, error)


Writer = SeparateWriter | JoiningWriter


def _answer(answers: list[tuple[_Wanted, _Made]]) -> None:
    for (_, future), (result, error) in answers:
        if future.done():  # who asked has gone
            continue
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
