"""Every rule of the guard, by real requests to a server of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from patience import PATIENT
from web.tiny_server import TinyServer, answer, impatient_server, tiny_server

STRANGER = "127.0.0.2"
COOKIE = f"numduel={'a' * 22}"


@pytest.fixture(scope="module")
def server() -> Iterator[TinyServer]:
    with impatient_server() as running:
        yield running


SAFETY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none';"
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
        ("HEAD", "/", 200),
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


def test_nothing_long_is_taken_on_a_live_connection(server: TinyServer) -> None:
    with connect(f"ws://{server.host}/api/live") as live:
        assert live.recv() == "version 1"
        live.send("x" * 2_000)
        with pytest.raises(ConnectionClosedError) as ended:
            live.recv(PATIENT)
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == 1009


def test_no_address_is_written_down() -> None:
    with tiny_server() as server:
        server.ask("GET", "/broken", source=STRANGER)
        server.ask("POST", "/echo", {"Origin": "null"}, source=STRANGER)
        with server.connect(STRANGER) as nonsense:
            nonsense.sendall(b"nonsense\r\n\r\n")
            nonsense.recv(1_000)
        server.process.terminate()
        out, err = server.process.communicate(timeout=PATIENT)
    assert out == ""
    assert "RuntimeError: the secret" in err
    assert STRANGER not in err
