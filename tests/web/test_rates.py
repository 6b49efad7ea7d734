"""One client may ask for much, and not for everything."""

import asyncio
import runpy
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response as Refused
from websockets.sync.client import ClientConnection, connect

from loops import on_loop
from numduel import Board
from numduel.errors import TooManyRequests
from numduel.rooms import Terms, new_token
from numduel.thinking import meter as metering
from numduel.thinking.meter import VISIT, Meter
from numduel.web.app import create_app
from numduel.web.pages import rendering
from numduel.web.safety import callers, guard
from numduel.web.safety.callers import LiveConnections
from numduel.web.safety.connections import Requests
from numduel.web.safety.guard import Guard
from numduel.web.serving import config_of
from numduel.web.settings import Limits, Settings
from patience import PATIENT, until
from web.tiny_server import TinyServer, answer, is_closed, tiny_server

STRANGER, OTHER = "127.0.0.2", "127.0.0.3"


@pytest.fixture(scope="module")
def strict() -> Iterator[TinyServer]:
    """Each test comes from addresses of its own; a proxy, 127.0.0.1, speaks for any."""
    with tiny_server(
        requests={"most_per_client": 10, "most_of_all": 0.05},
        arrivals=(1, 3600, 60),
        body_seconds=PATIENT,
        sockets=4,
        sockets_per_client=2,
        sockets_per_member=1,
    ) as running:
        yield running


def forwarded(address: str) -> dict[str, str]:
    return {"X-Forwarded-For": address}


def test_live_connections_have_their_limits(strict: TinyServer) -> None:
    url = f"ws://{strict.host}/api/live"

    def refused(address: str) -> Refused:
        with pytest.raises(InvalidStatus) as caught, listen(address):
            pass
        return caught.value.response

    def listen(address: str) -> ClientConnection:
        return connect(url, additional_headers=forwarded(address), proxy=None)

    with ExitStack() as stack:
        for address in ("2001:db8::1", "2001:db8::2", "192.0.2.4"):
            assert stack.enter_context(listen(address)).recv() == "version 1"
        late = refused("2001:db8::3")
        assert (late.status_code, b"Too many live connections" in late.body) == (429, True)
        assert late.headers["Retry-After"] == "30"
        assert stack.enter_context(listen("2001:db8:0:1::1")).recv() == "version 1"
        assert refused("192.0.2.7").status_code == 503

    def heard() -> bool:
        try:
            with listen("192.0.2.4") as again:
                return again.recv() == "version 1"
        except InvalidStatus:
            return False

    until(heard)


def test_a_member_of_a_class_has_few_of_its_live_connections(strict: TinyServer) -> None:
    pupil, teacher = (strict.ask("POST", "/class/live", source="127.0.0.15").text for _ in "pt")

    def listen(token: str, address: str) -> ClientConnection:
        headers = {"Authorization": f"Bearer {token}", **forwarded(address)}
        return connect(f"ws://{strict.host}/api/live", additional_headers=headers, proxy=None)

    with listen(pupil, "192.0.2.8"):
        for address in ("192.0.2.8", "192.0.2.9"):
            with pytest.raises(InvalidStatus) as caught, listen(pupil, address):
                pass
            assert caught.value.response.status_code == 429
        with listen(teacher, "192.0.2.8") as wall:
            assert wall.recv() == "version 1"


def test_an_address_does_not_have_all_live_connections_however_many_classes_it_has() -> None:
    live = LiveConnections(Limits(sockets=50, sockets_per_client=10, sockets_per_address=25))

    def opened(address: bytes) -> int:
        classes = [bytes([number]) + address for number in range(10) for _ in range(10)]
        return [live.open(one, address, b"") for one in classes].count(None)

    assert [opened(address) for address in (b"a", b"b", b"c", b"d")] == [25, 15, 10, 0]
    live.close(b"\0a", b"a", b"")
    assert live.open(b"\0a", b"a", b""), "the last fifth is for those who have few"
    assert live.open(b"d", b"d", b"") is None
    for count in (20, 100):
        limits = Limits.for_classes(count)
        assert 2 * 40 * count < limits.sockets_per_address < limits.sockets / 2


def test_one_address_has_so_many_connections(strict: TinyServer) -> None:
    with ExitStack() as stack:
        held = [stack.enter_context(strict.connect("127.0.0.9")) for _ in range(10)]
        with strict.connect("127.0.0.9") as late:
            assert is_closed(late, PATIENT)
        assert strict.serves("127.0.0.8")
        held[0].sendall(strict.head("GET /"))
        assert answer(held[0]).status == 200
    until(lambda: strict.serves("127.0.0.9"))  # once it has noticed that the others have left


@contextmanager
def asking(strict: TinyServer, source: str, token: str) -> Iterator[None]:
    """A request whose head was read, and whose body is yet to come."""
    lines = f"Authorization: Bearer {token}", "Content-Length: 5", "Expect: 100-continue"
    with strict.connect(source) as held:
        held.sendall(strict.head("POST /echo", *lines))
        assert held.recv(12) == b"HTTP/1.1 100"
        yield


