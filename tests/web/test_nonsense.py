"""Whatever is sent to the real pages, they answer in words and with the safety headers."""

from __future__ import annotations

import pytest

from web.server import Server
from web.test_safety import SAFETY
from web.tiny_server import Answer, asked

SCRIPT = "<script>alert(1)</script>"
MARKUP = "%3Cscript%3Ealert(1)%3C/script%3E"
NONSENSE = [
    "",
    "%00",
    "%ff%fe",
    "..%2f..%2fetc%2fpasswd",
    SCRIPT,
    MARKUP,
    "%22onload=alert(1)%22",
    "%0d%0aSet-Cookie:%20x=y",
    "-1",
    "1e9",
    "%D9%A3",
    "%F0%9F%98%80",
    "9" * 4_000,
    "a" * 7_000,
    "divisor-duel:" + "9" * 400,
    "divisor-duel:" + "9" * 5_000,
    "+".join(["divisor-duel:60"] * 30),
    "divisor-duel:60/" + ".".join(["1"] * 500),
]
ADDRESSES = [
    "/?game=X", "/?board=X", "/?number=X", "/?level=X", "/?game=divisor-duel&number=X", "/room/X",
    "/room/X/table", "/room/X/qr.svg", "/replay/X", "/replay?match=X",
    "/replay?match=divisor-duel:60/15&turn=X", "/analysis/X", "/analysis?match=X",
    "/path.svg?match=X", "/puzzle?day=X", "/learn/X", "/learn/divisor-duel?step=X", "/rules/X",
    "/explore?board=X", "/explore?board=divisor-duel:60&to=X", "/static/X", "/api/X",
    "/api/rooms/X", "/api/verdict?board=X", "/api/moves?board=X", "/api/map?board=X&to=100",
    "/api/map?board=power-play:30&to=X", "/api/analysis?match=X", "/api/replays/X",
    "/api/puzzle?day=X", "/X", "/make?rule=X", "/make?number=X", "/make?was=&take=X",
    "/make?was=&word=X", "/make?was=&divide=X", "/make?was=&from=X&to=5", "/make?was=&rest=X",
    "/make?rule=subtract-1&number=5&misere=X", "/make/qr.svg?rule=X", "/rules/X/map.svg",
]  # fmt: skip
FORMS = [
    b"",
    b"\xff\xfe\x00",
    b"a=1&" * 1_000,
    b"%ff=%fe&move=%00&board=%00&answer=%00",
    b"version=99999999999999999999&move=1",
    b"version=-1&move=" + b"9" * 10_000,
    b"board=divisor-duel:60&opponent=engine:/bin/sh",
    b"board=divisor-duel:60&opponent=llm:x@http://127.0.0.1:1/",
    b"board=divisor-duel:60&minutes=1e9&first=3",
    f"game={SCRIPT}&board={SCRIPT}&move={SCRIPT}&answer={SCRIPT}&version={SCRIPT}".encode(),
]
DEEP = b"[" * 8_000
JSON = [
    b"{",
    b"null",
    DEEP,
    b'{"board": ' + DEEP,
    b'{"board": "\\ud800\\u0000", "version": 1, "move": "\\ud800"}',
    b'{"board": "divisor-duel:60", "players": ["person", "engine:/bin/sh"]}',
    b'{"board": "divisor-duel:60", "players": ["person", "person"], "seat": 1e400}',
    b'{"version": ' + b"9" * 5_000 + b', "move": "1"}',
    b'{"version": NaN, "move": "1", "yes": 2}',
]
PAGES = ["/rooms", "/puzzle", "/learn/divisor-duel?step=1", "/learn/x", "/room/abcdefghjk/play",
         "/room/abcdefghjk/sit", "/room/x/answer", "/room/x/delete"]  # fmt: skip
ACTIONS = ["", "/abcdefghjk/moves", "/abcdefghjk/seat", "/abcdefghjk/takeback/answer", "/x/resign"]


def check(answer: Answer, sent: object) -> None:
    assert answer.status < 500 or answer.status == 503, sent
    for name, value in SAFETY.items():
        assert answer.headers.get_all(name) == [value], sent
    if answer.headers.get_content_type() != "application/json":
        assert SCRIPT not in answer.text, sent
    assert "Traceback" not in answer.text
    assert "x=y" not in str(answer.headers["Set-Cookie"])


@pytest.mark.parametrize("address", ADDRESSES)
def test_addresses_of_nonsense(server: Server, address: str) -> None:
    for word in NONSENSE:
        given = asked(server.port, "GET", address.replace("X", word))
        check(given, (address, word))
        assert given.headers["Set-Cookie"] is None, "looking leaves no cookie"


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_forms_of_nonsense(server: Server, path: str, kind: str) -> None:
    for body in FORMS:
        check(asked(server.port, "POST", path, {"Content-Type": kind}, body), (path, body[:80]))


@pytest.mark.parametrize("path", ACTIONS)
def test_json_of_nonsense(server: Server, path: str) -> None:
    for body in JSON:
        for kind in ("application/json", "text/plain"):
            headers = {"Content-Type": kind}
            given = asked(server.port, "POST", f"/api/rooms{path}", headers, body)
            check(given, (path, body[:80]))
            assert {"error", "message"} <= set(given.json)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "TRACE", "HEAD", "OPTIONS", "NONSENSE"])
def test_methods_of_nonsense(server: Server, method: str) -> None:
    for path in ("/", "/rooms", "/api/rooms", "/static/icon.svg", "*"):
        check(asked(server.port, method, path), (method, path))
