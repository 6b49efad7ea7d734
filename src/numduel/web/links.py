"""Addresses that are sent to somebody: those by which others reach this server."""

from __future__ import annotations

from ipaddress import ip_address

from starlette.requests import Request


def base_of(request: Request) -> str:
    """The address of the first page, to be sent to others; it ends with a stroke.

    Whoever sits at the machine itself may have come by an address that leads others nowhere:
    then it is the one that `numduel serve` has printed for them, where there is one.
    """
    shared: tuple[str, ...] = request.app.state.settings.addresses
    return shared[0] if shared and _is_own(request) else str(request.base_url)


def only_here(request: Request) -> bool:
    """Does the address work on this machine alone?"""
    return _is_own(request) and not request.app.state.settings.addresses


def _is_own(request: Request) -> bool:
    """Was the server asked by a name that every machine has for itself?"""
    host = request.url.hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
