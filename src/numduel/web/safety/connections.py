"""HTTP and live connections: who is silent, floods or has too many is cut off; uvicorn would wait.
What reading requests takes is on the account of whoever sends them.

These subclasses depend on its internals, so its version is bounded in `pyproject.toml`.
"""

import asyncio
from collections import Counter
from time import thread_time
from typing import Any, ClassVar

import h11
from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from numduel.thinking.turns import Rate
from numduel.web.safety.clients import anonymous
from numduel.web.safety.heard import PROXIES, Heard, Timer
from numduel.web.state import token_in

_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

_MOST_HEAD = 16_384


def _token(headers: list[tuple[bytes, bytes]]) -> str | None:
    return token_in({name: [value] for name, value in headers})


class _Reader(h11.Connection):
    """Reads no body in chunks: the guard refuses such a request, and what follows is dropped.
    Nor another request before the last answer was read: it would hold a place of its address.
    """

    drops = False
    is_unread = False

    @override
    def next_event(self) -> Any:
        if self.drops or (self.is_unread and self.their_state is h11.IDLE):
            return h11.PAUSED
        event = super().next_event()
        if isinstance(event, h11.Request):
            self.drops = any(name == b"transfer-encoding" for name, _ in event.headers)
        return event


class Requests(Heard, H11Protocol):
    """HTTP for clients that speak and listen."""

    conn: _Reader
    head_seconds = 10.0
    """Within which the head of a request has to arrive."""
    most_per_client = 512
    """Connections of one address at once, without the live ones, which the guard counts, and those
    on which a member of a class has asked for something: classes are as many as they are."""
    short_bytes = 1_024
    """What is read at once, whoever sends it: as much as browsers ask with."""
    arrivals: ClassVar = Rate(200, 1, 3_000)
    """New connections of one address; browsers of ten classes open 1,800 at once. The meter does
    not see what taking one up costs."""

    _connected: ClassVar[Counter[bytes]] = Counter()
    """By address, and only while they last."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head = Timer(self.head_seconds)
        self._counted = b""
        self.conn = _Reader(h11.SERVER, self.config.h11_max_incomplete_event_size or _MOST_HEAD)
        self._late = b""
        self._reading: asyncio.Task[None] | None = None

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # With anything unsent, writing is paused: so one timer sees every slow reader.
        transport.set_write_buffer_limits(high=0)
        self._head.start(transport)
        client = anonymous(self.client)
        if client not in PROXIES:
            self._counted = client
            self._connected[client] += 1
            self._come()
        if self._too_many(client):
            transport.abort()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    @override
    def data_received(self, data: bytes) -> None:
        """Read it: at once, or where it is long and the address past its share, in turn."""
        long = len(data) > self.short_bytes
        if self._reading or (long and self._visit is not None and self._visit.is_past):
            self._late += data
            self.transport.pause_reading()
            self._reading = self._reading or self.loop.create_task(self._read_in_turn())
        else:
            begun = thread_time()
            self._read(data)
            self._pay(begun)

    async def _read_in_turn(self) -> None:
        async def read() -> None:
            data, self._late, self._reading = self._late, b"", None
            if not self.transport.is_closing():
                if not self.flow.read_paused:
                    self.transport.resume_reading()
                self._read(data)

        assert self._visit is not None
        await self._visit.run(read())

    def _read(self, data: bytes) -> None:
        if not self.conn.drops:
            super().data_received(data)
        self._time_head()

    @override
    def pause_writing(self) -> None:
        self.conn.is_unread = True
        super().pause_writing()

    @override
    def resume_writing(self) -> None:
        super().resume_writing()
        self.conn.is_unread = False
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            begun = thread_time()
            self.flow.resume_reading()
            self.handle_events()  # what was sent meanwhile
            self._time_head()
            self._pay(begun)

    def _time_head(self) -> None:
        # A request is under way from its whole head to the end of its answer.
        if self.cycle is not None and not self.cycle.response_complete:
            self._head.stop()
            if self._visit and self._visit.meter.class_of(_token(self.headers)):
                self._forget()
        elif self.transport.get_protocol() is self:
            self._head.start(self.transport)

    @override
    def shutdown(self) -> None:
        super().shutdown()
        # What the application left for this moment: it answers those who wait for news.
        if stopping := self.app_state.get("stopping"):
            stopping()

    @override
    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        super().handle_websocket_upgrade(event)
        self._leave()
        live = self.transport.get_protocol()
        assert isinstance(live, Sockets)
        if not live.handshake_initiated:
            live.refuse()

    def _too_many(self, client: bytes) -> bool:
        most = self.limit_concurrency
        if most is not None and len(self.connections) > most + self.config.backlog:
            return True  # no file would be left to answer it
        return bool(self._counted) and (
            self._connected[client] > self.most_per_client
            or self.arrivals.take(client, self.loop.time()) > 0
        )

    def _leave(self) -> None:
        self._head.stop()
        self._unread.stop()
        self._forget()

    def _forget(self) -> None:
        """Count the connection no longer."""
        if self._counted:
            self._connected[self._counted] -= 1
            if not self._connected[self._counted]:
                del self._connected[self._counted]
            self._counted = b""


class Sockets(Heard, WebSocketsSansIOProtocol):
    """WebSockets for clients that listen, and say little: one that floods is disconnected."""

    said_bytes = 512
    """What a client may say at once after its handshake; its answers to pings are ten bytes."""
    said_bytes_per_second = 64

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._said = 0
        self._begun = self.loop.time()

    @override
    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            self._come()
            super().data_received(data)
            return
        self._said += len(data)
        seconds = self.loop.time() - self._begun
        if self._said > self.said_bytes + self.said_bytes_per_second * seconds:
            self.transport.abort()
        else:
            begun = thread_time()
            super().data_received(data)
            self._pay(begun)

    def refuse(self) -> None:
        """End a handshake that is here whole and cannot be read: uvicorn would wait for ever."""
        self.close_sent = True  # nothing more is said, whoever asks for it
        self.transport.write(_BAD_REQUEST)
        self.transport.close()

    @override
    def handle_text(self, event: Frame) -> None:
        # What clients say is not read, so it need not be text; uvicorn would log anything else.
        self.handle_bytes(event)

    @override
    async def send(self, message: Any) -> None:
        await self.writable.wait()
        cut_off = self.close_sent
        if cut_off:
            # For a frame that cannot be read, or for silence. uvicorn would log what we say now.
            raise ClientDisconnected
        await super().send(message)
        if self.close_sent:
            # A refusal ends the handshake too. Without this, uvicorn logs each one as a failure.
            self.handshake_complete = True
