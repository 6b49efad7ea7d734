"""What the application keeps for whoever answers a request, and the address to send to others."""

from __future__ import annotations

from ipaddress import ip_address

from starlette.requests import HTTPConnection

from numduel.classes import Classes
from numduel.rooms import Lobby
from numduel.thinking.thinkers import Thinkers
from numduel.web.settings import Limits


def lobby_of(request: HTTPConnection) -> Lobby:
    lobby: Lobby = request.app.state.lobby
    return lobby


def classes_of(request: HTTPConnection) -> Classes:
    classes: Classes = request.app.state.classes
    return classes


def thinkers_of(request: HTTPConnection) -> Thinkers:
    return lobby_of(request).thinkers


def limits_of(request: HTTPConnection) -> Limits:
    limits: Limits = request.app.state.settings.limits
    return limits


def base_of(request: HTTPConnection) -> str:
    """The first page's address for others, as far as it is known; it ends with a slash."""
    shared: tuple[str, ...] = request.app.state.settings.addresses
    return shared[0] if shared and _is_own(request) else str(request.base_url)


def only_here(request: HTTPConnection) -> bool:
    return _is_own(request) and not request.app.state.settings.addresses


def _is_own(request: HTTPConnection) -> bool:
    """Was the server asked by a name that every machine has for itself?"""
    host = request.url.hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
