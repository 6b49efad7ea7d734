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
from numduel.rooms import GONE, Lobby, Watching

PATH = "/api/rooms/{code}/live"
UNKNOWN = 4404
"""Closing code: there is no such room, or no longer."""
BUSY = 1013
TALKS = 1008
"""Closing code for a client that goes on talking."""

SEND_SECONDS = 10.0
"""Within which a client has to take a message."""
MOST_MESSAGES = 5
"""What a client may say without being shown out."""


async def live(socket: WebSocket) -> None:
    """Tell the room's version now, and every newer one."""
    lobby: Lobby = socket.app.state.lobby
    code = socket.path_params["code"]
    with lobby.live.watch(code) as watching:
        await socket.accept()
        try:
            watching.tell((await lobby.look(code)).version)
        except NumduelError as error:
            await socket.close(UNKNOWN if isinstance(error, UnknownRoom) else BUSY)
            return
        telling = asyncio.create_task(_tell(socket, watching))
        try:
            await _hear(socket)
        finally:
            telling.cancel()


async def _tell(socket: WebSocket, watching: Watching) -> None:
    """Send versions until the room is gone, or the client is."""
    with suppress(WebSocketDisconnect, RuntimeError):  # it left while it was told
        async for version in watching:
            async with asyncio.timeout(SEND_SECONDS):
                await socket.send_text(f'{{"version": {version}}}')
            if version == GONE:
                await socket.close(UNKNOWN)
                return


async def _hear(socket: WebSocket) -> None:
    """Wait until the client leaves, or has said too much."""
    for _ in range(MOST_MESSAGES):
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
    await socket.close(TALKS)


route = WebSocketRoute(PATH, live)
