"""HTTP and live connections: who is silent, floods, has too many or never reads is cut off; uvicorn
would wait.

These subclasses depend on its internals, so its version is bounded in `pyproject.toml`.
"""

import asyncio
from collections import Counter
from math import inf
from typing import Any, ClassVar

import h11
from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from numduel.thinking.meter import NOBODY, Meter, Visit
from numduel.thinking.turns import Rate
from numduel.web.safety.callers import PROXIES, Count, anonymous
from numduel.web.state import token_in

_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

_MOST_HEAD = 16_384


class _Reader(h11.Connection):
    """Reads no body in chunks: the guard refuses such a request, and what follows is dropped.
    Nor another request before the last answer was read: it would hold a place of its address.
    """

    most_lines = 200  # of one head, as each takes time to read; browsers send some twenty
    drops = False
    is_unread = False

    @override
    def next_event(self) -> Any:
        is_idle = self.their_state is h11.IDLE
        if self.drops or (self.is_unread and is_idle):
            return h11.PAUSED
        head = self.trailing_data[0].partition(b"\r\n\r\n")[0] if is_idle else b""
        if head.count(b"\n") > self.most_lines:
            raise h11.RemoteProtocolError("too many lines")
        event = super().next_event()
        if isinstance(event, h11.Request):
            self.drops = any(name == b"transfer-encoding" for name, _ in event.headers)
        return event


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
    client: tuple[str, int] | None
    app_state: dict[str, Any]
    unread_seconds = 20.0
    most_unread, most_unread_in_all = 16 << 20, 96 << 20
    """Bytes that wait here to be read by one address, and by all: whoever adds to more is cut off.
    As many again wait in the system."""

    _all_unread: ClassVar = Count()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._unread = _Timer(self.unread_seconds)
        self._waiting: Counter[bytes] = Counter()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._have_read()
        super().connection_lost(exc)

    @override
    def pause_writing(self) -> None:
        """Something is unread: there is room for nothing, and whoever writes waits for that."""
        super().pause_writing()
        self._unread.start(self.transport)
        size, client = self.transport.get_write_buffer_size(), anonymous(self.client)
        self._waiting = Counter({b"": size} if client in PROXIES else {b"": size, client: size})
        self._all_unread.update(self._waiting)
        in_all = self._all_unread[b""] > self.most_unread_in_all
        if in_all or (client not in PROXIES and self._all_unread[client] > self.most_unread):
            self.transport.abort()

    @override
    def resume_writing(self) -> None:
        super().resume_writing()
        self._have_read()

    def _have_read(self) -> None:
        self._unread.stop()
        for key, size in self._waiting.items():
            self._all_unread[key] -= size
        self._waiting.clear()


class Requests(_Heard, H11Protocol):
    """HTTP for clients that speak and listen."""

    conn: _Reader
    head_seconds = 10.0  # within which the head of a request has to arrive
    most_per_client, most_of_all = 512, 0.5
    """Connections of one address at once, without the live ones, which the guard counts; as many
    of each class there, on which a member has asked for something; of all together, one half."""
    arrivals: ClassVar = Rate(200, 1, 3_000)
    """New connections of one address; browsers of ten classes open 1,800 at once. The meter sees
    what reading costs, but not what taking one up does."""

    _clients: ClassVar = Count()  # connections of an address, or of a class there, while they last
    _addresses: ClassVar = Count()  # those of all its clients

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head = _Timer(self.head_seconds)
        self._address = self._counted = b""
        self._member: str | None = None  # the token of a class's member, who asked here
        self._sent = b""  # what was not read yet
        self._reading: asyncio.Task[None] | None = None  # waits for its turn
        self.conn = _Reader(h11.SERVER, self.config.h11_max_incomplete_event_size or _MOST_HEAD)

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # With anything unsent, writing is paused: so one timer sees every slow reader.
        transport.set_write_buffer_limits(high=0)
        self._head.start(transport)
        self._address = anonymous(self.client)
        if self._address not in PROXIES:
            self._counted = self._address
            self._clients[self._counted] += 1
            self._addresses[self._address] += 1
        if self._too_many():
            transport.abort()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    @override
    def data_received(self, data: bytes) -> None:
        """Read it. Past the share of its address it waits for its turn, and nothing more comes."""
        visit = self._visit()
        self._sent += data
        if self._reading is None and not visit.is_past:
            visit.paid(self._read)()
            return
        self._head.stop()
        self.flow.pause_reading()
        if self._reading is None:
            self._reading = self.loop.create_task(visit.run(self._read_in_turn()))
            self.tasks.add(self._reading)
            self._reading.add_done_callback(self.tasks.discard)

    async def _read_in_turn(self) -> None:
        self._reading = None
        if not self.transport.is_closing():
            self.flow.resume_reading()
            self._read()

    def _read(self) -> None:
        data, self._sent = self._sent, b""
        if not self.conn.drops:
            super().data_received(data)
        self._time_head()

    def _visit(self) -> Visit:
        """Who has sent what comes; nobody behind a proxy, where only the head tells."""
        meter: Meter | None = self.app_state.get("meter")
        if meter is None or self._address in PROXIES:
            return NOBODY
        return meter.visit(self._address, self._member, {})

    @override
    def pause_writing(self) -> None:
        self.conn.is_unread = True
        super().pause_writing()

    @override
    def resume_writing(self) -> None:
        super().resume_writing()
        self.conn.is_unread = False
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.flow.resume_reading()
            self._visit().paid(self.handle_events)()  # what was sent meanwhile
            self._time_head()

    def _time_head(self) -> None:
        # A request is under way from its whole head to the end of its answer.
        if self.cycle is not None and not self.cycle.response_complete:
            self._head.stop()
            meter, told = self.app_state.get("meter"), {name: [one] for name, one in self.headers}
            if self._counted and meter and (its_class := meter.class_of(token := token_in(told))):
                self._member, client = token, self._address + its_class
                if self._clients[client] < self.most_per_client:
                    self._clients.move(self._counted, client)
                    self._counted = client
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

    def _too_many(self) -> bool:
        most = self.limit_concurrency or inf
        if len(self.connections) > most + self.config.backlog:
            return True  # no file would be left to answer it
        return bool(self._counted) and (
            self._clients[self._counted] > self.most_per_client
            or self._addresses[self._address] > max(self.most_per_client, self.most_of_all * most)
            or self.arrivals.take(self._counted, self.loop.time()) > 0
        )

    def _leave(self) -> None:
        self._head.stop()
        self._unread.stop()
        if self._counted:
            self._clients[self._counted] -= 1
            self._addresses[self._address] -= 1
            self._counted = b""


class Sockets(_Heard, WebSocketsSansIOProtocol):
    """WebSockets for clients that listen, and say little: one that floods is disconnected."""

    said_bytes = 512  # said at once after the handshake, at most; answers to pings are ten bytes
    said_bytes_per_second = 64

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._said = 0
        self._begun = self.loop.time()

    @override
    def data_received(self, data: bytes) -> None:
        if self.handshake_initiated:
            self._said += len(data)
        seconds = self.loop.time() - self._begun
        floods = self._said > self.said_bytes + self.said_bytes_per_second * seconds
        # Nobody speaks before the answer; uvicorn would log what it makes of that as its failure.
        if floods or (self.handshake_initiated and not self.handshake_complete):
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
