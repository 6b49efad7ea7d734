"""Every rule of the guard, by real requests to one small server; who asks; and its log."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from starlette.requests import Request
from starlette.responses import Response
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from numduel.rooms.tokens import is_token, new_token
from numduel.web import state
from patience import PATIENT
from web.tiny_server import PING, UPGRADE, TinyServer, answer, ended, frame, is_closed, tiny_server

STRANGER = "127.0.0.2"
TOKEN = "abcdefghijklmnopqrst_-"
COOKIE = f"numduel={TOKEN}"


@pytest.fixture(scope="module")
def server() -> Iterator[TinyServer]:
    """Its log tells what broke, and never who asked."""
    with tiny_server(body=2_000) as running:
        running.ask("GET", "/broken", source=STRANGER)
        running.ask("POST", "/echo", {"Origin": "null"}, source=STRANGER)
        with running.connect(STRANGER) as nonsense:
            nonsense.sendall(b"nonsense\r\n\r\n")
            nonsense.recv(1_000)
        yield running
        out, err = ended(running)
        assert out == ""
        assert "RuntimeError: the secret" in err
        assert STRANGER not in err


SAFETY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
ANSWERS = [
    ("GET", "/", 200), ("HEAD", "/", 200), ("OPTIONS", "/", 405), ("GET", "/nowhere", 404),
    ("GET", "/api/nowhere", 404), ("GET", "/broken", 500), ("GET", "/api/broken", 500),
    ("POST", "/echo", 200), ("DELETE", "/", 405), ("GET", "/static/icon.svg", 200),
    ("GET", "/static/nothing", 404),
]  # fmt: skip


def test_every_answer_carries_the_headers(server: TinyServer) -> None:
    for method, path, status in ANSWERS:
        given = server.ask(method, path)
        assert given.status == status
        assert b"secret" not in given.body, "what broke is for the log"
        for name, value in SAFETY.items():
            assert given.headers.get_all(name) == [value], path
        assert "geolocation=()" in given.headers["Permissions-Policy"]
        assert "Server" not in given.headers
        kept = "no-cache" if (path, status) == ("/static/icon.svg", 200) else "no-store"
        assert given.headers.get_all("Cache-Control") == [kept], path


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
    ("our own, says the browser", {"Sec-Fetch-Site": "same-origin", "Origin": "http://HOST"}, 200),
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
]


@pytest.mark.parametrize(("case", "headers", "status"), ORIGINS)
def test_changes_and_live_connections_come_from_our_own_pages(
    server: TinyServer, case: str, headers: dict[str, str], status: int
) -> None:
    headers = {name: value.replace("HOST", server.host) for name, value in headers.items()}
    given = server.ask("POST", "/echo", headers, b"x=1")
    assert given.status == status
    assert server.ask("DELETE", "/api/echo", headers).status == status
    assert server.ask("GET", "/", headers).status == 200, "looking is free"
    upgrade = dict(line.split(": ") for line in UPGRADE)
    live = server.ask("GET", "/api/live", upgrade | headers)
    assert live.status == (101 if status == 200 else 403) or case == "two origins"
    if status == 403:
        assert "nothing was changed" in given.text
    if live.status == 403:
        assert live.json["error"] in ("ForeignOrigin", "MissingOrigin")
        assert live.headers["X-Content-Type-Options"] == "nosniff"


HEADS = {
    "GET / HTTP/1.0\r\n": 200,
    "GET / HTTP/1.1\r\nHost: [::1]:80\r\n": 200,
    "POST /echo HTTP/1.0\r\n": 400,
    "GET / HTTP/1.1\r\n": 400,
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n": 400,
    **{f"GET / HTTP/1.1\r\nHost: {host}\r\n": 400
       for host in ("", "a b", "a/b", "a@b", "<b>", "a:b", "a:123456", "x" * 254)},
    **{f"POST /echo HTTP/1.1\r\nHost: a\r\n{line}\r\n": 400
       for line in ("X: \x00", "X y: z", "X : y", "Content-Length: -1", "Content-Length: 1_0",
                    "Content-Length: 1\r\nContent-Length: 2", "Transfer-Encoding: gzip",
                    "Content-Length: 5\r\nTransfer-Encoding: chunked")},
    "nonsense\r\n": 400,
    "\x16\x03\x01\x02\x00\x01\x00\x01\r\n": 400,
    "GET  /  HTTP/1.1\r\nHost: a\r\n": 400,
    f"GET / HTTP/1.1\r\nHost: a\r\nX: {'x' * 20_000}": 400,
    "GET /" + "x" * 100_000: 400,
    "GET / HTTP/1.1\r\nHost: a\r\n" + "a: b\r\n" * 100: 200,
    "GET / HTTP/1.1\r\nHost: a\r\n" + "a: b\r\n" * 300: 400,
}  # fmt: skip


@pytest.mark.parametrize("head", HEADS, ids=range(len(HEADS)))
def test_heads_that_cannot_be_read(server: TinyServer, head: str) -> None:
    with server.connect() as connection:
        connection.sendall(head.encode() + b"\r\n" * head.endswith("\n"))
        assert answer(connection).status == HEADS[head]


def test_nothing_long_is_taken_on_a_live_connection(server: TinyServer) -> None:
    with connect(f"ws://{server.host}/api/live") as live:
        assert live.recv() == "version 1"
        live.send("x" * 2_000)
        with pytest.raises(ConnectionClosedError):
            live.recv(PATIENT)
    with server.connect() as connection:
        connection.sendall(server.head("GET /api/live", *UPGRADE))
        assert connection.recv(65_536).startswith(b"HTTP/1.1 101 ")
        connection.sendall(frame(PING, b"") * 400)
        assert is_closed(connection, PATIENT), "nor many frames of nothing"


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
    chunked = "LengthRequired", "Send the request with a Content-Length, and not in chunks."
    long = "BodyTooLarge", "The request is too large: the limit is 2,000 bytes."
    for announced, said in (
        ("Content-Length: 50000", long),
        ("Transfer-Encoding: chunked", chunked),
    ):
        with server.connect() as connection:
            connection.sendall(server.head("POST /api/rooms", announced))
            for _ in range(20):
                # A client that only reads when it has sent all; a reset would lose the answer.
                connection.sendall(b"3e8\r\n%s\r\n" % (b"x" * 1_000))
            given = answer(connection)
            assert (given.status, given.headers["Connection"]) == (
                411 if said is chunked else 413,
                "close",
            )
            assert (given.json["error"], given.json["message"]) == said
            assert is_closed(connection, PATIENT)


def test_who_waits_to_be_asked_for_the_body_is_asked(server: TinyServer) -> None:
    with server.connect() as connection:
        connection.sendall(server.head("POST /echo", "Expect: 100-continue", "Content-Length: 3"))
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        connection.sendall(b"abc")
        assert answer(connection).json == {"length": 3}


def test_visitors_cause_no_full_collection(server: TinyServer) -> None:
    """By Python's own rule one comes with a quarter more to look at."""
    before = server.ask("GET", "/tasks").json
    with ExitStack() as stack:
        for _ in range(250):
            connection = stack.enter_context(server.connect())
            connection.sendall(server.head("GET /api/live", *UPGRADE))
            assert connection.recv(1_000).startswith(b"HTTP/1.1 101 ")
        after = server.ask("GET", "/tasks").json
    assert after["full"] == before["full"]
    assert 10 < after["often"] < 1_000, "seldom, and not never"


