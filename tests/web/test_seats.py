"""Who asks is told by a cookie or by a program's token, and by nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.requests import Request
from starlette.responses import Response

from numduel.rooms.tokens import is_token, new_token
from numduel.web import seats
from web.tiny_server import TinyServer, tiny_server


@pytest.fixture(scope="module")
def server() -> Iterator[TinyServer]:
    with tiny_server() as running:
        yield running


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
