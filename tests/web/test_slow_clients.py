"""Clients that are slow, silent or many hold nothing up, and leave nothing in the log."""

import platform
import time
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import BadStatusLine, HTTPException
from socket import MSG_PEEK

import psutil
import pytest

from patience import PATIENT, until
from web.hostile import Attacker
from web.tiny_server import (
    MALFORMED,
    TEXT,
    UPGRADE,
    TinyServer,
    answer,
    ended,
    frame,
    is_closed,
    is_cut_off,
    tiny_server,
)

SECONDS = 1.0


@pytest.fixture(scope="module")
def server() -> Iterator[TinyServer]:
    """Impatient, with few files; whatever comes, its log stays empty."""
    with tiny_server(
        requests={"head_seconds": SECONDS, "unread_seconds": SECONDS},
        live={"unread_seconds": SECONDS},
        files=100,
        body=2_000,
        body_seconds=SECONDS,
    ) as running:
        yield running
        assert ended(running) == ("", "")


def test_silence_is_ended(server: TinyServer) -> None:
    with server.connect() as connection:
        begun = time.monotonic()
        assert is_closed(connection, PATIENT)
        assert time.monotonic() - begun > 0.9 * SECONDS, "not at once"


def test_a_head_that_trickles_in_is_ended(server: TinyServer) -> None:
    with server.connect() as connection:
        connection.sendall(server.head("GET /"))
        assert answer(connection).status == 200
        letters = [bytes([letter]) for letter in server.head("GET /", f"X: {'x' * 60}")[:-4]]
        assert is_cut_off(connection, letters)


def test_who_speaks_in_time_is_served_again_and_again(server: TinyServer) -> None:
    def served() -> bool:
        with server.connect() as connection:
            for _ in range(3):
                begun = time.monotonic()
                try:
                    connection.sendall(server.head("GET /")[:20])
                    time.sleep(0.4 * SECONDS)  # three times, this is longer than one head may take
                    connection.sendall(server.head("GET /")[20:])
                    assert answer(connection).status == 200
                except (ConnectionError, BadStatusLine):
                    assert time.monotonic() - begun > 0.9 * SECONDS, "ended, although in time"
                    return False  # the machine was too busy to send it in time
        return True

    until(served)


def test_who_does_not_read_is_ended(server: TinyServer) -> None:
    before = server.ask("GET", "/tasks").json["tasks"]
    with ExitStack() as stack:
        for _ in range(6):
            stack.enter_context(server.connect()).sendall(server.head("GET /large") * 5)
            flood = server.head("GET /api/flood", *UPGRADE)
            stack.enter_context(server.connect()).sendall(flood)
        seen: list[int] = []

        def given_up() -> bool:
            seen.append(server.ask("GET", "/tasks").json["tasks"])
            return max(seen) > before + 5 and seen[-1] <= before

        until(given_up)


def test_a_body_that_does_not_arrive_is_given_up(server: TinyServer) -> None:
    begun = time.monotonic()
    with ExitStack() as stack:
        opened = []
        for path in ("/echo", "/unread", "/nowhere", "/api/nowhere"):
            connection = stack.enter_context(server.connect())
            connection.sendall(server.head(f"POST {path}", "Content-Length: 100"))
            opened.append(connection)
        for connection in opened:
            given = answer(connection)
            assert given.status == 408
            assert "within 1 second." in given.text
        assert time.monotonic() - begun > 0.9 * SECONDS
        assert all(is_closed(connection, PATIENT) for connection in opened)


