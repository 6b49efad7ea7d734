"""Live news of a room, a class, or a class's wall: a WebSocket that says {"version": n}.

Whoever hears it looks again. Version 0: it is gone. With ?here=1, news of a room also
says who is at the seats: {"here": [true, null]}, false for away. Nothing is read
from clients: one that keeps sending is disconnected, and so is one that does not read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from json import dumps
from typing import NamedTuple

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from numduel.classes import wall_of
from numduel.errors import NotSeated, NumduelError, UnknownClass, UnknownRoom
from numduel.rooms import GONE, Watching
from numduel.rooms.presence import Here
from numduel.web.seats import token_of
from numduel.web.state import classes_of, lobby_of

PATH = "/api/rooms/{code}/live"
CLASS_PATH = "/api/classes/{code}/live"
WALL_PATH = "/api/classes/{code}/wall/live"

UNKNOWN = 4404
"""Closing code: there is no such room or class, or no longer."""
TALKS = 1008
"""Closing code for a client that keeps sending."""
BUSY = 1013
"""Closing code: try again later."""
ABNORMAL = 1006
"""What a client that left without closing looks like."""

SEND_SECONDS = 10.0
"""Within which a client has to take a message."""
MOST_MESSAGES = 5
"""What a client may send before it is disconnected."""


class _Followed(NamedTuple):
    """What a client follows, as it stands."""

    version: int
    seat: int | None = None
    """Where the client sits, in a room."""


class Topic(NamedTuple):
    """Something to follow: its name in `Live`, and how it stands."""

    name: Callable[[str], str]
    look: Callable[[WebSocket, str], Awaitable[_Followed]]
    is_sum: bool = False
    """Is the version a sum that has to be asked for? Then news only says that it has grown."""

    async def follow(self, socket: WebSocket) -> None:
        """Send the version now, and every newer one, until either side ends it."""
        lobby, code = lobby_of(socket), socket.path_params["code"]
        # A client that leaves or stops listening meanwhile is not worth a line in the log.
        with (
            suppress(WebSocketDisconnect, TimeoutError),
            lobby.live.watch(self.name(code)) as watching,
        ):
            await socket.accept()
            try:
                followed = await self.look(socket, code)
            except NumduelError as error:
                unknown = isinstance(error, UnknownRoom | UnknownClass | NotSeated)
                await _close(socket, UNKNOWN if unknown else BUSY)
                return
            watching.tell(followed.version)
            hearing = asyncio.create_task(_hear(socket))
            hearing.add_done_callback(lambda _: watching.tell(GONE))
            try:
                with lobby.presence.at(code, followed.seat):
                    closing = await self._tell(socket, watching, hearing)
                if closing is not None:
                    await _close(socket, closing)
            finally:
                hearing.cancel()

    async def _tell(
        self, socket: WebSocket, watching: Watching, hearing: asyncio.Task[int | None]
    ) -> int | None:
        """Send versions until it is gone, or the client; the code to close with, if any."""
        told: int | None = None
        shown: Here | None = None
        presence, code = lobby_of(socket).presence, socket.path_params["code"]
        asks = "here" in socket.query_params
        async for version in watching:
            if hearing.done():
                break
            if self.is_sum and told is not None and version != GONE:
                try:
                    version = (await self.look(socket, code)).version
                except UnknownClass:
                    version = GONE
                except NumduelError:
                    return BUSY
            async with asyncio.timeout(SEND_SECONDS):
                if version != told:
                    told = version
                    await _send(socket, {"version": version})
                if asks and version != GONE and (here := presence.here(code)) != shown:
                    shown = here
                    await _send(socket, {"here": here})
            if version == GONE:
                return UNKNOWN
        return hearing.result()


async def _room(socket: WebSocket, code: str) -> _Followed:
    room = await lobby_of(socket).look(code)
    return _Followed(room.version, room.seat_of(token_of(socket)))


async def _class(socket: WebSocket, code: str) -> _Followed:
    return _Followed((await classes_of(socket).look(code, token_of(socket))).version)


async def _wall(socket: WebSocket, code: str) -> _Followed:
    return _Followed(await classes_of(socket).wall_version(code, token_of(socket)))


async def _send(socket: WebSocket, said: dict[str, object]) -> None:
    try:
        await socket.send_text(dumps(said))
    except RuntimeError as error:  # the client has closed, and we have not heard of it yet
        raise WebSocketDisconnect(ABNORMAL) from error


async def _hear(socket: WebSocket) -> int | None:
    """Wait until the client leaves, or has said too much: then the code to close with."""
    for _ in range(MOST_MESSAGES):
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return None
    return TALKS


async def _close(socket: WebSocket, code: int) -> None:
    # A client that closes in the same moment has done it already: the server refuses a second.
    with suppress(RuntimeError):
        async with asyncio.timeout(SEND_SECONDS):
            await socket.close(code)


ROOM = Topic(str, _room)
routes = [
    WebSocketRoute(PATH, ROOM.follow),
    WebSocketRoute(CLASS_PATH, Topic(str, _class).follow),
    WebSocketRoute(WALL_PATH, Topic(wall_of, _wall, is_sum=True).follow),
]
