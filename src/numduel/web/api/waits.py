"""Requests that wait for news: each for a while at most, and not so many at once."""

from __future__ import annotations

import asyncio

from numduel.errors import UnknownRoom
from numduel.rooms import GONE, Lobby, Room

SECONDS = 20.0
"""The longest that an answer waits: proxies end a silent request after 30, or more."""

MOST = 2_000
"""Requests that wait at once; one more is answered with the room as it stands."""


class Waits:
    """Those who wait in one server."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._waiting: set[asyncio.Timeout] = set()

    async def changed(self, lobby: Lobby, code: str, after: int) -> Room:
        """The room once its version is another than `after`, or as it stands after a while."""
        with lobby.live.watch(code) as watching:
            room = await lobby.look(code)
            if room.version != after or len(self._waiting) >= self._most:
                return room
            limit = asyncio.timeout(SECONDS)
            try:
                async with limit:
                    self._waiting.add(limit)
                    while (version := await watching.next()) == after:
                        pass
            except TimeoutError:
                return room
            finally:
                self._waiting.discard(limit)
        if version == GONE:
            raise UnknownRoom(code=code)
        return await lobby.look(code)

    def end(self) -> None:
        """Answer everybody now: the server is about to stop."""
        now = asyncio.get_running_loop().time()
        for limit in self._waiting:
            if not limit.expired():
                limit.reschedule(now)
