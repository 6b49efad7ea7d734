"""Connections byte by byte, for clients that do what no library lets them do."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from patience import PATIENT
from web.server import Server

TEXT, PING = 0x1, 0x9


@contextmanager
def upgraded(
    server: Server, code: str, receive_buffer: int | None = None
) -> Iterator[socket.socket]:
    """A WebSocket to a room, up to the first word of the server's.

    With a small buffer, the server soon has to wait.
    """
    with socket.socket() as connection:
        connection.settimeout(PATIENT)
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.connect(("127.0.0.1", server.port))
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
