"""News of rooms for who watches, on one event loop: only which version is the newest."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Self

from numduel.store.news import GONE, MORE


class Watching:
    """News of one room for one watcher: versions that grow, but after `MORE`; `GONE` is last."""

    __slots__ = ("_more", "_newest", "_seen", "_woken")

    def __init__(self) -> None:
        self._newest: int | None = None
        self._seen: int | None = None
        self._more = False
        self._woken = asyncio.Event()

    def tell(self, version: int) -> None:
        """There is another version; an older one is no news, and after `GONE` none is.

        `MORE`: there is one, or something else has changed; the version is told once more.
        """
        newest = self._newest
        if version == MORE:
            self._more = True
        elif newest is None or (newest != GONE and (version > newest or version == GONE)):
            self._newest = version
        self._woken.set()

    async def next(self) -> int:
        """The newest version, once it is another than the last one, or after `MORE`."""
        while self._newest is None or (self._newest == self._seen and not self._more):
            self._woken.clear()
            await self._woken.wait()
        self._seen, self._more = self._newest, False
        return self._newest

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> int:
        if self._seen == GONE:
            raise StopAsyncIteration
        return await self.next()


class Live:
    """Who watches which room."""

    def __init__(self) -> None:
        self._watching: dict[str, set[Watching]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """News from other threads come to the running loop from now on."""
        self._loop = asyncio.get_running_loop()

    @contextmanager
    def watch(self, code: str) -> Iterator[Watching]:
        watching = Watching()
        self._watching.setdefault(code, set()).add(watching)
        try:
            yield watching
        finally:
            others = self._watching[code]
            others.discard(watching)
            if not others:
                del self._watching[code]

    @property
    def watched(self) -> list[str]:
        return list(self._watching)

    def tell(self, code: str, version: int) -> None:
        for watching in self._watching.get(code, ()):
            watching.tell(version)

    def from_thread(self, call: Callable[..., None], *values: object) -> None:
        """Call it on the loop, from any thread."""
        with suppress(RuntimeError):  # the loop has closed, and with it all who watched
            if self._loop is not None:
                self._loop.call_soon_threadsafe(call, *values)
