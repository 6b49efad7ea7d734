"""Requests that wait for news: each for a while at most, and not too many at once."""

from __future__ import annotations

import asyncio
from collections import Counter

from starlette.types import Receive

from numduel.errors import UnknownRoom
from numduel.rooms import GONE, Lobby, Room
from numduel.thinking.waiting_line import ASKER, STEP_ASIDE

SECONDS = 20.0
"""The longest that an answer waits: proxies end a silent request after 30, or more."""

MOST, MOST_PER_CLIENT = 2_000, 200
"""Requests that wait at once; one more is answered with the room as it stands."""


class Waits:
    """Those who wait in one server."""

    def __init__(self, most: int = MOST, most_per_client: int = MOST_PER_CLIENT) -> None:
        self._most, self._most_per_client = most, most_per_client
        self._waiting: dict[asyncio.Timeout, bytes] = {}
        self._clients: Counter[bytes] = Counter()

    async def changed(self, lobby: Lobby, code: str, after: int, receive: Receive) -> Room:
        """The room once its version is no longer `after`, or as it is after a while.

        `receive` tells when the client leaves: then nobody waits any more.
        """
        client = ASKER.get()
        with lobby.live.watch(code) as watching:
            room = await lobby.look(code)
            if room.version != after or self._is_full(client):
                return room
            STEP_ASIDE.get()()
            limit = asyncio.timeout(SECONDS)
            leaving = asyncio.create_task(_left(receive))
            leaving.add_done_callback(lambda _: self._end(limit))
            try:
                async with limit:
                    self._waiting[limit] = client
                    self._clients[client] += 1
                    while (version := await watching.next()) == after:
                        pass
            except TimeoutError:
                return room
            finally:
                leaving.cancel()
                del self._waiting[limit]
                self._clients -= Counter([client])
        if version == GONE:
            raise UnknownRoom(code=code)
        return await lobby.look(code)

    def end(self) -> None:
        """Answer everybody now: the server is about to stop."""
        for limit in self._waiting:
            self._end(limit)

    def _end(self, limit: asyncio.Timeout) -> None:
        if limit in self._waiting and not limit.expired():
            limit.reschedule(asyncio.get_running_loop().time())

    def _is_full(self, client: bytes) -> bool:
        return len(self._waiting) >= self._most or self._clients[client] >= self._most_per_client


async def _left(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
