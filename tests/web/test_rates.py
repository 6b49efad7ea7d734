"""One client may ask for much, and not for everything."""

from __future__ import annotations

import asyncio
import re
import runpy
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from starlette.applications import Starlette
from starlette.types import Message, Receive, Scope, Send
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response as Refused
from websockets.sync.client import ClientConnection, connect

from numduel.thinking.waiting_line import STEP_ASIDE
from numduel.web.safety import Guard, rates
from numduel.web.settings import Limits, Settings
from patience import PATIENT, until
from web.tiny_server import TinyServer, answer, is_closed, tiny_server

STRANGER, OTHER = "127.0.0.2", "127.0.0.3"


@pytest.fixture(scope="module")
def strict() -> Iterator[TinyServer]:
    """Each test comes from addresses of its own; a proxy, 127.0.0.1, speaks for any."""
    with tiny_server(
        requests={"most_per_client": 10},
        arrivals=(1, 3600, 60),
        burst=20,
        requests_per_second=1,
        rooms_per_minute=3,
        sockets=4,
        sockets_per_client=2,
    ) as running:
        yield running


def forwarded(address: str) -> dict[str, str]:
    return {"X-Forwarded-For": address}


def test_too_many_requests_wait_and_others_do_not(strict: TinyServer) -> None:
    told = [strict.ask("GET", "/api/nowhere", source=STRANGER) for _ in range(30)]
    assert [one.status for one in told[:20]] == [404] * 20
    late = [one for one in told if one.status == 429]
    assert late[0].json == {
        "error": "TooManyRequests",
        "message": "Too many requests at once. Wait 1 second.",
    }
    assert late[0].headers["Retry-After"] == "1"
    assert late[0].headers["X-Content-Type-Options"] == "nosniff"
    # Who is not a proxy cannot pass for somebody else.
    pages = [strict.ask("GET", "/", forwarded("192.0.2.77"), source=STRANGER) for _ in range(10)]
    [page, *_] = [one for one in pages if one.status == 429]
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert strict.ask("GET", "/", source=OTHER).status == 200
    until(lambda: strict.ask("GET", "/", forwarded("192.0.2.78")).status == 200)


def test_a_proxy_says_who_asks(strict: TinyServer) -> None:
    def statuses(address: str, count: int = 30) -> list[int]:
        asked = (strict.ask("GET", "/nowhere", forwarded(address)) for _ in range(count))
        return [one.status for one in asked]

    assert statuses("192.0.2.1")[-1] == 429
    assert statuses("192.0.2.2", 1) == [404]
    assert statuses("2001:db8::1")[-1] == 429
    assert 429 in statuses("2001:db8::2", 10), "one network is one client"
    assert statuses("2001:db8:0:1::1", 1) == [404]


def test_rooms_are_counted_apart(strict: TinyServer) -> None:
    me = forwarded("192.0.2.3")
    for _ in range(5):
        foreign = {**me, "Origin": "http://evil.example"}
        assert strict.ask("POST", "/rooms", foreign).status == 403, "this uses up no rooms"
    paths = ["/rooms", "/api/rooms", "/rooms"]
    assert [strict.ask("POST", path, me).status for path in paths] == [200] * 3
    refused = strict.ask("POST", "/api/rooms", me)
    assert refused.status == 429
    said = r"Too many rooms at once. Wait (1[0-9]|20) seconds."
    assert re.fullmatch(said, refused.json["message"])
    assert strict.ask("GET", "/", me).status == 200


def test_live_connections_have_their_limits(strict: TinyServer) -> None:
    url = f"ws://{strict.host}/api/live"

    def refused(address: str) -> Refused:
        with pytest.raises(InvalidStatus) as caught, listen(address):
            pass
        return caught.value.response

    def listen(address: str) -> ClientConnection:
        return connect(url, additional_headers=forwarded(address), proxy=None)

    with ExitStack() as stack:
        for address in ("192.0.2.4", "192.0.2.4", "192.0.2.5"):
            assert stack.enter_context(listen(address)).recv() == "version 1"
        late = refused("192.0.2.4")
        assert (late.status_code, b"Too many live connections" in late.body) == (429, True)
        assert stack.enter_context(listen("192.0.2.6")).recv() == "version 1"
        assert refused("192.0.2.7").status_code == 503

    def heard() -> bool:
        try:
            with listen("192.0.2.4") as again:
                return again.recv() == "version 1"
        except InvalidStatus:
            return False

    until(heard)


