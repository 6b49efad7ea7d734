"""Whose request it is, and how many live connections there are.

An address, or for IPv6 the network it is in, is kept as a hash with a salt that is drawn when the
process starts, and only while something is known of it. Each worker counts for itself.
"""

from __future__ import annotations

from collections import Counter
from ipaddress import IPv6Address, ip_address

from numduel.errors import TooManyRequests
from numduel.thinking.meter import hidden
from numduel.web.pages.errors import Refusal, refusal
from numduel.web.settings import Limits

AGAIN_SECONDS = 30
"""How long a client without room for another live connection is told to wait."""


class LiveConnections:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._clients: Counter[bytes] = Counter()
        self._all = 0

    def open(self, client: bytes) -> Refusal | None:
        """One more; `close` ends it unless it was refused."""
        if self._all >= self._limits.sockets:
            return _refused(503)
        if self._clients[client] >= self._limits.sockets_per_client:
            return _refused(429)
        self._all += 1
        self._clients[client] += 1
        return None

    def close(self, client: bytes) -> None:
        self._all -= 1
        self._clients -= Counter([client])


def anonymous(client: tuple[str, int] | None) -> bytes:
    """The client's address, as a hash that means nothing outside this process."""
    return hidden(_network(client))


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


def _refused(status: int) -> Refusal:
    return refusal(TooManyRequests(what="live connections", seconds=AGAIN_SECONDS), status)
