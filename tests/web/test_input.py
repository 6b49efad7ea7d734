"""Hostile input: too large, too deep, too strange. It is answered in words, and shown as text.

Every address and every form takes every kind of nonsense in the soak; in `make test` some of it,
other kinds for each.
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given, seed, settings
from hypothesis.errors import Unsatisfiable

from numduel.web.app import create_app
from numduel.web.settings import Settings
from soaking import SOAK, batches, figure
from web.markup import check
from web.playing import duel, opened, refused, told
from web.server import Server
from web.test_safety import SAFETY
from web.tiny_server import Answer, asked

fuzzing = pytest.mark.soak("fuzzing", short=True)

SCRIPT, IMAGE = "<script>alert(1)</script>", "'\"><img src=x onerror=alert(1)>"
NONSENSE = [
    SCRIPT, quote(SCRIPT), quote(IMAGE), "", "%00", "%ff%fe", "..%2f..%2fetc%2fpasswd",
    "%22onload=alert(1)%22", "%0d%0aSet-Cookie:%20x=y", "%25s{0}{{7*7}}", "-1", "1e9", "%D9%A3",
    quote("\N{RIGHT-TO-LEFT OVERRIDE}\x00\N{GRINNING FACE}"), "9" * 4_000, "a" * 7_000,
    "divisor-duel:" + "9" * 400, "divisor-duel:" + "9" * 5_000, "divisor-duel:-5",
    "%2B".join(["divisor-duel:60"] * 30), "divisor-duel:60/" + ".".join(["1"] * 500), "a:1,b=c,d",
]  # fmt: skip
ADDRESSES = [
    "/?game=X", "/?board=X", "/?level=X", "/?opponent=X&minutes=X", "/?game=divisor-duel&number=X",
    "/room/X", "/room/X/table", "/qr.svg?to=X", "/class/X", "/class/X/wall", "/join?code=X",
    "/replay/X", "/replay?match=X", "/replay?match=divisor-duel:60/15&turn=X", "/analysis/X",
    "/analysis?match=X", "/path.svg?match=X", "/puzzle?day=X&kind=X", "/puzzle?kind=X",
    "/puzzle/sheet?kind=X", "/learn/X", "/learn/divisor-duel?step=X", "/rules/X",
    "/explore?board=X", "/explore?game=X&number=X&divisors=X",
    "/explore?board=divisor-duel:60&to=X&values=X", "/explore/map.csv?board=X", "/static/X",
    "/check?board=X&move=X", "/check?board=divisor-duel:60&move=X", "/api/X", "/api/rooms/X",
    "/api/verdict?board=X", "/api/moves?board=X", "/api/map?board=X&to=100",
    "/api/map?board=power-play:30&to=X", "/api/analysis?match=X", "/api/replays/X",
    "/api/puzzle?day=X", "/X", "/make?rule=X", "/make?number=X", "/make?was=&take=X",
    "/make?was=&word=X", "/make?was=&divide=X", "/make?was=&rest=X",
    "/make?rule=subtract-1&number=5&misere=X", "/api/X/X/live", "/rules/X/map.svg",
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
PAGES = ["/rooms", "/puzzle", "/learn/divisor-duel?step=1", "/learn/x", "/room/abcdefghjk/play",
         "/room/abcdefghjk/sit", "/room/x/answer", "/room/x/delete", "/class/abcde/join",
         "/class/abcde/teacher/round", "/replay"]  # fmt: skip
KINDS = ["application/x-www-form-urlencoded", "multipart/form-data", ""]


def some(kinds: Sequence[Any], number: int, count: int = 3) -> Sequence[Any]:
    """All of them in the soak; else a few, others for each number."""
    return kinds if SOAK else [kinds[(number * count + step) % len(kinds)] for step in range(count)]


def safe(answer: Answer, sent: object) -> None:
    assert answer.status < 500 or answer.status == 503, sent
    for name, value in SAFETY.items():
        assert answer.headers.get_all(name) == [value], sent
    if answer.headers.get_content_type() != "application/json":
        assert SCRIPT not in answer.text, sent
        assert "<img src=x" not in answer.text, sent
    assert "Traceback" not in answer.text
    assert "x=y" not in str(answer.headers["Set-Cookie"])


@fuzzing
def test_addresses_of_nonsense(server: Server) -> None:
    for number, address in enumerate(ADDRESSES):
        for word in {SCRIPT, quote(IMAGE), *some(NONSENSE, number)}:
            given = asked(server.port, "GET", address.replace("X", word))
            safe(given, (address, word))
            assert given.headers["Set-Cookie"] is None, "looking leaves no cookie"
            if given.headers.get_content_type() == "text/html" and given.status != 303:
                whole = not address.endswith("/table") and given.text.startswith("<!doctype")
                assert not whole or check(given.text)


@fuzzing
def test_forms_of_nonsense(server: Server) -> None:
    for number, path in enumerate(PAGES):
        for kind in some(KINDS, number, 1):
            for body in some(FORMS, number, 4):
                headers = {"Content-Type": kind}
                safe(asked(server.port, "POST", path, headers, body), (path, body[:80]))


JSON = "application/json"
DEEP = b"[" * 8_000
UNREAD = (400, 422)
BODIES: list[tuple[bytes, tuple[int, ...]]] = [
    (b"", (422,)),
    (b"board=divisor-duel:60", (422,)),
    (b'{"board": "divisor-duel:60"', (422,)),
    (b"null", (422,)),
    (DEEP, UNREAD),
    (b'{"board": ' + DEEP, UNREAD),
    (b"[" * 5_000 + b"]" * 5_000, UNREAD),
    (b'{"board": "\xff\xfe"}', UNREAD),
    (rb'{"board": "divisor-duel:\ud800"}', (422,)),
    (b'{"board": ' + b"9" * 15_000 + b"}", UNREAD),
    *((b'{"board": "divisor-duel:60", %s}' % part, (422,)) for part in (
        b'"first": Infinity', b'"seconds": NaN', b'"seconds": 1e400', b'"first": 1.5',
        b'"first": true', b'"first": "1"', b'"misere": "yes"', b'"__class__": "x"', b'"seat": -1',
        b'"players": ["person","person","person"]', b'"players": ["person", "engine:/bin/sh"]',
    )),
    (b'{"board": "divisor-duel:60", "players": ["random","random"]}', (409,)),
]  # fmt: skip


def test_bodies_of_programs(client: httpx.Client) -> None:
    for content, statuses in BODIES:
        answer = client.post("api/rooms", content=content, headers={"Content-Type": JSON})
        assert answer.status_code in statuses, (content[:80], answer.text)
        assert set(answer.json()) == {"error", "message"}
        assert len(answer.text) < 1_000, "what was sent is not sent back"
    large = client.post("api/rooms", content=b"[" * 1_000_000, headers={"Content-Type": JSON})
    refused(large, 413, "BodyTooLarge")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        content = b'{"board": "divisor-duel:60"}'
        answer = client.post("api/rooms", content=content, headers={"Content-Type": kind})
        refused(answer, 422, "InvalidRequest")
    for path in ("abcdefghjk/seat", "abcdefghjk/takeback/answer", "x/resign"):
        answer = client.post(f"api/rooms/{path}", content=DEEP, headers={"Content-Type": JSON})
        assert {"error", "message"} <= set(told(answer, answer.status_code))
        assert answer.status_code in (400, 404, 422)


def test_moves_and_versions(client: httpx.Client) -> None:
    players = duel(client)
    for move in ("", "-15", "15.0", "1e1", "٣", "15\0", "15; --", "0", "9" * 4_200, "pass", "undo",
                 "' OR 1=1", "<b>15</b>", "\U0001f600"):  # fmt: skip
        answer = players[0].play(move)
        assert set(told(answer, 422)) == {"error", "message"}
        assert len(answer.text) < 1_000
    for version in (-1, 10**10, 10**400, 1.5, "0", None, True, [0]):
        answer = players[0].ask("POST", "/moves", json={"version": version, "move": "15"})
        refused(answer, 422, "InvalidRequest")
    assert players[0].room()["turns"] == []
    told(players[0].play("1:15"))  # the place may be named on a board of one number, too


PATHS = ["static/../app.py", "static/%2e%2e/app.py", "static/..%2fapp.py", "static/%2e%2e%2fapp.py",
         "static//etc/passwd", "static/....//app.py", "static/%00", "static/..\\app.py", "static/",
         "static", "openapi.json/", ".git/config", "templates/base.html"]  # fmt: skip


def test_paths(server: Server) -> None:
    for path in PATHS:
        answer = asked(server.port, "GET", f"/{path}")
        assert answer.status in (404, 307, 400, 405), path
        assert "create_app" not in answer.text
        assert "root:" not in answer.text


def test_methods(client: httpx.Client, server: Server) -> None:
    code = opened(client).code
    for method in ("PUT", "PATCH", "TRACE", "OPTIONS", "HEAD", "BREW"):
        answer = client.request(method, f"api/rooms/{code}")
        assert answer.status_code == 405, method
        assert answer.headers["allow"] == "DELETE, GET"
        for path in ("/", "/rooms", "/static/icon.svg", "*"):
            safe(asked(server.port, method, path), (method, path))


def test_head_is_answered_as_a_page_is_without_its_body(web: httpx.Client) -> None:
    for path in (
        "?board=divisor-duel:60",
        "puzzle?seed=a&rating=900",
        "daily",
        "explore?board=divisor-duel:60",
        "static/style.css",
        "api",
        "none",
    ):
        page, head = web.get(path), web.head(path)
        assert (head.status_code, head.content) == (page.status_code, b""), path
        assert head.headers["content-type"] == page.headers["content-type"]
        assert head.headers["content-length"] == page.headers["content-length"]
    assert web.head("rooms/none").status_code == 404


CHECKS = {
    # Whether a text is a board, or a move of a board, is beyond a schema.
    "positive_data_acceptance": {"expected-statuses": ["2xx", "403", "404", "409", "422"]},
    # A text that is too long may make the whole body too long.
    "negative_data_rejection": {
        "expected-statuses": ["400", "403", "404", "405", "409", "413", "422"]
    },
    "max_response_time": 30.0,
}


@fuzzing
def test_operations_are_asked_in_any_way(server: Server) -> None:
    """The API does what /openapi.json says, whatever is sent; all checks are on."""
    import schemathesis  # by who needs it: it takes a while
    from schemathesis import GenerationMode
    from schemathesis.config import SchemathesisConfig

    def use(case: Any) -> None:
        case.call_and_validate(base_url=server.address)

    examples = 5 if SOAK else 1
    config = SchemathesisConfig.from_dict({"checks": CHECKS, "generation": {"mode": "all"}})
    raw = create_app(Settings("/nowhere")).openapi()
    schema = schemathesis.openapi.from_dict(raw, config=config)
    operations = [found.ok() for found in schema.get_all_operations()]
    for number in batches(0.15):
        for operation, kind in product(operations, GenerationMode):
            cases = operation.as_strategy(generation_mode=kind)
            tried = settings(max_examples=examples, database=None)(given(cases)(use))
            with suppress(Unsatisfiable):  # nothing can be wrong where nothing is asked for
                seed(1 + number)(tried)()
    each = (number + 1) * examples
    figure(f"operations of the API, {each} examples each", len(operations))
    assert len(operations) >= 20
