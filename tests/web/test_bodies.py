"""Bodies are small, and arrive in time, or are refused in words."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from math import inf

import pytest

from patience import PATIENT, until
from web.tiny_server import TinyServer, answer, impatient_server, is_closed, seconds_until_closed


@pytest.fixture(scope="module")
def server() -> Iterator[TinyServer]:
    with impatient_server() as running:
        yield running


def test_a_body_over_the_limit_is_refused_at_once(server: TinyServer) -> None:
    for path in ("/echo", "/unread", "/nowhere"):
        given = server.ask("POST", path, {"Content-Length": "2001"})
        assert given.status == 413
        assert "the limit is 2,000 bytes" in given.text
        assert given.headers["Connection"] == "close"
    assert server.ask("POST", "/echo", {"Content-Length": "9" * 19}).status == 413
    assert server.ask("POST", "/echo", body=b"x" * 2_000).json == {"length": 2_000}
    assert server.ask("GET", "/echo", body=b"x" * 2_001).status == 413
    assert server.ask("GET", "/echo", body=b"x" * 20).json == {"length": 20}


def test_whoever_sends_too_much_still_reads_why(server: TinyServer) -> None:
    for announced in ("Content-Length: 50000", "Transfer-Encoding: chunked"):
        with server.connect() as connection:
            head = f"POST /api/rooms HTTP/1.1\r\nHost: {server.host}\r\n{announced}\r\n\r\n"
            connection.sendall(head.encode())
            for _ in range(20):
                # A client that only reads when it has sent all; a reset would lose the answer.
                connection.sendall(b"3e8\r\n%s\r\n" % (b"x" * 1_000))
                time.sleep(0.02)
            assert answer(connection).json == {
                "error": "BodyTooLarge",
                "message": "The request is too large: the limit is 2,000 bytes.",
            }


def test_a_body_in_pieces_is_counted(server: TinyServer) -> None:
    def chunked(count: int) -> bytes:
        return b"a\r\n0123456789\r\n" * count + b"0\r\n\r\n"

    chunks = {"Transfer-Encoding": "chunked"}
    assert server.ask("POST", "/echo", chunks, chunked(200)).json == {"length": 2_000}
    assert server.ask("POST", "/echo", chunks, chunked(201)).status == 413
    twofold = server.ask("POST", "/echo", {**chunks, "Content-Length": "5"}, chunked(1))
    assert (twofold.status, twofold.headers["Connection"]) == (400, "close")
    assert "gives its length twice" in twofold.text


def test_a_body_that_does_not_arrive_is_given_up(server: TinyServer) -> None:
    begun = time.monotonic()
    with ExitStack() as stack:
        opened = []
        for path in ("/echo", "/unread", "/nowhere", "/api/nowhere"):
            for announced in ("Content-Length: 100", "Transfer-Encoding: chunked"):
                connection = stack.enter_context(server.connect())
                head = f"POST {path} HTTP/1.1\r\nHost: {server.host}\r\n{announced}\r\n\r\n"
                connection.sendall(head.encode())
                opened.append(connection)
        for connection in opened:
            given = answer(connection)
            assert given.status == 408
            assert "within 3 seconds" in given.text
        assert time.monotonic() - begun > 2.9
        assert all(is_closed(connection, PATIENT) for connection in opened)


def test_a_body_without_end_is_given_up(server: TinyServer) -> None:
    with server.connect() as connection:
        head = f"POST /unread HTTP/1.1\r\nHost: {server.host}\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head.encode())
        assert seconds_until_closed(connection, [b"1\r\nx\r\n"] * 100) < inf


def test_who_leaves_while_sending_leaves_nothing_behind(server: TinyServer) -> None:
    before = server.ask("GET", "/tasks").json["tasks"]
    for _ in range(20):
        with server.connect() as connection:
            head = f"POST /echo HTTP/1.1\r\nHost: {server.host}\r\nContent-Length: 100\r\n\r\nx"
            connection.sendall(head.encode())
    until(lambda: server.ask("GET", "/tasks").json["tasks"] <= before + 1)


def test_who_waits_to_be_asked_for_the_body_is_asked(server: TinyServer) -> None:
    with server.connect() as connection:
        head = f"POST /echo HTTP/1.1\r\nHost: {server.host}\r\nExpect: 100-continue\r\n"
        connection.sendall(f"{head}Content-Length: 3\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        connection.sendall(b"abc")
        assert answer(connection).json == {"length": 3}
