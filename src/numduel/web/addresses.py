"""Where a server listens, and by which addresses others reach it."""

import errno
import socket
import time
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

BACKLOG = 1024
_ASKED_AFTER, _PATIENCE = 1.0, 8.0  # seconds: when a used port is asked, and when it is given up

_ELSEWHERE = {  # in the usual private networks, and beyond; nothing is sent to them
    socket.AF_INET: ("10.255.255.254", "172.31.255.254", "192.168.255.254", "192.0.2.1"),
    socket.AF_INET6: ("fd00::1", "2001:db8::1"),
}


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 for any free one. Raises `OSError`.

    A used port is waited for where nobody answers: the workers of a server that was killed while
    they started have it until they notice.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    # A name may have several addresses; people expect the short one.
    family, kind, protocol, _, place = min(found, key=lambda one: one[0] != socket.AF_INET)
    listening, begun = socket.socket(family, kind, protocol), time.monotonic()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    while True:
        try:
            listening.bind(place)
            listening.listen(BACKLOG)
            listening.set_inheritable(True)
            return listening
        except OSError as error:
            waited = time.monotonic() - begun
            asked = waited > _ASKED_AFTER
            if error.errno != errno.EADDRINUSE or waited > _PATIENCE or (asked and _answers(place)):
                listening.close()
                raise
            time.sleep(0.1)


def _answers(place: tuple[Any, ...]) -> bool:
    with suppress(OSError), socket.create_connection(place[:2], timeout=1) as asking:
        asking.sendall(b"GET / HTTP/1.0\r\n\r\n")
        return bool(asking.recv(1))
    return False


def own_address(listening: socket.socket) -> str:
    """The address for whoever sits at this machine."""
    place = _place(listening)
    if place.is_unspecified:
        place = ip_address("127.0.0.1" if place.version == 4 else "::1")
    return _address(place, listening)


def is_for_this_machine(listening: socket.socket) -> bool:
    return _place(listening).is_loopback


def shared_addresses(listening: socket.socket) -> list[str]:
    """The addresses by which other machines reach it; none if it is for this one alone."""
    place = _place(listening)
    if place.is_loopback:
        return []
    places = [place] if not place.is_unspecified else _places(listening.family)
    return [_address(place, listening) for place in places]


def _places(family: int) -> list[IPv4Address | IPv6Address]:
    """The addresses that others see us by. Connecting a datagram socket sends nothing."""
    families = (socket.AF_INET, socket.AF_INET6) if family == socket.AF_INET6 else (family,)
    found: dict[IPv4Address | IPv6Address, None] = {}
    for one in families:
        for elsewhere in _ELSEWHERE[socket.AddressFamily(one)]:
            with socket.socket(one, socket.SOCK_DGRAM) as asking, suppress(OSError):
                asking.connect((elsewhere, 9))
                found[_place(asking)] = None
    return [place for place in found if not place.is_loopback]


def _place(listening: socket.socket) -> IPv4Address | IPv6Address:
    return ip_address(listening.getsockname()[0].partition("%")[0])


def _address(place: IPv4Address | IPv6Address, listening: socket.socket) -> str:
    shown = f"[{place}]" if place.version == 6 else str(place)
    port = listening.getsockname()[1]
    return f"http://{shown}/" if port == 80 else f"http://{shown}:{port}/"
