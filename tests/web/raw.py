"""Connections byte by byte, for clients that do what no library lets them do."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from patience import PATIENT

TEXT, PING = 0x1, 0x9


class Listening(Protocol):
    """Whatever listens at a port of 127.0.0.1."""

    @property
    def port(self) -> int:
        """The port."""


@contextmanager
def connected(server: Listening, receive_buffer: int | None = None) -> Iterator[socket.socket]:
    """A connection, with a small buffer if wanted: then the server soon has to wait."""
    with socket.socket() as connection:
        connection.settimeout(PATIENT)
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.connect(("127.0.0.1", server.port))
        yield connection


@contextmanager
def upgraded(
    server: Listening, code: str, receive_buffer: int | None = None
) -> Iterator[socket.socket]:
    """A WebSocket to a room, up to the first word of the server's."""
    with connected(server, receive_buffer) as connection:
        connection.sendall(
            f"GET /api/rooms/{code}/live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        said = b""
        while b'{"version"' not in said:
            more = connection.recv(4096)
            assert more, said
            said += more
        assert said.startswith(b"HTTP/1.1 101 ")
        yield connection


def frame(kind: int, content: bytes) -> bytes:
    """A whole frame of a client, of less than 126 bytes."""
    mask = os.urandom(4)
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(content))
    return bytes([0x80 | kind, 0x80 | len(content)]) + mask + masked


def exchange(server: Listening, request: bytes) -> bytes:
    """All that the server answers to these bytes until it closes, which it has to."""
    with connected(server) as connection, suppress(ConnectionError):
        answer = b""
        connection.sendall(request)
        while more := connection.recv(65_536):
            answer += more
    return answer