def request(**headers: str) -> Request:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "headers": raw, "scheme": "http"})


@pytest.mark.parametrize(
    ("headers", "token"),
    [
        ({}, None),
        ({"cookie": COOKIE}, TOKEN),
        ({"cookie": f"a=b;{COOKIE} ; c=d"}, TOKEN),
        ({"cookie": f"x{COOKIE}"}, None),
        ({"cookie": f"numduel=short; {COOKIE}"}, TOKEN),
        ({"cookie": f'numduel="{TOKEN}"'}, None),
        ({"cookie": f"{COOKIE}x"}, None),
        ({"cookie": f"{COOKIE[:-1]}\u00e9"}, None),
        ({"authorization": f"Bearer {TOKEN}"}, TOKEN),
        ({"authorization": f"bearer  {TOKEN}"}, TOKEN),
        ({"authorization": f"Basic {TOKEN}"}, None),
        ({"authorization": f"Bearer {TOKEN}.."}, None),
        ({"authorization": f"Bearer {TOKEN}", "cookie": f"numduel={'b' * 22}"}, TOKEN),
        ({"authorization": "Bearer x", "cookie": COOKIE}, None),
        ({"authorization": "Bearer", "cookie": COOKIE}, None),
        ({"authorization": "Basic eDp5", "cookie": COOKIE}, TOKEN),  # a proxy's password
    ],
)
def test_tokens_are_read_from_a_cookie_or_a_bearer(
    headers: dict[str, str], token: str | None
) -> None:
    found = {name.encode(): [value.encode()] for name, value in headers.items()}
    assert state.token_in(found) == token
    asking = request(**headers)
    asking.scope[state.TOKEN] = token
    assert is_token(state.token_for(asking))