def test_connections_of_a_class_have_their_limit_too(strict: TinyServer) -> None:
    one, most, many = "127.0.0.12", 10, "127.0.0.13"
    in_all = 504 // 20  # a twentieth of all connections of this server
    with ExitStack() as stack:
        token = strict.ask("POST", "/class/first", source=one).text
        for _ in range(2 * most):
            stack.enter_context(asking(strict, one, token))
        assert not strict.serves(one), "beyond its own they count for the address"
        tokens = [strict.ask("POST", f"/class/{n}", source=many).text for n in range(3)]
        for number in range(in_all):
            stack.enter_context(asking(strict, many, tokens[number // most]))
        assert not strict.serves(many), "however many classes it has"
        assert strict.serves("127.0.0.14")
    until(lambda: strict.serves(one))


def test_a_school_has_room_for_its_browsers() -> None:
    """Ten classes of forty open six connections each; twenty open three, or six in turn."""
    limits, pupils = Limits(), 40
    in_all = config_of("", Settings("", limits)).limit_concurrency
    assert in_all is not None
    for classes, in_a_browser in ((10, 6), (20, 3)):
        assert classes * pupils * in_a_browser < Requests.most_of_all * in_all
    others = in_all - Requests.most_of_all * in_all - limits.sockets_per_address
    assert others > Requests.most_per_client, "one address leaves room for another"


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
    client = callers.anonymous(("192.0.2.1", 1234))
    assert client == callers.anonymous(("::ffff:192.0.2.1", 80))
    elsewhere = runpy.run_path(metering.__file__)["hidden"](b"192.0.2.1")
    assert client == metering.hidden(b"192.0.2.1") != elsewhere, "each process has its own salt"
    assert b"192" not in client
    assert callers.anonymous(None)
    assert callers.anonymous(("not: an address", 1)) != client


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


def test_no_address_fills_a_server_with_rooms() -> None:
    usual = Limits()
    assert usual.rooms_per_day * usual.room_days < usual.rooms
    assert Limits.for_classes(20) == usual
    assert Limits.for_classes(40).classes_per_client == 40
    pupils = 40
    assert (usual.rooms_per_minute, usual.rooms_per_day) >= (pupils, 20 * pupils)


@on_loop
async def test_an_address_does_not_fill_the_rooms_by_way_of_its_classes(tmp_path: Path) -> None:
    meter, opened = Meter(), 0
    limits = Limits(rooms_per_day=2)
    app = create_app(Settings(str(tmp_path / "rooms.sqlite3"), limits, thinkers=1))
    async with app.router.lifespan_context(app):
        open_room = partial(app.state.lobby.open, Terms(Board.parse("divisor-duel:60")))
        for number in range(7):
            teacher = new_token()
            meter.remember(teacher, f"class {number}")
            VISIT.set(meter.visit(b"an address", teacher, {}))
            with suppress(TooManyRequests):
                while True:
                    await open_room(teacher)
                    opened += 1
        assert opened == 5 * 2
        VISIT.set(meter.visit(b"another address", None, {}))
        await open_room(new_token())
    usual = Limits()
    assert 5 * usual.rooms_per_day < usual.rooms, "they rest before they are too many"


@on_loop
async def test_a_client_has_few_requests_in_progress_and_the_rest_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In order, and only while the server itself works on them. Others never wait for them."""
    monkeypatch.setattr(guard, "WAIT_SECONDS", 0.1)
    inside: list[str] = []
    until_allowed = asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        inside.append(scope["path"])
        if scope["path"] == "/1":
            VISIT.get().step_aside()
        await until_allowed.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def settle() -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    meter = Meter(at_once=2)
    guarded = Guard(app, Limits(), meter)
    asked = [asyncio.create_task(ask(guarded, f"/{n}", STRANGER)) for n in range(4)]
    asked.append(asyncio.create_task(ask(guarded, "/other", OTHER)))
    await settle()
    # One that waits for a thinker makes room for the next.
    assert inside == ["/0", "/1", "/2", "/other"]
    assert await asked[3] == 429, "nobody waits for ever"
    late = asyncio.create_task(ask(guarded, "/late", STRANGER))
    await settle()
    until_allowed.set()
    assert await late == 200
    assert await asyncio.gather(*asked) == [200, 200, 200, 429, 200]
    assert not meter.places._inside, "who is idle is forgotten"


@on_loop
async def test_one_address_does_not_have_all_qr_codes_drawn_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(rendering, "qr_svg", lambda text: drawn.append(text[-1]) or text)

    async def draw(meter: Meter, to: str, address: str) -> None:
        VISIT.set(meter.visit(address.encode(), None, {}))
        scope = {"type": "http", "path": "/", "headers": [(b"host", b"a")], "app": APP}
        await rendering.qr_picture(Request(scope | {"query_string": b""}), to)

    meter = Meter(0.1)
    meter.visit(STRANGER.encode(), None, {}).pay(1)
    asked = [*((to, STRANGER) for to in "123"), ("x", OTHER)]
    await asyncio.gather(*(asyncio.create_task(draw(meter, *one)) for one in asked))
    assert drawn == ["1", "x", "2", "3"]
