"""What a lobby does beside requests: tasks, at most one of a key, that end with the lobby."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterable
from typing import Any, TypeVar

from numduel import errors
from numduel.thinking.meter import VISIT

_PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0)  # seconds between tries while the database fails

_ENDS = (errors.NotAllowed, errors.NotSeated, errors.UnknownClass, errors.UnknownRoom)
Work = Callable[[], Coroutine[Any, Any, None]]
_Answer = TypeVar("_Answer")


class Tasks:
    def __init__(self) -> None:
        self._running: dict[Hashable, asyncio.Task[None]] = {}
        self._again: set[Hashable] = set()
        self._closed = False

    def run(self, key: Hashable, work: Work) -> None:
        """Begin the work; while work of this key goes on, have that done once more after it. So
        nothing is missed that the work looked at too early. It ends without a word where its room
        is gone; while the database fails, it is tried again, a few times.
        """
        if key in self._running:
            self._again.add(key)
        elif not self._closed:
            self._running[key] = asyncio.get_running_loop().create_task(self._do(key, work))

    async def wait(self, key: Hashable, seconds: float) -> None:
        """Wait until no work of this key goes on, or else for so long."""
        task = self._running.get(key)
        if task is not None:
            await asyncio.wait([task], timeout=seconds)

    async def close(self) -> None:
        self._closed = True
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._running.clear()

    async def _do(self, key: Hashable, work: Work) -> None:
        pauses = iter(_PAUSES)
        try:
            while True:
                self._again.discard(key)
                try:
                    await VISIT.get().run(work())
                except _ENDS:
                    return
                except errors.StoreError:
                    pause = next(pauses, None)
                    if pause is None:
                        return
                    await asyncio.sleep(pause)
                    continue
                if key not in self._again:
                    return
        finally:
            # In the same step as the last look, so that nobody asks in between.
            self._running.pop(key, None)
            self._again.discard(key)


async def patiently(
    ask: Callable[[], Awaitable[_Answer]], pauses: Iterable[float]
) -> _Answer | None:
    """What thinkers answer, asked again after these pauses while all are busy; or None. Whoever has
    no thinking left waits for more.
    """
    pause = iter(pauses)
    while True:
        try:
            return await ask()
        except errors.TooManyRequests as error:
            await asyncio.sleep(error.seconds)
        except errors.TooBusy:
            seconds = next(pause, None)
            if seconds is None:
                return None
            await asyncio.sleep(seconds)
        except errors.NumduelError:
            return None
