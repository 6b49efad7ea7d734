"""Whether a change comes from our own pages.

Browsers say with every change, and with every WebSocket, which page sent it. Only
pages of the host that is asked may. A proxy may end TLS before us, so the scheme is
not compared. Programs that say nothing are let through, unless they send a seat's
cookie: only browsers hold those.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from numduel.web.safety.refusals import Refusal
from numduel.web.seats import holds_cookie

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""These change nothing."""

_PLACE = r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?"
_HOST = re.compile(_PLACE)
_ORIGIN = re.compile(f"(https?)://{_PLACE}")
_USUAL_PORTS = {"http": "80", "https": "443"}

NO_HOST = Refusal(
    400,
    "InvalidHost",
    "The request does not say, in one Host header, which host it is for.",
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


Found = Mapping[bytes, Sequence[bytes]]
"""The values of the headers that are looked at, by name."""


def check_host(found: Found, changes: bool) -> Refusal | None:
    """Is the Host header one that can be read? Without a change it may be left out."""
    hosts = found.get(b"host", ())
    if not hosts and not changes:
        return None
    if len(hosts) != 1 or not _HOST.fullmatch(_text(hosts[0])):
        return NO_HOST
    return None


def check_origin(found: Found) -> Refusal | None:
    """Was this change sent by a page of the host that it is sent to, or by a program?"""
    sites = found.get(b"sec-fetch-site", ())
    if any(site not in (b"same-origin", b"none") for site in sites):
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
