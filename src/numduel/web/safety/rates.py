"""How much one client may ask for, in memory alone.

A client is an address, or for IPv6 the network it is in. What is kept is a hash of it
with a salt that is drawn when the process starts, and only while it says something:
a client that is idle is forgotten. Each worker counts for itself.
"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from ipaddress import IPv6Address, ip_address
from math import ceil
from secrets import token_bytes

from starlette.types import Scope

from numduel.errors import TooManyRequests
from numduel.web.safety.answers import Refusal, refusal
from numduel.web.settings import Limits

MOST_CLIENTS = 50_000
"""Clients kept in mind at once for one rate."""

ROOM_PATHS = frozenset({"/rooms", "/api/rooms"})
"""A POST there opens a room."""

_READ = ("/explore", "/analysis", "/replay", "/path.svg", "/puzzle", "/api/verdict", "/api/map",
         "/api/analysis", "/api/moves", "/api/hint", "/api/puzzle")  # fmt: skip
QUESTIONS = {
    "GET": _READ,
    "HEAD": _READ,
    "POST": ("/puzzle", "/learn", "/replay", "/explore", "/api/puzzle", "/api/learn"),
}
"""Requests that may take long to answer, by how their paths begin. So may the first page, if
its query names a board."""

SOCKET_SECONDS = 30
"""What a client without room for another live connection is told to wait."""


class Rate:
    """So many at once, refilled evenly: a bucket of tokens for each client.

    What is kept of a client is one number: the time at which its bucket is full again.
    """

    def __init__(self, count: int, seconds: float, burst: int) -> None:
        self._step = seconds / count
        self._depth = self._step * (burst - 1)
        self._full_at: dict[bytes, float] = {}

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, client: bytes, now: float) -> float:
        """Take one token: 0, or if there is none the seconds until there is."""
        seconds = self.wait(client, now)
        if not seconds:
            self.charge(client, 1, now)
        return seconds

    def wait(self, client: bytes, now: float) -> float:
        """The seconds until there is a token; 0 when there is one."""
        full_at = self._full_at.get(client, now)
        return max(0.0, full_at - now - self._depth)

    def charge(self, client: bytes, tokens: float, now: float) -> None:
        """Take tokens, also more than there are."""
        full_at = max(self._full_at.get(client, now), now)
        if len(self._full_at) >= MOST_CLIENTS:
            self._forget(now)
        self._full_at[client] = full_at + self._step * tokens

    def _forget(self, now: float) -> None:
        """Forget who is idle; if nobody is, a tenth of all, the longest known first."""
        busy = {client: time for client, time in self._full_at.items() if time > now}
        for client in list(busy)[: max(0, len(busy) - MOST_CLIENTS * 9 // 10)]:
            del busy[client]
        self._full_at = busy

    def forget_idle(self, now: float) -> None:
        """Forget every client whose bucket is full."""
        self._full_at = {client: time for client, time in self._full_at.items() if time > now}


class Rates:
    """The rates of all clients, and their live connections."""

    FORGET_SECONDS = 60.0

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._salt = token_bytes(16)
        self._requests = Rate(limits.requests_per_second, 1, limits.burst)
        self._rooms = Rate(limits.rooms_per_minute, 60, limits.rooms_per_minute)
        self._questions = Rate(limits.questions_per_minute, 60, limits.questions_per_minute)
        self._thinking = Rate(limits.thinking_per_minute, 60, limits.thinking_per_minute)
        self._asking: Counter[bytes] = Counter()
        self._sockets: Counter[bytes] = Counter()
        self._all_sockets = 0
        self._forget_at = 0.0

    def client(self, scope: Scope) -> bytes:
        """Who asks, as a hash that means nothing outside this process."""
        return blake2b(_network(scope.get("client")), key=self._salt, digest_size=16).digest()

    def request(self, client: bytes, now: float) -> Refusal | None:
        """One more request."""
        if now >= self._forget_at:
            self._forget_at = now + self.FORGET_SECONDS
            for rate in (self._requests, self._rooms, self._questions, self._thinking):
                rate.forget_idle(now)
        return _refused("requests", self._requests.take(client, now))

    def action(self, client: bytes, scope: Scope, now: float) -> Refusal | None:
        """What the request asks for, if it opens a room or may take long."""
        if opens_room(scope):
            # Many may open at once, as a class does; what is found out for them is counted.
            wait = self._thinking.wait(client, now)
            return _refused("rooms", wait or self._rooms.take(client, now))
        if not is_question(scope):
            return None
        if self._asking[client] >= self._limits.questions_at_once:
            return _refused("questions", 1)
        wait = self._thinking.wait(client, now) or self._questions.take(client, now)
        return _refused("questions", wait)

    def begin_question(self, client: bytes) -> None:
        """A question that may be expensive is being answered; `end_question` ends it."""
        self._asking[client] += 1

    def end_question(self, client: bytes, seconds: float, now: float) -> None:
        """It is answered, and processes worked on it for so long."""
        self._asking[client] -= 1
        if not self._asking[client]:
            del self._asking[client]
        self._thinking.charge(client, seconds, now)

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
        """One live connection less."""
        self._all_sockets -= 1
        self._sockets[client] -= 1
        if not self._sockets[client]:
            del self._sockets[client]


def opens_room(scope: Scope) -> bool:
    """Does this request open a room? Whether its board can be played may take long to find out."""
    return scope.get("method") == "POST" and scope["path"] in ROOM_PATHS


def is_question(scope: Scope) -> bool:
    """May it take long to answer this request?"""
    path: str = scope["path"]
    if path.startswith(QUESTIONS.get(scope.get("method", ""), ())):
        return True
    return path == "/" and bool(scope["query_string"])


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


def _refused(what: str, seconds: float) -> Refusal | None:
    if seconds <= 0:
        return None
    wait = max(1, ceil(seconds))
    error = TooManyRequests(what=what, seconds=wait)
    return refusal(429, error, {"Retry-After": str(wait)})


def _no_socket(status: int) -> Refusal:
    error = TooManyRequests(what="live connections", seconds=SOCKET_SECONDS)
    return refusal(status, error, {"Retry-After": str(SOCKET_SECONDS)})
