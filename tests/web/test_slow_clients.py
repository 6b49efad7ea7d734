"""Clients that are slow or silent hold nothing up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import BadStatusLine
from math import inf

import pytest

from patience import PATIENT, until
from web.tiny_server import TinyServer, answer, is_closed, seconds_until_closed, tiny_server


@pytest.fixture(scope="module")
def server() -> Iterator[TinyServer]:
    with tiny_server(
        requests={"head_seconds": 2.5, "unread_seconds": 2.5},
        live={"unread_seconds": 2.5},
        body_seconds=60.0,
        burst=10_000,
        requests_per_second=10_000,
    ) as running:
        yield running


def test_silence_is_ended(server: TinyServer) -> None:
    with server.connect() as connection:
        begun = time.monotonic()
        assert is_closed(connection, PATIENT)
        assert time.monotonic() - begun > 2, "not at once"


@pytest.mark.parametrize("before", [0, 2])
def test_a_head_that_trickles_in_is_ended(server: TinyServer, before: int) -> None:
    with server.connect() as connection:
        for _ in range(before):
            connection.sendall(f"GET / HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode())
            assert answer(connection).status == 200
        head = f"GET / HTTP/1.1\r\nHost: {server.host}\r\nX: {'x' * 60}"
        assert seconds_until_closed(connection, [letter.encode() for letter in head]) < inf


def test_who_speaks_in_time_is_served_again_and_again(server: TinyServer) -> None:
    head = f"GET / HTTP/1.1\r\nHost: {server.host}\r\n\r\n"

    def served() -> bool:
        with server.connect() as connection:
            for _ in range(5):
                begun = time.monotonic()
                try:
                    connection.sendall(head[:20].encode())
                    time.sleep(0.6)  # five times, this is longer than one head may take
                    connection.sendall(head[20:].encode())
                    assert answer(connection).status == 200
                except (ConnectionError, BadStatusLine):
                    assert time.monotonic() - begun > 2, "ended, although it was in time"
                    return False  # the machine was too busy to send it in time
        return True

    until(served)


def test_who_does_not_read_is_ended(server: TinyServer) -> None:
    before = server.ask("GET", "/tasks").json["tasks"]
    with ExitStack() as stack:
        for _ in range(10):
            connection = stack.enter_context(server.connect())
            head = f"GET /large HTTP/1.1\r\nHost: {server.host}\r\n\r\n"
            connection.sendall(head.encode() * 5)
        upgrade = (
            f"GET /api/flood HTTP/1.1\r\nHost: {server.host}\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        for _ in range(10):
            stack.enter_context(server.connect()).sendall(upgrade.encode())
        seen: list[int] = []

        def ended() -> bool:
            seen.append(server.ask("GET", "/tasks").json["tasks"])
            return max(seen) > before + 5 and seen[-1] <= before

        until(ended)


def test_two_hundred_slow_clients_hold_nobody_up(server: TinyServer) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(server.connect()) for _ in range(200)]
        for number, connection in enumerate(slow):
            head = f"POST /echo HTTP/1.1\r\nHost: {server.host}\r\nContent-Length: 100\r\n\r\n"
            # Some are silent, some stop in the head, some in the body.
            connection.sendall((head + "x")[: (0, 30, len(head) + 1)[number % 3]].encode())
        for _ in range(30):
            assert server.ask("POST", "/echo", body=b"x" * 100).json == {"length": 100}
        for connection in slow[2::3]:
            connection.sendall(b"x" * 99)
        assert all(answer(connection).status == 200 for connection in slow[2::3])


@pytest.fixture
def patient() -> Iterator[TinyServer]:
    with tiny_server(requests={"most_per_client": 10}) as running:
        yield running


def test_one_address_has_so_many_connections(patient: TinyServer) -> None:
    server = patient
    with ExitStack() as stack:
        held = [stack.enter_context(server.connect("127.0.0.9")) for _ in range(10)]
        with server.connect("127.0.0.9") as late:
            assert is_closed(late, PATIENT)
        assert server.ask("GET", "/", source="127.0.0.8").status == 200
        held[0].sendall(f"GET / HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode())
        assert answer(held[0]).status == 200

    def served() -> bool:
        try:
            return server.ask("GET", "/", source="127.0.0.9").status == 200
        except ConnectionError:  # it has not noticed yet that the others have left
            return False

    until(served)


def test_one_address_opens_so_many_connections_a_second() -> None:
    with tiny_server(arrivals=(1, 3600, 20)) as server:
        for _ in range(20):
            assert server.ask("GET", "/", source="127.0.0.9").status == 200
        with server.connect("127.0.0.9") as late:
            assert is_closed(late, PATIENT)
        assert server.ask("GET", "/", source="127.0.0.8").status == 200
        for _ in range(30):
            assert server.ask("GET", "/").status == 200, "a proxy on this machine speaks for many"
