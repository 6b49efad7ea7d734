"""Upgrades to a WebSocket that no client would send: they are answered, and hold nothing."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from patience import PATIENT, until
from web.raw import TEXT, frame
from web.tiny_server import TinyServer, answer, asked, is_closed, tiny_server

_UPGRADE = (
    "GET /api/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
MALFORMED = {
    "a length": "Content-Length: 5\r\n",
    "a length and a body": "Content-Length: 5\r\n\r\nhello",
    "chunks": "Transfer-Encoding: chunked\r\n",
    "a long line": f"X: {'x' * 9_000}\r\n",
    "many lines": "".join(f"X-{number}: 1\r\n" for number in range(200)),
}


@pytest.fixture(scope="module")
def server() -> Iterator[TinyServer]:
    with tiny_server(burst=10_000, requests_per_second=10_000) as running:
        yield running


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_upgrade_is_answered_and_closed(server: TinyServer, kind: str) -> None:
    with server.connect() as connection:
        connection.sendall(f"{_UPGRADE}{MALFORMED[kind]}\r\n".encode())
        assert answer(connection).status == 400
        assert is_closed(connection, PATIENT)


def test_a_plain_upgrade_is_taken(server: TinyServer) -> None:
    with server.connect() as connection:
        connection.sendall(f"{_UPGRADE}\r\n".encode())
        assert connection.recv(65_536).startswith(b"HTTP/1.1 101 ")


def test_many_of_them_leave_nothing_open_and_nothing_in_the_log() -> None:
    with tiny_server(burst=10_000, requests_per_second=10_000) as server, ExitStack() as stack:
        before = server.files()
        for number in range(100):
            connection = stack.enter_context(server.connect())
            kind = list(MALFORMED.values())[number % len(MALFORMED)]
            connection.sendall(f"{_UPGRADE}{kind}\r\n".encode())
        until(lambda: server.files() <= before + 5)
        server.process.send_signal(signal.SIGTERM)
        _, said = server.process.communicate(timeout=PATIENT)
    assert not said


def test_text_that_is_none_is_not_logged() -> None:
    with tiny_server() as server:
        with server.connect() as connection:
            connection.sendall(f"{_UPGRADE}\r\n".encode())
            assert connection.recv(65_536).startswith(b"HTTP/1.1 101 ")
            connection.sendall(frame(TEXT, b"\xff\xfe") + frame(TEXT, b"\xc3") + frame(8, b""))
            assert is_closed(connection, PATIENT)
        server.process.send_signal(signal.SIGTERM)
        _, said = server.process.communicate(timeout=PATIENT)
    assert not said


def test_a_word_to_a_client_that_was_cut_off_is_not_logged() -> None:
    with tiny_server() as server:
        with server.connect() as connection:
            connection.sendall(f"{_UPGRADE}\r\n".replace("/api/live", "/api/last-word").encode())
            assert connection.recv(65_536).startswith(b"HTTP/1.1 101 ")
            connection.sendall(frame(3, b"no such kind of frame"))
            assert is_closed(connection, PATIENT)
        server.process.send_signal(signal.SIGTERM)
        _, said = server.process.communicate(timeout=PATIENT)
    assert not said


def test_who_opens_more_connections_than_there_are_files_fills_no_log() -> None:
    with tiny_server(requests={"head_seconds": 2.5}, files=100) as server, ExitStack() as stack:
        for _ in range(250):
            stack.enter_context(server.connect())

        def served() -> bool:
            try:
                return asked(server.port, "GET", "/").status == 200
            except OSError:  # cut off: all files are taken
                return False

        until(served)
        server.process.send_signal(signal.SIGTERM)
        _, said = server.process.communicate(timeout=PATIENT)
    assert not said
