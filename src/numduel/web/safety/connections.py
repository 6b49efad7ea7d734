"""Connections of clients that are silent, or send and never read, are ended: uvicorn would wait.

These subclasses depend on its internals, so its version is bounded in `pyproject.toml`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar

import h11
from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from numduel.thinking.rate import Rate
from numduel.web.safety.rates import anonymous

_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

_PROXIES = (anonymous(("127.0.0.1", 0)), anonymous(("::1", 0)))
"""Whoever connects from here is the machine's own, or a proxy that speaks for many."""


class _Timer:
    """Ends a connection, unless it is stopped in time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._handle: asyncio.TimerHandle | None = None

    def start(self, transport: asyncio.Transport) -> None:
        if self._handle is None:
            self._handle = asyncio.get_running_loop().call_later(self._seconds, transport.abort)

    def stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


class _Heard(asyncio.Protocol):
    """A connection of a client that takes what is sent to it."""

    transport: asyncio.Transport
    unread_seconds = 20.0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._unread = _Timer(self.unread_seconds)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._unread.stop()
        super().connection_lost(exc)

    @override
    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread.start(self.transport)

    @override
    def resume_writing(self) -> None:
        super().resume_writing()
        self._unread.stop()


class Requests(_Heard, H11Protocol):
    """HTTP for clients that speak and listen."""

    head_seconds = 10.0
    """Within which the head of a request has to arrive."""
    most_per_client = 512
    """Connections of one client at once, without the live ones: the guard counts those."""
    arrivals: ClassVar = Rate(50, 1, 800)
    """New connections of one client; 40 pupils' browsers open 320 at once. The guard never sees a
    request that cannot be read."""

    _connected: ClassVar[Counter[bytes]] = Counter()
    """By client, and only while they last."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head = _Timer(self.head_seconds)
        self._counted = b""

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # With anything unsent, writing is paused: so one timer sees every slow reader.
        transport.set_write_buffer_limits(high=0)
        self._head.start(transport)
        client = anonymous(self.client)
        if client not in _PROXIES:
            self._counted = client
            self._connected[client] += 1
        if self._too_many(client):
            transport.abort()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    @override
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # A request is under way from its whole head to the end of its answer.
        if self.cycle is not None and not self.cycle.response_complete:
            self._head.stop()
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
        if self._counted:
            self._connected[self._counted] -= 1
            if not self._connected[self._counted]:
                del self._connected[self._counted]
            self._counted = b""


class Sockets(_Heard, WebSocketsSansIOProtocol):
    """WebSockets for clients that listen, and say little: one that floods is disconnected."""

    said_bytes = 16_384
    """What a client may say at once; its answers to pings are ten bytes each."""
    said_bytes_per_second = 64

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._said = 0
        self._begun = self.loop.time()

    @override
    def data_received(self, data: bytes) -> None:
        self._said += len(data)
        seconds = self.loop.time() - self._begun
        if self._said > self.said_bytes + self.said_bytes_per_second * seconds:
            self.transport.abort()
        else:
            super().data_received(data)

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
