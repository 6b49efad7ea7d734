"""How much one client may ask for, kept only in memory.

A client is an address, or for IPv6 the network it is in. What is kept is a hash of it
with a salt that is drawn when the process starts, and only while it says something:
a client that is idle is forgotten. Each worker counts for itself.
"""

from __future__ import annotations

from asyncio import Semaphore
from collections import Counter
from contextlib import ExitStack
from hashlib import blake2b
from ipaddress import IPv6Address, ip_address
from math import ceil
from secrets import token_bytes
from weakref import WeakValueDictionary

from starlette.types import Scope

from numduel.errors import TooManyRequests
from numduel.thinking.rate import Rate
from numduel.web.pages.errors import Refusal, refusal
from numduel.web.settings import Limits

ROOM_PATHS = frozenset({"/rooms", "/api/rooms"})
CLASS_PATHS = frozenset({"/class"})
"""A POST there opens a room, or a class."""

_SALT = token_bytes(16)

SOCKET_SECONDS = 30
"""How long a client without room for another live connection is told to wait."""


class Rates:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._requests = Rate(limits.requests_per_second, 1, limits.burst)
        self._rooms = Rate(limits.rooms_per_minute, 60, limits.rooms_per_minute)
        self._classes = Rate(limits.classes_per_hour, 3_600, limits.classes_per_hour)
        self._rooms_a_day = Rate(limits.rooms_per_day, 86_400, limits.rooms_per_day)
        self._sockets: Counter[bytes] = Counter()
        self._all_sockets = 0
        self._places: WeakValueDictionary[bytes, Semaphore] = WeakValueDictionary()

    def request(self, client: bytes, now: float) -> Refusal | None:
        """One more request. Whoever sends too many has to connect again for each."""
        return _refused("requests", self._requests.take(client, now), Connection="close")

    def opened(self, client: bytes, scope: Scope, now: float) -> Refusal | None:
        """One more room or class, if that is asked for. Many may be opened at once."""
        if scope.get("method") != "POST":
            return None
        if scope["path"] in CLASS_PATHS:
            return _refused("classes", self._classes.take(client, now))
        if scope["path"] not in ROOM_PATHS:
            return None
        return _refused(
            "rooms", self._rooms.take(client, now) or self._rooms_a_day.take(client, now)
        )

    async def place(self, client: bytes) -> ExitStack:
        """A place among the client's requests, first come, first served; closing it gives it up."""
        places = self._places.setdefault(client, Semaphore(self._limits.requests_at_once))
        await places.acquire()
        held = ExitStack()
        held.callback(places.release)
        return held

    def open_socket(self, client: bytes) -> Refusal | None:
        """One more live connection; `close_socket` ends it unless it was refused."""
        if self._all_sockets >= self._limits.sockets:
            return _no_socket(503)
        if self._sockets[client] >= self._limits.sockets_per_client:
            return _no_socket(429)
        self._all_sockets += 1
        self._sockets[client] += 1
        return None

    def close_socket(self, client: bytes) -> None:
        self._all_sockets -= 1
        self._sockets[client] -= 1
        if not self._sockets[client]:
            del self._sockets[client]


def anonymous(client: tuple[str, int] | None) -> bytes:
    """The client, as a hash that means nothing outside this process."""
    return blake2b(_network(client), key=_SALT, digest_size=16).digest()


def _network(client: tuple[str, int] | None) -> bytes:
    """The address; of an IPv6 address the part that names the network."""
    address = client[0] if client else ""
    if ":" not in address:
        return address.encode("utf-8", "replace")
    try:
        read = ip_address(address)
    except ValueError:
        return address.encode("utf-8", "replace")
    if isinstance(read, IPv6Address) and read.ipv4_mapped is None:
        return read.packed[:8]
    return str(getattr(read, "ipv4_mapped", read)).encode()


def _refused(what: str, seconds: float, **headers: str) -> Refusal | None:
    if seconds <= 0:
        return None
    return refusal(TooManyRequests(what=what, seconds=max(1, ceil(seconds))), 429, **headers)


def _no_socket(status: int) -> Refusal:
    return refusal(TooManyRequests(what="live connections", seconds=SOCKET_SECONDS), status)
