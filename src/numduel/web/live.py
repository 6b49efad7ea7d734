"""Live news of a room: a WebSocket that says {"version": n}, and nothing else.

Whoever is told looks at the room again. Version 0: the room is gone. Nothing is read
from clients; who goes on talking is shown out, and so is who does not listen.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from numduel.errors import NumduelError, UnknownRoom
from numduel.rooms import GONE, Watching
from numduel.web.state import lobby_of

PATH = "/api/rooms/{code}/live"

UNKNOWN = 4404
"""Closing code: there is no such room, or no longer."""
TALKS = 1008
"""Closing code for a client that goes on talking."""
BUSY = 1013
"""Closing code: try again later."""

SEND_SECONDS = 10.0
"""Within which a client has to take a message."""
MOST_MESSAGES = 5
"""What a client may say without being shown out."""


async def live(socket: WebSocket) -> None:
    """Tell the room's version now, and every newer one, until either side has enough."""
    lobby = lobby_of(socket)
    code = socket.path_params["code"]
    # A client that leaves while it is told, or does not listen, is not worth a word in the log.
    with suppress(WebSocketDisconnect, TimeoutError), lobby.live.watch(code) as watching:
        await socket.accept()
        try:
            watching.tell((await lobby.look(code)).version)
        except NumduelError as error:
            await _close(socket, UNKNOWN if isinstance(error, UnknownRoom) else BUSY)
            return
        hearing = asyncio.create_task(_hear(socket))
        hearing.add_done_callback(lambda _: watching.tell(GONE))
        try:
            closing = await _tell(socket, watching, hearing)
            if closing is not None:
                await _close(socket, closing)
        finally:
            hearing.cancel()


async def _tell(
    socket: WebSocket, watching: Watching, hearing: asyncio.Task[int | None]
) -> int | None:
    """Send versions until the room is gone, or the client; the code to close with, if any."""
    async for version in watching:
        if hearing.done():
            break
        async with asyncio.timeout(SEND_SECONDS):
            await socket.send_text(f'{{"version": {version}}}')
        if version == GONE:
            return UNKNOWN
    return hearing.result()


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