def test_a_seat_is_a_cookie_that_scripts_cannot_read(server: TinyServer) -> None:
    given = server.ask("POST", "/seat")
    assert is_token(given.text)
    year = 365 * 24 * 3600
    usual = f"numduel={given.text}; Path=/; Max-Age={year}; HttpOnly; SameSite=Lax"
    assert given.headers.get_all("Set-Cookie") == [usual]
    mine = {"Cookie": f"numduel={given.text}", "Origin": f"http://{server.host}"}
    assert server.ask("POST", "/seat", mine).text == given.text
    safe = server.ask("POST", "/seat", {"X-Forwarded-Proto": "https"})
    assert safe.headers["Set-Cookie"].endswith("; SameSite=Lax; Secure")
    token = new_token()
    program = server.ask("POST", "/seat", {"Authorization": f"Bearer {token}"})
    assert (program.text, program.headers["Set-Cookie"]) == (token, None)
    behind = server.ask("POST", "/seat", {**mine, "Authorization": "Basic eDp5"})
    assert (behind.text, behind.headers["Set-Cookie"]) == (given.text, usual)
    assert server.ask("POST", "/seat").text != given.text
    response = Response(headers={"Set-Cookie": "a=b"})
    state.with_cookie(response, request(), TOKEN)
    assert len(response.headers.getlist("set-cookie")) == 2, "other cookies stay"


def test_what_the_greedy_send_is_read_after_what_others_send() -> None:
    """Reading is work too: each head of somebody past their share waits for its turn."""
    greedy, many = "127.0.0.10", 100
    with tiny_server() as server, ExitStack() as stack:
        first, *others = [stack.enter_context(server.connect(greedy)) for _ in range(many + 1)]
        innocent = stack.enter_context(server.connect(STRANGER))
        first.sendall(server.head("GET /greedy"))
        with server.held():
            for connection in others:
                connection.sendall(b"nonsense\r\n\r\n")
            innocent.sendall(server.head("GET /unreadable"))
        assert answer(innocent).json < many // 2
        assert [answer(one).status for one in others] == [400] * many


def test_whoever_speaks_before_a_handshake_is_answered_is_cut_off() -> None:
    """And nothing is logged: uvicorn would take it for a failure of its own."""
    early = b"\xf9\x80\xaa\xbb\xcc\xdd"  # a ping with reserved bits
    with tiny_server() as server, ExitStack() as stack:
        first, *others = [stack.enter_context(server.connect("127.0.0.10")) for _ in range(101)]
        first.sendall(server.head("GET /greedy"))
        with server.held():
            pass
        for connection in others:
            connection.sendall(server.head("GET /api/live", *UPGRADE))
        for connection in others:
            connection.sendall(early)
            connection.shutdown(socket.SHUT_WR)
        assert server.serves(STRANGER)
        assert "Traceback" not in ended(server)[1]
