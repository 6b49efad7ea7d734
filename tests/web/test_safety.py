"""Every rule of the guard, by real requests to a server of its own."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from starlette.requests import Request
from starlette.responses import Response
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.http11 import Response as Refused
from websockets.sync.client import connect

from numduel.rooms.tokens import is_token, new_token
from numduel.web import seats
from numduel.web.safety import rates
from numduel.web.settings import Limits
from tiny_server import TinyServer, answer, is_closed, seconds_until_closed, tiny_server

PROXY = "127.0.0.1"
STRANGER, OTHER = "127.0.0.2", "127.0.0.3"
COOKIE = f"numduel={'a' * 22}"


@pytest.fixture(scope="module")
def server() -> Iterator[TinyServer]:
    with tiny_server(
        requests={"head_seconds": 1.5},
        body=2_000,
        body_seconds=1.0,
        burst=5_000,
        requests_per_second=1_000,
    ) as running:
        yield running


@pytest.fixture
def strict() -> Iterator[TinyServer]:
    with tiny_server(
        burst=20,
        requests_per_second=4,
        rooms_per_minute=3,
        questions_per_minute=4,
        sockets=4,
        sockets_per_client=2,
    ) as running:
        yield running


SAFETY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("HEAD", "/", 405),
        ("OPTIONS", "/", 405),
        ("GET", "/nowhere", 404),
        ("GET", "/api/nowhere", 404),
        ("GET", "/broken", 500),
        ("GET", "/api/broken", 500),
        ("POST", "/echo", 200),
        ("DELETE", "/", 405),
        ("GET", "/static/icon.svg", 200),
        ("GET", "/static/nothing", 404),
    ],
)
def test_every_answer_carries_the_headers(
    server: TinyServer, method: str, path: str, status: int
) -> None:
    given = server.ask(method, path)
    assert given.status == status
    for name, value in SAFETY.items():
        assert given.headers.get_all(name) == [value]
    assert "geolocation=()" in given.headers["Permissions-Policy"]
    assert "Server" not in given.headers
    kept = "no-cache" if (path, status) == ("/static/icon.svg", 200) else "no-store"
    assert given.headers.get_all("Cache-Control") == [kept]


def test_what_breaks_is_told_without_a_secret(server: TinyServer) -> None:
    page, program = server.ask("GET", "/broken"), server.ask("GET", "/api/broken")
    assert page.headers["Content-Type"].startswith("text/html")
    assert "not your fault" in page.text
    assert program.json["error"] == "ServerError"
    assert "secret" not in page.text + program.text
    assert server.ask("GET", "/").status == 200


ORIGINS = [
    ("our own page", {"Origin": "http://HOST"}, 200),
    ("behind TLS", {"Origin": "https://HOST"}, 200),
    ("the usual port", {"Host": "numduel.example", "Origin": "https://numduel.example"}, 200),
    ("a proxy's port", {"Host": "numduel.example:443", "Origin": "https://numduel.example"}, 200),
    ("upper case", {"Host": "Numduel.Example", "Origin": "http://numduel.example"}, 200),
    ("IPv6", {"Host": "[::1]:8000", "Origin": "http://[::1]:8000"}, 200),
    ("a program", {}, 200),
    ("a program's token", {"Authorization": f"Bearer {'a' * 22}"}, 200),
    ("another cookie", {"Cookie": "a=numduel; other=b"}, 200),
    ("our cookie", {"Cookie": COOKIE, "Origin": "http://HOST"}, 200),
    ("another site", {"Origin": "http://evil.example"}, 403),
    ("another port", {"Host": "numduel.example:8000", "Origin": "http://numduel.example"}, 403),
    ("another's port", {"Host": "numduel.example", "Origin": "http://numduel.example:81"}, 403),
    ("the wrong usual port", {"Host": "a.example:80", "Origin": "https://a.example"}, 403),
    ("a longer name", {"Host": "a.example", "Origin": "http://a.example.evil.example"}, 403),
    ("a user's name", {"Host": "a.example", "Origin": "http://a.example@evil.example"}, 403),
    ("a path", {"Host": "a.example", "Origin": "http://a.example/x"}, 403),
    ("null", {"Origin": "null"}, 403),
    ("empty", {"Origin": ""}, 403),
    ("an extension", {"Origin": "chrome-extension://HOST"}, 403),
    ("two origins", {"Origin": "http://HOST\r\nOrigin: http://evil.example"}, 403),
    ("a cookie, no origin", {"Cookie": COOKIE}, 403),
    ("a cookie among others", {"Cookie": f"a=b; {COOKIE}; c=d"}, 403),
    ("another site, says the browser", {"Sec-Fetch-Site": "cross-site"}, 403),
    ("a neighbour, says the browser", {"Sec-Fetch-Site": "same-site"}, 403),
    ("our own, says the browser", {"Sec-Fetch-Site": "same-origin", "Origin": "http://HOST"}, 200),
]


def filled(headers: dict[str, str], server: TinyServer) -> dict[str, str]:
    return {name: value.replace("HOST", server.host) for name, value in headers.items()}


@pytest.mark.parametrize(("case", "headers", "status"), ORIGINS)
def test_changes_come_from_our_own_pages(
    server: TinyServer, case: str, headers: dict[str, str], status: int
) -> None:
    headers = filled(headers, server)
    given = server.ask("POST", "/echo", headers, b"x=1")
    assert given.status == status, case
    assert server.ask("DELETE", "/api/echo", headers).status == status, case
    assert server.ask("GET", "/", headers).status == 200, "looking is free"
    if status == 403:
        assert "nothing was changed" in given.text


@pytest.mark.parametrize(("case", "headers", "status"), ORIGINS)
def test_so_do_live_connections(
    server: TinyServer, case: str, headers: dict[str, str], status: int
) -> None:
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    given = server.ask("GET", "/api/live", {**upgrade, **filled(headers, server)})
    if case == "two origins":
        assert given.status in (400, 403)
        return
    assert given.status == (101 if status == 200 else 403), case
    if status == 403:
        assert given.json["error"] in ("ForeignOrigin", "MissingOrigin")
        assert given.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("GET / HTTP/1.0\r\n", 200),
        ("POST /echo HTTP/1.0\r\n", 400),
        ("GET / HTTP/1.1\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: \r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a b\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a/b\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a@b\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: <b>\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a:b\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a:123456\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: [::1]:80\r\n", 200),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \x00\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX y: z\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n", 400),
        ("nonsense\r\n", 400),
        (f"GET / HTTP/1.1\r\nHost: a\r\nX: {'x' * 20_000}", 400),
    ],
)
def test_heads_that_cannot_be_read(server: TinyServer, head: str, status: int) -> None:
    with server.connect() as connection:
        connection.sendall(head.encode() + b"\r\n" * head.endswith("\n"))
        assert answer(connection).status == status
    assert server.ask("GET", "/").status == 200


def test_a_body_over_the_limit_is_refused_at_once(server: TinyServer) -> None:
    for path in ("/echo", "/unread", "/nowhere"):
        begun = time.monotonic()
        given = server.ask("POST", path, {"Content-Length": "2001"})
        assert given.status == 413
        assert "at most 2,000 bytes" in given.text
        assert given.headers["Connection"] == "close"
        assert time.monotonic() - begun < 5
    assert server.ask("POST", "/echo", {"Content-Length": "9" * 19}).status == 413
    assert server.ask("POST", "/echo", body=b"x" * 2_000).json == {"length": 2_000}
    assert server.ask("GET", "/echo", body=b"x" * 2_001).status == 413
    assert server.ask("GET", "/echo", body=b"x" * 20).json == {"length": 20}


def test_whoever_sends_too_much_still_reads_why(server: TinyServer) -> None:
    for headers in ({}, {"Transfer-Encoding": "chunked"}):
        body = b"x" * 500_000
        if headers:
            body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        assert server.ask("POST", "/api/rooms", headers, body).json == {
            "error": "BodyTooLarge",
            "message": "The request is too large: at most 2,000 bytes are taken.",
        }


def test_a_body_in_pieces_is_counted(server: TinyServer) -> None:
    def chunked(count: int) -> bytes:
        return b"a\r\n0123456789\r\n" * count + b"0\r\n\r\n"

    chunks = {"Transfer-Encoding": "chunked"}
    assert server.ask("POST", "/echo", chunks, chunked(200)).json == {"length": 2_000}
    assert server.ask("POST", "/echo", chunks, chunked(201)).status == 413
    assert server.ask("POST", "/echo", {**chunks, "Content-Length": "5"}, chunked(201)).status in (
        400,
        413,
    )


@pytest.mark.parametrize("path", ["/echo", "/unread", "/nowhere", "/api/nowhere"])
@pytest.mark.parametrize("headers", ["Content-Length: 100", "Transfer-Encoding: chunked"])
def test_a_body_that_does_not_arrive_is_given_up(
    server: TinyServer, path: str, headers: str
) -> None:
    with server.connect() as connection:
        head = f"POST {path} HTTP/1.1\r\nHost: {server.host}\r\n{headers}\r\n\r\n"
        connection.sendall(head.encode())
        begun = time.monotonic()
        given = answer(connection)
        assert given.status == 408
        assert "within 1 seconds" in given.text
        assert 0.9 < time.monotonic() - begun < 5
        assert is_closed(connection, 5)


def test_a_body_without_end_is_given_up(server: TinyServer) -> None:
    with server.connect() as connection:
        head = f"POST /unread HTTP/1.1\r\nHost: {server.host}\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head.encode())
        assert seconds_until_closed(connection, [b"1\r\nx\r\n"] * 100) < 9


def test_who_leaves_while_sending_leaves_nothing_behind(server: TinyServer) -> None:
    before = server.ask("GET", "/tasks").json["tasks"]
    for _ in range(20):
        with server.connect() as connection:
            head = f"POST /echo HTTP/1.1\r\nHost: {server.host}\r\nContent-Length: 100\r\n\r\nx"
            connection.sendall(head.encode())
    time.sleep(0.2)
    assert server.ask("GET", "/tasks").json["tasks"] <= before + 1


def test_who_waits_to_be_asked_for_the_body_is_asked(server: TinyServer) -> None:
    with server.connect() as connection:
        head = f"POST /echo HTTP/1.1\r\nHost: {server.host}\r\nExpect: 100-continue\r\n"
        connection.sendall(f"{head}Content-Length: 3\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        connection.sendall(b"abc")
        assert answer(connection).json == {"length": 3}


def test_too_many_requests_wait_and_others_do_not(strict: TinyServer) -> None:
    told = [strict.ask("GET", "/api/nowhere", source=STRANGER) for _ in range(40)]
    assert [one.status for one in told[:20]] == [404] * 20
    late = [one for one in told if one.status == 429]
    assert len(late) > 5
    assert late[0].json == {
        "error": "TooManyRequests",
        "message": "Too many requests at once. Wait 1 second.",
    }
    assert late[0].headers["Retry-After"] == "1"
    assert late[0].headers["X-Content-Type-Options"] == "nosniff"
    # Who is not a proxy cannot pass for somebody else.
    forged = {"X-Forwarded-For": "192.0.2.77"}
    page = strict.ask("GET", "/", forged, source=STRANGER)
    assert (page.status, page.headers["Content-Type"]) == (429, "text/html; charset=utf-8")
    assert strict.ask("GET", "/", source=OTHER).status == 200
    time.sleep(1.1)
    assert strict.ask("GET", "/", source=STRANGER).status == 200


def test_a_proxy_says_who_asks(strict: TinyServer) -> None:
    def statuses(address: str) -> list[int]:
        headers = {"X-Forwarded-For": address}
        return [strict.ask("GET", "/nowhere", headers, source=PROXY).status for _ in range(22)]

    assert statuses("192.0.2.1")[-1] == 429
    assert statuses("192.0.2.2")[0] == 404
    assert statuses("2001:db8::1")[-1] == 429
    assert statuses("2001:db8::2")[1] == 429, "one network is one client"
    assert statuses("2001:db8:0:1::1")[0] == 404


def test_rooms_and_hard_questions_are_counted_apart(strict: TinyServer) -> None:
    paths = ["/rooms", "/api/rooms", "/rooms"]
    assert [strict.ask("POST", path).status for path in paths] == [200] * 3
    refused = strict.ask("POST", "/api/rooms")
    assert refused.status == 429
    assert re.fullmatch(r"Too many rooms at once. Wait (19|20) seconds.", refused.json["message"])
    asked = [strict.ask("GET", path) for path in ["/explore", "/api/verdict?board=x"] * 2]
    assert [one.status for one in asked] == [200] * 4
    refused = strict.ask("GET", "/api/verdict")
    assert (refused.status, refused.headers["Retry-After"]) == (429, "15")
    assert "Too many questions" in refused.json["message"]
    assert strict.ask("GET", "/").status == 200


def test_what_a_foreign_page_sends_uses_up_no_rooms(strict: TinyServer) -> None:
    for _ in range(5):
        assert strict.ask("POST", "/rooms", {"Origin": "http://evil.example"}).status == 403
    assert strict.ask("POST", "/rooms").status == 200


def test_live_connections_have_their_limits(strict: TinyServer) -> None:
    url = f"ws://{strict.host}/api/live"

    def refused(address: str) -> Refused:
        headers = {"X-Forwarded-For": address}
        with pytest.raises(InvalidStatus) as caught, connect(url, additional_headers=headers):
            pass
        return caught.value.response

    with ExitStack() as stack:
        for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3"):
            if address == "192.0.2.2":
                late = refused("192.0.2.1")
                assert late.status_code == 429
                assert b"Too many live connections" in late.body
            opened = connect(url, additional_headers={"X-Forwarded-For": address})
            assert stack.enter_context(opened).recv() == "version 1"
        assert refused("192.0.2.4").status_code == 503
    time.sleep(0.2)
    with connect(url, additional_headers={"X-Forwarded-For": "192.0.2.1"}) as again:
        assert again.recv() == "version 1"


def test_nothing_long_is_taken_on_a_live_connection(server: TinyServer) -> None:
    with connect(f"ws://{server.host}/api/live") as live:
        assert live.recv() == "version 1"
        live.send("x" * 2_000)
        with pytest.raises(ConnectionClosedError) as ended:
            live.recv(5)
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == 1009


def test_clients_are_hashed_forgotten_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    def scope(address: str) -> dict[str, object]:
        return {"client": (address, 1234)}

    here, there = rates.Rates(Limits()), rates.Rates(Limits())
    client = here.client(scope("192.0.2.1"))
    assert client == here.client(scope("::ffff:192.0.2.1"))
    assert client != there.client(scope("192.0.2.1")), "each process has its own salt"
    assert b"192" not in client
    assert here.client({"client": None})
    assert here.client(scope("not: an address")) != client
    rate = rates.Rate(10, 1, 5)
    assert [rate.take(client, 100.0) for _ in range(6)] == [0.0] * 5 + [pytest.approx(0.1)]
    assert rate.take(client, 100.1) == 0.0
    rate.forget_idle(100.2)
    assert len(rate) == 1
    rate.forget_idle(101.0)
    assert len(rate) == 0
    monkeypatch.setattr(rates, "MOST_CLIENTS", 100)
    for number in range(1_000):
        rate.take(number.to_bytes(2), 200.0)
        assert len(rate) <= 100
    assert [rate.take((999).to_bytes(2), 200.0) for _ in range(5)][-1] > 0, "the last is known"


def request(**headers: str) -> Request:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "headers": raw, "scheme": "http"})


TOKEN = "abcdefghijklmnopqrst_-"


@pytest.mark.parametrize(
    ("headers", "token"),
    [
        ({}, None),
        ({"cookie": f"numduel={TOKEN}"}, TOKEN),
        ({"cookie": f"a=b;numduel={TOKEN} ; c=d"}, TOKEN),
        ({"cookie": f"xnumduel={TOKEN}"}, None),
        ({"cookie": f"numduel=short; numduel={TOKEN}"}, TOKEN),
        ({"cookie": f'numduel="{TOKEN}"'}, None),
        ({"cookie": f"numduel={TOKEN}x"}, None),
        ({"cookie": f"numduel={TOKEN[:-1]}\u00e9"}, None),
        ({"authorization": f"Bearer {TOKEN}"}, TOKEN),
        ({"authorization": f"bearer  {TOKEN}"}, TOKEN),
        ({"authorization": f"Basic {TOKEN}"}, None),
        ({"authorization": f"Bearer {TOKEN}.."}, None),
        ({"authorization": f"Bearer {TOKEN}", "cookie": f"numduel={'b' * 22}"}, TOKEN),
        ({"authorization": "Bearer x", "cookie": f"numduel={TOKEN}"}, None),
    ],
)
def test_tokens_are_read(headers: dict[str, str], token: str | None) -> None:
    assert seats.token_of(request(**headers)) == token
    assert is_token(seats.token_for(request(**headers)))


def test_a_seat_is_a_cookie_that_scripts_cannot_read(server: TinyServer) -> None:
    given = server.ask("POST", "/seat")
    assert is_token(given.text)
    year = 365 * 24 * 3600
    usual = f"numduel={given.text}; Path=/; Max-Age={year}; HttpOnly; SameSite=Lax"
    assert given.headers.get_all("Set-Cookie") == [usual]
    again = server.ask(
        "POST", "/seat", {"Cookie": f"numduel={given.text}", "Origin": f"http://{server.host}"}
    )
    assert again.text == given.text
    safe = server.ask("POST", "/seat", {"X-Forwarded-Proto": "https"})
    assert safe.headers["Set-Cookie"].endswith("; SameSite=Lax; Secure")
    token = new_token()
    program = server.ask("POST", "/seat", {"Authorization": f"Bearer {token}"})
    assert (program.text, program.headers["Set-Cookie"]) == (token, None)
    assert server.ask("POST", "/seat").text != given.text


def test_a_response_keeps_its_other_cookies() -> None:
    response = Response(headers={"Set-Cookie": "a=b"})
    seats.with_cookie(response, request(), TOKEN)
    assert len(response.headers.getlist("set-cookie")) == 2


def test_no_address_is_written_down() -> None:
    with tiny_server() as server:
        server.ask("GET", "/broken", source=STRANGER)
        server.ask("POST", "/echo", {"Origin": "null"}, source=STRANGER)
        with socket.create_connection(("127.0.0.1", server.port), 5, (STRANGER, 0)) as nonsense:
            nonsense.sendall(b"nonsense\r\n\r\n")
            nonsense.recv(1_000)
        server.process.terminate()
        out, err = server.process.communicate(timeout=10)
    assert out == ""
    assert "RuntimeError: the secret" in err
    assert STRANGER not in err
