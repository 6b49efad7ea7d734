"""Live news of a room: a WebSocket that says {"version": n}.

Whoever hears it looks at the room again. Version 0: the room is gone. With ?here=1 it also
says who is at the seats: {"here": [true, null]}, false for away. Nothing is read
from clients: one that keeps sending is disconnected, and so is one that does not read.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from json import dumps

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from numduel.errors import NumduelError, UnknownRoom
from numduel.rooms import GONE, Watching
from numduel.rooms.presence import Here
from numduel.web.seats import token_of
from numduel.web.state import lobby_of

PATH = "/api/rooms/{code}/live"

UNKNOWN = 4404
"""Closing code: there is no such room, or no longer."""
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


async def live(socket: WebSocket) -> None:
    """Send the room's version now, and every newer one, until either side ends it."""
    lobby = lobby_of(socket)
    code = socket.path_params["code"]
    # A client that leaves or stops listening meanwhile is not worth a line in the log.
    with suppress(WebSocketDisconnect, TimeoutError), lobby.live.watch(code) as watching:
        await socket.accept()
        try:
            room = await lobby.look(code)
        except NumduelError as error:
            await _close(socket, UNKNOWN if isinstance(error, UnknownRoom) else BUSY)
            return
        watching.tell(room.version)
        hearing = asyncio.create_task(_hear(socket))
        hearing.add_done_callback(lambda _: watching.tell(GONE))
        try:
            with lobby.presence.at(code, room.seat_of(token_of(socket))):
                closing = await _tell(socket, watching, hearing)
            if closing is not None:
                await _close(socket, closing)
        finally:
            hearing.cancel()


async def _tell(
    socket: WebSocket, watching: Watching, hearing: asyncio.Task[int | None]
) -> int | None:
    """Send versions until the room is gone, or the client; the code to close with, if any."""
    told: int | None = None
    shown: Here | None = None
    presence, code = lobby_of(socket).presence, socket.path_params["code"]
    asks = "here" in socket.query_params
    async for version in watching:
        if hearing.done():
            break
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


route = WebSocketRoute(PATH, live)
