"""Addresses that are sent to somebody: those by which others reach this server."""

from __future__ import annotations

from ipaddress import ip_address

from starlette.requests import Request


def base_of(request: Request) -> str:
    """The address of the first page, to be sent to others; it ends with a slash.

    Whoever sits at the machine itself may use an address that works for nobody else: then it
    is the one that `numduel serve` printed for others, if there is one.
    """
    shared: tuple[str, ...] = request.app.state.settings.addresses
    return shared[0] if shared and _is_own(request) else str(request.base_url)


def only_here(request: Request) -> bool:
    """Does the address work only on this machine?"""
    return _is_own(request) and not request.app.state.settings.addresses


def _is_own(request: Request) -> bool:
    """Was the server asked by a name that every machine has for itself?"""
    host = request.url.hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
