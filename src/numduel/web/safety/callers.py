"""Who asks: from which address, from which page, and on how many live connections.

An address, or for IPv6 the network it is in, is kept as a hash with a salt that is drawn when the
process starts, and only while something is known of it. Each worker counts for itself.

Browsers say with every change, and with every WebSocket, which page sent it. Only pages of the host
that is asked may. A proxy may end TLS before us, so the scheme is not compared. Programs that say
nothing are let through, unless they send a seat's cookie: only browsers hold those.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv6Address

from numduel.errors import TooManyRequests
from numduel.thinking.meter import hidden
from numduel.web.pages.errors import refusal
from numduel.web.settings import Limits
from numduel.web.state import Refusal, holds_cookie, tokens_in

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

_PLACE = r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::([0-9]{1,5}))?"
"""No name is longer. A host is put into links and QR codes, so its length is bounded here."""
_HOST = re.compile(_PLACE)
_ADDRESS = re.compile(r"\[.*\]|[0-9.]+")
_ORIGIN = re.compile(f"(https?)://{_PLACE}")
_USUAL_PORTS = {"http": "80", "https": "443"}

NO_HOST = Refusal(
    400, "InvalidHost", "The request does not say, in one Host header, which host it is for."
)
OTHER_NAME = Refusal(
    400,
    "UnknownHost",
    "This server does not know the name that you opened. Open it by its address. If the name is"
    " yours, start the server with it: numduel serve --name NAME.",
)
TWO_COOKIES = Refusal(
    400,
    "TwoCookies",
    "The browser sent two different seats for this server, and one may be somebody else's."
    " Delete this site's cookies, then open the page again.",
)
FOREIGN = Refusal(
    403,
    "ForeignOrigin",
    "This change was sent from a page of another site, so nothing was changed."
    " Open numduel itself and try again.",
)
UNSAID = Refusal(
    403,
    "MissingOrigin",
    "This change does not say which page sent it, so nothing was changed. Browsers say so in"
    " the Origin header; programs send their token as Authorization: Bearer, without a cookie.",
)
_TOO_MANY = TooManyRequests(what="live connections", seconds=30)

Found = Mapping[bytes, Sequence[bytes]]  # the values of the headers that are looked at, by name


def check_host(found: Found, changes: bool, names: Collection[str] | None) -> Refusal | None:
    """Does the Host header name this server? Without a change it may be left out.

    A page elsewhere can give its own name our address, and would then be of the same
    origin. So where `names` are given, a host is one of them, an address or localhost.
    """
    hosts = found.get(b"host", ())
    if not hosts and not changes:
        return None
    asked = _HOST.fullmatch(_text(hosts[0])) if len(hosts) == 1 else None
    if asked is None:
        return NO_HOST
    if names is None or asked[1] in ("localhost", *names) or _ADDRESS.fullmatch(asked[1]):
        return None
    return OTHER_NAME


def check_cookies(found: Found) -> Refusal | None:
    """Is there one cookie of ours at most? Another site of the same domain may set a second."""
    return TWO_COOKIES if len(tokens_in(found.get(b"cookie", ()))) > 1 else None


def check_origin(found: Found) -> Refusal | None:
    """Was this change sent by a page of the host that it is sent to, or by a program?"""
    if any(site not in (b"same-origin", b"none") for site in found.get(b"sec-fetch-site", ())):
        return FOREIGN
    origins = found.get(b"origin", ())
    if not origins:
        return UNSAID if holds_cookie(found.get(b"cookie", ())) else None
    if len(origins) > 1 or not _same_place(_text(origins[0]), _text(found[b"host"][0])):
        return FOREIGN
    return None


def _same_place(origin: str, host: str) -> bool:
    said, asked = _ORIGIN.fullmatch(origin), _HOST.fullmatch(host)
    if said is None or asked is None or said[2] != asked[1]:
        return False
    usual = _USUAL_PORTS[said[1]]
    return (said[3] or usual) == (asked[2] or usual)


def _text(value: bytes) -> str:
    return value.decode("latin-1").lower()


def anonymous(client: tuple[str, int] | None) -> bytes:
    """The client's address, or its network, as a hash that means nothing outside this process."""
    address = client[0] if client else ""
    with suppress(ValueError):
        if ":" in address:
            read = IPv6Address(address)
            if read.ipv4_mapped is None:
                return hidden(read.packed[:8])
            address = str(read.ipv4_mapped)
    return hidden(address.encode("utf-8", "replace"))


PROXIES = (anonymous(("127.0.0.1", 0)), anonymous(("::1", 0)))  # this machine, or a proxy for many


class Count(Counter[bytes]):
    """How many there are of each, and nothing of those of which there is none."""

    def __setitem__(self, key: bytes, count: int) -> None:
        if count:
            super().__setitem__(key, count)
        else:
            self.pop(key, None)

    def move(self, before: bytes, after: bytes) -> None:
        self[before] -= 1
        self[after] += 1


class LiveConnections:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._clients, self._addresses, self._members = Count(), Count(), Count()

    def open(self, client: bytes, address: bytes, member: bytes) -> Refusal | None:
        """One more; `close` ends it unless it was refused. The last fifth of all is for addresses
        with no more than one client may have. `member`: who in a class, or nobody.
        """
        limits, here = self._limits, self._addresses[address]
        few = limits.sockets_per_client
        is_full = self._clients[client] >= few or here >= limits.sockets_per_address
        if is_full or (member and self._members[member] >= limits.sockets_per_member):
            return refusal(_TOO_MANY, 429)
        if self._addresses.total() >= (limits.sockets if here < few else limits.sockets * 4 // 5):
            return refusal(_TOO_MANY, 503)
        self._clients[client] += 1
        self._addresses[address] += 1
        self._members[member] += 1
        return None

    def close(self, client: bytes, address: bytes, member: bytes) -> None:
        self._clients[client] -= 1
        self._addresses[address] -= 1
        self._members[member] -= 1
