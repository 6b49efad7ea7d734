"""Clients that send and never read: after a while, or with too much unread, they are cut off."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from time import thread_time
from typing import Any, ClassVar

from typing_extensions import override

from numduel.thinking.meter import Meter, Visit
from numduel.web.safety.clients import anonymous

PROXIES = (anonymous(("127.0.0.1", 0)), anonymous(("::1", 0)))
"""Whoever connects from here is the machine's own, or a proxy that speaks for many."""

_NOWHERE: Mapping[str, Any] = {}


class Timer:
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


class Heard(asyncio.Protocol):
    """A connection of a client that takes what is sent to it."""

    transport: asyncio.Transport
    client: tuple[str, int] | None
    app_state: dict[str, Any]
    unread_seconds = 20.0
    most_unread, most_unread_in_all = 16 << 20, 96 << 20
    """Bytes that wait here to be read by one address, and by all: whoever adds to more is cut off.
    As many again wait in the system."""

    _all_unread: ClassVar[Counter[bytes]] = Counter()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._unread = Timer(self.unread_seconds)
        self._waiting: Counter[bytes] = Counter()
        self._visit: Visit | None = None

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

    def _come(self) -> None:
        """What is read from here on is on the account of the address."""
        meter: Meter | None = self.app_state.get("meter")
        client = anonymous(self.client)
        if meter is not None and client not in PROXIES:
            self._visit = meter.visit(client, None, _NOWHERE)

    def _pay(self, begun: float) -> None:
        if self._visit is not None:
            self._visit.pay_step(thread_time() - begun)

    def _have_read(self) -> None:
        self._unread.stop()
        for key, size in self._waiting.items():
            self._all_unread[key] -= size
            if not self._all_unread[key]:
                del self._all_unread[key]
        self._waiting.clear()
