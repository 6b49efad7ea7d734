"""Whose request it is, and how many live connections there are.

An address, or for IPv6 the network it is in, is kept as a hash with a salt that is drawn when the
process starts, and only while something is known of it. Each worker counts for itself.
"""

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
        self._addresses: Counter[bytes] = Counter()

    def open(self, client: bytes, address: bytes) -> Refusal | None:
        """One more; `close` ends it unless it was refused. The last fifth of all is for addresses
        with no more than one client may have.
        """
        limits, here = self._limits, self._addresses[address]
        few = limits.sockets_per_client
        if self._clients[client] >= few or here >= limits.sockets_per_address:
            return _refused(429)
        if self._addresses.total() >= (limits.sockets if here < few else limits.sockets * 4 // 5):
            return _refused(503)
        self._clients[client] += 1
        self._addresses[address] += 1
        return None

    def close(self, client: bytes, address: bytes) -> None:
        for counted, key in ((self._clients, client), (self._addresses, address)):
            counted[key] -= 1
            if not counted[key]:
                del counted[key]


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
