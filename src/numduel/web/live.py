"""Live news of a room, a class, or a class's wall: that there is a new version, and which.

Whoever hears it looks again. Version 0: it is gone. A WebSocket says {"version": n}; where it
cannot be had, a script asks for the same at the same address now and then, and a program's
question after a room waits for news. With ?here=1, the WebSocket of a room also says who is at
the seats: {"here": [true, null]}, false for away. Nothing is read from clients: one that keeps
sending is disconnected, and so is one that does not read.
"""

import asyncio
from contextlib import AbstractContextManager, suppress
from json import dumps

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive
from starlette.websockets import WebSocket, WebSocketDisconnect

from numduel.classes import AWAY, SchoolClass, wall_of
from numduel.errors import NotSeated, NumduelError, UnknownClass, UnknownRoom
from numduel.rooms import GONE, Room, Watching
from numduel.rooms.live import Here
from numduel.thinking.meter import VISIT
from numduel.thinking.turns import Turns
from numduel.web.state import classes_of, lobby_of, token_of

PATH = "/api/{topic}/{code}/live"
ROOMS, CLASSES, WALLS = "rooms", "classes", "walls"

UNKNOWN, TALKS, BUSY = 4404, 1008, 1013  # closing codes: nothing there, keeps sending, try again
ABNORMAL = 1006  # what a client that left without closing looks like

SEND_SECONDS = 10.0  # within which a client has to take a message
MOST_MESSAGES = 5
WAIT_SECONDS = 20.0  # the longest an answer waits: proxies end a silent request after 30 or more
_WAITS = Turns(2_000, each=200)  # waiting at once, in all and of one address; others do not wait

_UNKNOWN = (UnknownRoom, UnknownClass, NotSeated)


async def _look(asks: HTTPConnection) -> tuple[int, Room | SchoolClass | None]:
    """The version of what is followed, and what it is, but for a wall. Raises one of `_UNKNOWN`."""
    topic, code, token = asks.path_params["topic"], asks.path_params["code"], token_of(asks)
    if topic == ROOMS:
        room = await lobby_of(asks).look(code)
        return room.version, room
    if topic == CLASSES:
        seen = await classes_of(asks).look(code, token)
        return seen.version, seen
    if topic == WALLS:
        token = asks.query_params.get("projector") or token
        return await classes_of(asks).wall_version(code, token), None
    raise UnknownRoom(code=code)


async def version_now(request: Request) -> Response:
    """The version, 0 for what is gone; of a room also whether its match is over."""
    topic, version, found = request.path_params["topic"], GONE, None
    if topic not in (ROOMS, CLASSES, WALLS):
        raise HTTPException(404)
    with suppress(*_UNKNOWN):
        version, found = await _look(request)
    is_over = not isinstance(found, Room) or found.over is not None
    return JSONResponse({"version": version} | ({"over": is_over} if topic == ROOMS else {}))


async def follow(socket: WebSocket) -> None:
    lobby, topic, code = lobby_of(socket), socket.path_params["topic"], socket.path_params["code"]
    # A client that leaves or stops listening meanwhile is not worth a line in the log.
    with (
        suppress(WebSocketDisconnect, TimeoutError),
        lobby.live.watch(wall_of(code) if topic == WALLS else code) as watching,
    ):
        await socket.accept()
        hearing = asyncio.create_task(_hear(socket))
        hearing.add_done_callback(lambda _: watching.tell(GONE))
        try:
            version, found = await _look(socket)
            watching.tell(version)
            with _present(socket, found):
                closing = await _tell(socket, watching, hearing)
        except NumduelError as error:
            closing = UNKNOWN if isinstance(error, _UNKNOWN) else BUSY
        finally:
            hearing.cancel()
        if closing is not None:
            # A client that closes in the same moment has done it already: a second is refused.
            with suppress(RuntimeError):
                async with asyncio.timeout(SEND_SECONDS):
                    await socket.close(closing)


def _present(socket: WebSocket, found: Room | SchoolClass | None) -> AbstractContextManager[None]:
    """Whoever follows their room or class is there meanwhile."""
    presence, code = lobby_of(socket).presence, socket.path_params["code"]
    if isinstance(found, SchoolClass):
        return presence.at(code, found.me and found.me.number, AWAY)
    return presence.at(code, found.seat_of(token_of(socket)) if found else None)


async def _tell(
    socket: WebSocket, watching: Watching, hearing: asyncio.Task[int | None]
) -> int | None:
    """Send versions until it is gone, or the client; the code to close with, if any."""
    told: int | None = None
    shown: Here | None = None
    presence, code = lobby_of(socket).presence, socket.path_params["code"]
    # The version of a wall is a sum: news only says that it has grown.
    asks, is_sum = "here" in socket.query_params, socket.path_params["topic"] == WALLS
    while True:
        version = await watching.next()
        if hearing.done():
            return hearing.result()
        if is_sum and told is not None and version != GONE:
            try:
                version, _ = await _look(socket)
            except UnknownClass:
                version = GONE
        async with asyncio.timeout(SEND_SECONDS):
            if version != told:
                told = version
                await _send(socket, version=version)
            if asks and version != GONE and (here := presence.here(code)) != shown:
                shown = here
                await _send(socket, here=here)
        if version == GONE:
            return UNKNOWN


async def _send(socket: WebSocket, **said: object) -> None:
    try:
        await socket.send_text(dumps(said))
    except RuntimeError as error:  # the client has closed, and we have not heard of it yet
        raise WebSocketDisconnect(ABNORMAL) from error


async def _hear(socket: WebSocket) -> int | None:
    """Wait until the client leaves, or has said too much: then the code to close with."""
    for _ in range(MOST_MESSAGES):
        if (await socket.receive())["type"] == "websocket.disconnect":
            return None
    return TALKS


async def changed(request: Request, code: str, after: int) -> Room:
    """The room once its version is not `after`, or after a while, or when the client leaves; at
    once when the server is about to stop.
    """
    lobby, visit = lobby_of(request), VISIT.get()
    with lobby.live.watch(code) as watching:
        room = await lobby.look(code)
        if room.version != after or not _WAITS.enter(visit.account):
            return room
        visit.step_aside()
        ends = _told(watching, after), _left(request.receive), request.app.state.stopping.wait()
        waiting = list(map(asyncio.ensure_future, ends))
        try:
            await asyncio.wait(waiting, timeout=WAIT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            _WAITS.leave(visit.account)
            for one in waiting:
                one.cancel()
    return await lobby.look(code)


async def _told(watching: Watching, after: int) -> None:
    while await watching.next() == after:
        pass


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


routes = [WebSocketRoute(PATH, follow), Route(PATH, version_now)]