def test_answers_that_nobody_reads_are_few_for_an_address_and_in_all() -> None:
    most = {"most_unread": 20_000_000, "most_unread_in_all": 50_000_000}
    with tiny_server(requests=most) as server, ExitStack() as stack:

        def whole(*addresses: int) -> list[bool]:
            """Whose answers of 12 MB are read whole? Of each the system takes 4 at most."""
            strangers = (Attacker(address, server.port, "", 0) for address in addresses)
            opened = [stack.enter_context(one.connect(65_536)) for one in strangers]
            for connection in opened:
                connection.settimeout(PATIENT)
                connection.sendall(server.head("GET /huge", "Connection: close"))
                connection.recv(1, MSG_PEEK)
            read = []
            for connection in opened:
                try:
                    read.append(len(answer(connection).body) == 12_000_000)
                except (OSError, HTTPException):
                    read.append(False)
            return read

        assert whole(*[2] * 5).count(True) in range(1, 5)
        assert all(whole(2, 3)), "what was read is forgotten"
        many = whole(*range(10, 22))
        assert many.count(True) in range(3, 12), "one each, and too many in all"
        assert all(whole(10, 11))


def test_who_does_not_read_takes_no_place_from_others_at_the_address() -> None:
    """A pupil could keep a whole school waiting: it is often one address."""
    with tiny_server(requests_at_once=1) as server, ExitStack() as stack:
        for _ in range(2):
            connection = stack.enter_context(Attacker(2, server.port, "", 0).connect(1_024))
            connection.sendall(server.head("GET /large") * 4)
            connection.recv(1, MSG_PEEK)
        assert server.ask("GET", "/", source="127.0.0.2").status == 200


def test_what_is_sent_before_an_answer_was_read_is_answered_after_it(server: TinyServer) -> None:
    with server.connect() as connection:
        connection.sendall(server.head("GET /large") * 3 + server.head("POST /echo")[:20])
        connection.recv(1, MSG_PEEK)
        connection.sendall(server.head("POST /echo", "Connection: close")[20:])
        told = b"".join(iter(lambda: connection.recv(1 << 20), b""))
    assert told.count(b"HTTP/1.1 200 OK") == 4
    assert told.endswith(b'{"length":0}')


@pytest.mark.skipif("glibc" not in platform.libc_ver(), reason="others cannot give memory back")
def test_memory_is_given_back_after_a_rush() -> None:
    with tiny_server(tidy=0.5) as server:
        memory = psutil.Process(server.process.pid).memory_info
        before = memory().rss
        server.ask("GET", "/rush")  # 120 MB, of which a little stays, at its end too
        until(lambda: memory().rss - before < 20 << 20)


def test_who_leaves_while_sending_leaves_nothing_behind(server: TinyServer) -> None:
    before = server.ask("GET", "/tasks").json["tasks"]
    for _ in range(20):
        with server.connect() as connection:
            connection.sendall(server.head("POST /echo", "Content-Length: 100") + b"x")
    until(lambda: server.ask("GET", "/tasks").json["tasks"] <= before + 1)


@pytest.mark.parametrize(("path", "said"), [
    ("/api/live", frame(TEXT, b"\xff\xfe") + frame(TEXT, b"\xc3") + frame(8, b"")),
    ("/api/last-word", frame(3, b"no such kind of frame")),
], ids=["no text", "cut off"])  # fmt: skip
def test_what_is_no_text_and_a_word_to_who_was_cut_off_are_not_logged(
    server: TinyServer, path: str, said: bytes
) -> None:
    with server.connect() as connection:
        connection.sendall(server.head(f"GET {path}", *UPGRADE))
        assert connection.recv(65_536).startswith(b"HTTP/1.1 101 ")
        connection.sendall(said)
        assert is_closed(connection, PATIENT)


def test_malformed_upgrades_are_answered_and_leave_nothing_open(server: TinyServer) -> None:
    files = psutil.Process(server.process.pid).num_fds
    before = files()
    with ExitStack() as stack:
        for kind in MALFORMED * 8:
            connection = stack.enter_context(server.connect())
            connection.sendall(server.head("GET /api/live", *UPGRADE, kind))
            assert answer(connection).status == 400
            assert is_closed(connection, PATIENT)
        until(lambda: files() <= before + 5)


def test_who_opens_more_connections_than_there_are_files_fills_no_log(server: TinyServer) -> None:
    with ExitStack() as stack:
        for _ in range(150):
            stack.enter_context(server.connect())
        until(server.serves)  # those that all files are taken for are cut off