def test_one_address_has_so_many_connections(strict: TinyServer) -> None:
    with ExitStack() as stack:
        held = [stack.enter_context(strict.connect("127.0.0.9")) for _ in range(10)]
        with strict.connect("127.0.0.9") as late:
            assert is_closed(late, PATIENT)
        assert strict.serves("127.0.0.8")
        held[0].sendall(strict.head("GET /"))
        assert answer(held[0]).status == 200
    until(lambda: strict.serves("127.0.0.9"))  # once it has noticed that the others have left


def test_one_address_opens_so_many_connections_a_second(strict: TinyServer) -> None:
    for _ in range(60):
        strict.ask("GET", "/", source="127.0.0.10")
    assert not strict.serves("127.0.0.10")
    assert strict.serves("127.0.0.11")
    for _ in range(61):
        with strict.connect():
            pass
    assert strict.serves("127.0.0.1"), "a proxy on this machine speaks for many"


def test_clients_are_hashed() -> None:
    client = rates.anonymous(("192.0.2.1", 1234))
    assert client == rates.anonymous(("::ffff:192.0.2.1", 80))
    elsewhere = runpy.run_path(rates.__file__)["anonymous"](("192.0.2.1", 1234))
    assert client != elsewhere, "each process has its own salt"
    assert b"192" not in client
    assert rates.anonymous(None)
    assert rates.anonymous(("not: an address", 1)) != client


APP = Starlette()
APP.state.settings = Settings("nowhere")


async def nothing() -> Message:
    raise AssertionError("there is no body")


async def ask(guard: Guard, path: str, address: str, method: str = "GET") -> int:
    scope = {"type": "http", "method": method, "path": path, "query_string": b"",
             "headers": [(b"host", b"a")], "client": (address, 1), "app": APP}  # fmt: skip
    told: list[Message] = []

    async def sent(message: Message) -> None:
        told.append(message)

    await guard(scope, nothing, sent)
    return int(told[0]["status"])


def test_rooms_are_counted_by_the_day_too() -> None:
    """So one client never fills a server, and a class behind one address has room enough."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def opened() -> list[int]:
        guard = Guard(app, Limits(rooms_per_day=2, classes_per_hour=1))
        asked = [("/rooms", STRANGER)] * 3 + [("/rooms", OTHER)] + [("/class", OTHER)] * 2
        return [await ask(guard, path, address, "POST") for path, address in asked]

    assert asyncio.run(opened()) == [200, 200, 429, 200, 200, 429]
    usual = Limits()
    assert usual.rooms_per_day * usual.room_days < usual.rooms
    pupils = 40
    assert (usual.rooms_per_minute, usual.rooms_per_day) >= (pupils, 20 * pupils)


def test_a_client_has_few_requests_in_progress_and_the_rest_wait() -> None:
    """In order, and only while the server itself works on them. Others never wait for them."""
    inside: list[str] = []
    aside: list[str] = []
    answered: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        inside.append(scope["path"])
        if scope["path"] in aside:
            STEP_ASIDE.get()()
        await until_allowed.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await hanging.wait()
        answered.append(scope["path"])

    async def settle() -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    async def tried() -> None:
        guard = Guard(app, Limits(requests_at_once=2))
        asked = [asyncio.create_task(ask(guard, f"/{n}", STRANGER)) for n in range(6)]
        asked.append(asyncio.create_task(ask(guard, "/other", OTHER)))
        await settle()
        # One that waits for a thinker makes room for the next.
        assert inside == ["/0", "/1", "/2", "/other"]
        until_allowed.set()
        await settle()
        assert inside == ["/0", "/1", "/2", "/other", "/3", "/4", "/5"], "all are answered,"
        assert not answered, "however slowly the answers are read"
        hanging.set()
        await asyncio.gather(*asked)
        assert len(answered) == 7
        assert not guard._rates._places, "who is idle is forgotten"

    until_allowed, hanging = asyncio.Event(), asyncio.Event()
    aside.append("/1")
    asyncio.run(tried())
