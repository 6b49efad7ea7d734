"""Hostile input: too large, too deep, too strange. It is refused with a sentence."""

from __future__ import annotations

import httpx
import pytest

from web.playing import duel, opened, refused, told
from web.raw import exchange
from web.server import Server

JSON = {"Content-Type": "application/json"}
BODIES = {
    "empty": (b"", 422),
    "no JSON": (b"board=divisor-duel:60", 422),
    "half": (b'{"board": "divisor-duel:60"', 422),
    "a list": (b'["divisor-duel:60"]', 422),
    "deep list": (b"[" * 8_000, None),
    "deep object": (b'{"a":' * 3_000, None),
    "deep and closed": (b"[" * 5_000 + b"]" * 5_000, None),
    "not text": (b'{"board": "\xff\xfe"}', None),
    "lone surrogate": (rb'{"board": "divisor-duel:\ud800"}', 422),
    "a number as long as a novel": (b'{"board": ' + b"9" * 15_000 + b"}", None),
    "infinity": (b'{"board": "divisor-duel:60", "first": Infinity}', 422),
    "not a number": (b'{"board": "divisor-duel:60", "seconds": NaN}', 422),
    "an exponent": (b'{"board": "divisor-duel:60", "seconds": 1e400}', 422),
    "a fraction": (b'{"board": "divisor-duel:60", "first": 1.5}', 422),
    "true for 1": (b'{"board": "divisor-duel:60", "first": true}', 422),
    "text for a number": (b'{"board": "divisor-duel:60", "first": "1"}', 422),
    "text for true": (b'{"board": "divisor-duel:60", "misere": "yes"}', 422),
    "a field too many": (b'{"board": "divisor-duel:60", "__class__": "x"}', 422),
    "three players": (
        b'{"board": "divisor-duel:60", "players": ["person","person","person"]}',
        422,
    ),
    "nobody": (b'{"board": "divisor-duel:60", "players": ["random","random"]}', 409),
    "another seat": (b'{"board": "divisor-duel:60", "seat": -1}', 422),
}


@pytest.mark.parametrize("body", BODIES)
def test_body(body: str, client: httpx.Client) -> None:
    content, status = BODIES[body]
    answer = client.post("api/rooms", content=content, headers=JSON)
    assert answer.status_code in ((400, 422) if status is None else (status,)), answer.text
    assert set(answer.json()) == {"error", "message"}
    assert len(answer.text) < 1_000, "what was sent is not sent back"


def test_large_body(client: httpx.Client) -> None:
    answer = client.post("api/rooms", content=b"[" * 1_000_000, headers=JSON)
    refused(answer, 413, "BodyTooLarge")


def test_body_of_another_kind(client: httpx.Client) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        content = b'{"board": "divisor-duel:60"}'
        answer = client.post("api/rooms", content=content, headers={"Content-Type": kind})
        refused(answer, 422, "InvalidRequest")


BOARDS = {
    "9" * 101: "TooManyDigits",
    "9" * 3_900: "TooManyDigits",
    "divisor-duel:" + "9" * 101: "TooManyDigits",
    "divisor-duel:60+" * 12 + "divisor-duel:60": "NotAllowed",
    "divisor-duel:60+" * 200 + "divisor-duel:60": "InvalidBoard",
    "divisor-duel:７": "InvalidBoard",
    "divisor-duel:٦٠": "InvalidBoard",
    "divisor-duel:6²": "InvalidBoard",
    "divisor-duel:-60": "InvalidBoard",
    "divisor-duel:1e9": "InvalidBoard",
    "divisor-duel:0x3c": "InvalidBoard",
    "divisor-duel:6_0": "InvalidBoard",
    "divisor-duel:60\0": "InvalidBoard",
    "divisor-duel:60; DROP TABLE rooms": "InvalidBoard",
    "' OR '1'='1": "UnknownGame",
    "<script>alert(1)</script>:60": "UnknownGame",
    "../../etc/passwd:60": "UnknownGame",
    "os:60": "UnknownGame",
    "__init__:60": "UnknownGame",
    "divisor-duel:60,divisors=__class__": "UnknownVariant",
    "divisor-duel:60,__class__=x": "UnknownVariant",
    "divisor-duel:7": "NotAllowed",
}


