"""One client may ask for much, and not for everything."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from starlette.types import Message, Receive, Scope, Send
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response as Refused
from websockets.sync.client import connect

from numduel.thinking.waiting_line import STEP_ASIDE
from numduel.web.safety import Guard, rates
from numduel.web.settings import Limits
from patience import until
from web.tiny_server import TinyServer, tiny_server

PROXY = "127.0.0.1"
STRANGER, OTHER = "127.0.0.2", "127.0.0.3"


@pytest.fixture
def strict() -> Iterator[TinyServer]:
    with tiny_server(
        burst=20,
        requests_per_second=1,
        rooms_per_minute=3,
        sockets=4,
        sockets_per_client=2,
    ) as running:
        yield running


def test_too_many_requests_wait_and_others_do_not(strict: TinyServer) -> None:
    told = [strict.ask("GET", "/api/nowhere", source=STRANGER) for _ in range(60)]
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
    pages = [strict.ask("GET", "/", forged, source=STRANGER) for _ in range(10)]
    [page, *_] = [one for one in pages if one.status == 429]
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert strict.ask("GET", "/", source=OTHER).status == 200
    until(lambda: strict.ask("GET", "/", source=STRANGER).status == 200)


def test_a_proxy_says_who_asks(strict: TinyServer) -> None:
    def statuses(address: str) -> list[int]:
        headers = {"X-Forwarded-For": address}
        return [strict.ask("GET", "/nowhere", headers, source=PROXY).status for _ in range(40)]

    assert statuses("192.0.2.1")[-1] == 429
    assert statuses("192.0.2.2")[0] == 404
    assert statuses("2001:db8::1")[-1] == 429
    assert 429 in statuses("2001:db8::2")[:10], "one network is one client"
    assert statuses("2001:db8:0:1::1")[0] == 404


def test_rooms_are_counted_by_the_day_too() -> None:
    """So one client never fills a server, and a class behind one address has room enough."""
    with tiny_server(rooms_per_day=2) as server:
        told = [server.ask("POST", "/rooms", source=STRANGER) for _ in range(3)]
        assert [one.status for one in told] == [200, 200, 429]
        assert int(told[-1].headers["Retry-After"]) > 3_600
        assert server.ask("POST", "/rooms", source=OTHER).status == 200
    usual = Limits()
    assert usual.rooms_per_day * usual.room_days < usual.rooms
    pupils = 40
    assert (usual.rooms_per_minute, usual.rooms_per_day) >= (pupils, 20 * pupils)


def test_rooms_are_counted_apart(strict: TinyServer) -> None:
    paths = ["/rooms", "/api/rooms", "/rooms"]
    assert [strict.ask("POST", path).status for path in paths] == [200] * 3
    refused = strict.ask("POST", "/api/rooms")
    assert refused.status == 429
    assert re.fullmatch(
        r"Too many rooms at once. Wait (1[0-9]|20) seconds.", refused.json["message"]
    )
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

    def heard() -> bool:
        try:
            with connect(url, additional_headers={"X-Forwarded-For": "192.0.2.1"}) as again:
                return again.recv() == "version 1"
        except InvalidStatus:
            return False

    until(heard)


def test_clients_are_hashed() -> None:
    client = rates.anonymous(("192.0.2.1", 1234))
    assert client == rates.anonymous(("::ffff:192.0.2.1", 80))
    program = "from numduel.web.safety import rates; print(rates.anonymous(('192.0.2.1', 1)).hex())"
    elsewhere = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert client.hex() != elsewhere.stdout.decode().strip(), "each process has its own salt"
    assert b"192" not in client
    assert rates.anonymous(None)
    assert rates.anonymous(("not: an address", 1)) != client


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

    async def ask(guard: Guard, path: str, address: str) -> None:
        scope = {"type": "http", "method": "GET", "path": path, "headers": [], "query_string": b"",
                 "client": (address, 1)}  # fmt: skip
        await guard(scope, nothing, sent)

    async def nothing() -> Message:
        raise AssertionError("there is no body")

    async def sent(_: Message) -> None:
        pass

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