@pytest.mark.parametrize("board", BOARDS)
def test_board(board: str, client: httpx.Client) -> None:
    sent = board if ":" in board or not board.isdigit() else f"subtract-a-prime:{board}"
    answer = client.post("api/rooms", json={"board": sent})
    status = 409 if BOARDS[board] == "NotAllowed" else 422
    assert len(refused(answer, status, BOARDS[board])) < 600
    assert "<script" not in answer.text or answer.headers["content-type"] == "application/json"


# fmt: off
MOVES = ["", " ", "-15", "+15", "15.0", "1e1", "٣", "３", "15\0", "15; --", "1:15", "0",
         "9" * 4_001, "9" * 4_200, "pass", "undo", "resign", "' OR 1=1", "<b>15</b>", "\U0001f600"]
# fmt: on


@pytest.mark.parametrize("move", MOVES)
def test_move(move: str, client: httpx.Client) -> None:
    players = duel(client)
    answer = players[0].play(move)
    if move == "1:15":  # the place may be named on a board of one number, too
        told(answer)
        return
    assert set(told(answer, 422)) == {"error", "message"}
    assert len(answer.text) < 1_000
    assert players[0].room()["turns"] == []


@pytest.mark.parametrize("version", [-1, 10**10, 10**400, 1.5, "0", None, True, [0]])
def test_version(version: object, client: httpx.Client) -> None:
    answer = duel(client)[0].ask("POST", "/moves", json={"version": version, "move": "15"})
    refused(answer, 422, "InvalidRequest")


HEADS = {
    "no host": "POST /api/rooms HTTP/1.1\r\n",
    "two hosts": "POST /api/rooms HTTP/1.1\r\nHost: a\r\nHost: b\r\n",
    "odd host": "POST /api/rooms HTTP/1.1\r\nHost: a@b/..\r\n",
    "two lengths": "POST /api/rooms HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
    "Content-Length: 2\r\n",
    "negative length": "POST /api/rooms HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n",
    "odd length": "POST /api/rooms HTTP/1.1\r\nHost: a\r\nContent-Length: 1_0\r\n",
    "endless header": "GET /api/games HTTP/1.1\r\nHost: a\r\nX: " + "x" * 1_000_000,
    "endless headers": "GET /api/games HTTP/1.1\r\nHost: a\r\n" + "X: y\r\n" * 200_000,
    "endless address": "GET /api/" + "x" * 1_000_000,
    "no protocol": "\x16\x03\x01\x02\x00\x01\x00\x01\r\n",
    "null byte": "GET /api/games HTTP/1.1\r\nHost: a\r\nX: \x00\r\n",
    "blanks": "GET  /api/games  HTTP/1.1\r\nHost: a\r\n",
    "a line in two": "GET /api/games HTTP/1.1\r\nHost: a\r\nX : y\r\n",
}


@pytest.mark.parametrize("head", HEADS)
def test_head(head: str, server: Server, client: httpx.Client) -> None:
    answer = exchange(server, HEADS[head].encode() + b"Connection: close\r\n\r\n")
    assert not answer or answer.startswith(b"HTTP/1.1 4"), answer[:200]
    assert client.get("api/games").status_code == 200


PATHS = ["static/../app.py", "static/%2e%2e/app.py", "static/..%2fapp.py", "static/%2e%2e%2fapp.py",
         "static//etc/passwd", "static/....//app.py", "static/%00", "static/..\\app.py", "static/",
         "static", "openapi.json/", ".git/config", "templates/base.html"]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_path(path: str, server: Server) -> None:
    answer = exchange(
        server, f"GET /{path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode()
    )
    status = answer.split(b" ", 2)[1]
    assert status in (b"404", b"307", b"400", b"405"), answer[:300]
    assert b"create_app" not in answer
    assert b"root:" not in answer


def test_methods_that_are_not_answered(client: httpx.Client) -> None:
    code = opened(client).code
    for method in ("PUT", "PATCH", "TRACE", "OPTIONS", "HEAD", "BREW"):
        answer = client.request(method, f"api/rooms/{code}")
        assert answer.status_code == 405, method
        assert answer.headers["allow"] == "DELETE, GET"


def test_head_is_answered_as_a_page_is_without_its_body(web: httpx.Client) -> None:
    for path in ("", "puzzle", "explore?board=divisor-duel:60", "static/style.css", "api", "none"):
        page, head = web.get(path), web.head(path)
        assert (head.status_code, head.content) == (page.status_code, b""), path
        assert head.headers["content-type"] == page.headers["content-type"]
        assert head.headers["content-length"] == page.headers["content-length"]
    assert web.head("rooms/none").status_code == 404
