"""What every route costs at its worst, and so how long somebody else waits for it.

The application's own routes are walked: one without a worst case here fails. What a request takes
of the event loop and of threads is measured as processor time, so that a busy machine counts for
little, and the wait follows from the meter's rule. In `make soak` the same requests are sent as
often as one address may, and somebody else's wait is measured.
"""

import gc
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import httpx
import pytest
from fastapi import FastAPI

from classes.taught import Taught
from loops import on_loop
from numduel.board import Board
from numduel.classes import RoundPlan
from numduel.classes.actions import Ask, EndRound, NextRound, StartRound
from numduel.classes.roster import MOST_PUPILS
from numduel.rooms import Play, Terms, new_token
from numduel.thinking.meter import BURST, Visit
from numduel.web.app import create_app
from numduel.web.settings import Limits, Settings
from patience import PATIENT
from soaking import SOAK, figure, seconds
from web.hostile import LONG_MATCH, RULE, WIDE, Attacker
from web.server import GENEROUS, running
from web.tiny_server import head

LONGEST_WAIT = 2.0
STEPS = 8  # of a move or a page on the loop, at most; each may wait for one of somebody else's
AT_ONCE = Limits().requests_at_once
"""Changes of one address that may stand before somebody else's, in the one thread for them."""
_PUPILS, _ROUNDS, _TURNS = (60, 20, 300) if SOAK else (30, 3, 60)

BOARDS = (
    WIDE, f"divisor-duel:1{'+' * 15_000}!", "digit-subtraction-duel:" + "9" * 3_900,
    "+".join(["divisor-duel:60"] * 100), f"divisor-duel:{2**60 * 3**30}", "0" * 15_000,
    f"subtract-1-to-60:{'9' * 90}",
)  # fmt: skip
MATCHES = (LONG_MATCH, f"{WIDE.removesuffix('~misere')}/{'.'.join(['1:1'] * 20)}", BOARDS[1])
TEXTS = ("9" * 15_000, "a" * 15_000, "(" * 15_000, "1-" * 7_500, " -or-subtract-1" * 1_000)
WIDENED = "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 1_700  # signs that become 18 each
RULES = (RULE, f"subtract-{'-'.join(map(str, range(1, 60)))}", *TEXTS)
ROOM = {"board": BOARDS, "opponent": ("perfect",), "move": ("1:1", TEXTS[0])}
WANTED = {"move": TEXTS[:2], "version": ("3", "9" * 4_000)}
ACTIONS = ("moves", "resign", "takeback", "takeback/answer", "rematch")
PUZZLE = {"day": TEXTS[:1], "kind": ("several", *TEXTS[:2]), "seed": TEXTS[:1], "answer": TEXTS[:2]}
MAP = {"board": BOARDS, "to": ("10000",), "values": ("1",), "most": ("1000",), "step": ("4",)}
STEP = {"answer": TEXTS, "step": ("1", "9" * 4_000)}

PLAIN = [
    "GET /rooms", "GET /room/{code}/{name}", "GET /learn", "GET /rules", "GET /rules/{key}",
    "GET /rules/{key}/map.svg", "GET /privacy", "GET /static/{name:path}", "GET /class",
    "POST /class", "GET /class/{code}", "GET /class/{code}/wall", "GET /class/{code}/discuss",
    "GET /class/{code}/learned", "GET /class/{code}/learned.csv", "GET /class/{code}/teacher",
    "GET /class/{code}/projector/{secret}",
    "GET /class/{code}/puzzles", "GET /class/{code}/results.csv",
    "GET /class/{code}/teacher/{secret}", "POST /class/{code}/teacher/end", "GET /api",
    "GET /openapi.json", "GET /api/games", "GET /api/daily", "DELETE /api/rooms/{code}",
    "GET /api/replays/{code}", "GET /api/learn/{game}", "GET /api/{topic}/{code}/live",
    "SOCKET /api/{topic}/{code}/live",
]  # fmt: skip
"""Routes that read nothing but their address."""

WORST: dict[str, dict[str, tuple[str, ...]]] = {
    "GET /": {"board": BOARDS, "game": RULES, "number": TEXTS},
    "GET /check": {"board": BOARDS, "move": TEXTS},
    "POST /rooms": ROOM,
    "GET /room/{code}": {"hint": ("1",), "seen": TEXTS[:1]},
    "GET /room/{code}/table": {"hint": ("1",)},
    "POST /room/{code}/{name}": WANTED,
    "GET /explore": {"board": BOARDS, "game": RULES, "number": TEXTS, "to": ("10000", "1000")},
    **dict.fromkeys(("GET /explore/map.csv", "GET /explore/map.svg"), MAP),
    "GET /make": {"rule": RULES, "number": TEXTS, "was": TEXTS[:1], "called": TEXTS},
    "GET /learn/{key}": {"step": TEXTS[:1]},
    "POST /learn/{key}": STEP,
    "GET /puzzle/sheet": {**PUZZLE, "count": ("20", "99999"), "rating": ("1400",)},
    "GET /replay": {"match": MATCHES, "turn": ("3000",)},
    "POST /replay": {"match": MATCHES},
    "GET /replay/{code}": {"turn": ("3000",)},
    "GET /analysis": {"match": MATCHES, "turn": ("3000",)},
    "GET /analysis/{code}": {"turn": ("3000",)},
    "GET /path.svg": {"match": MATCHES, "code": TEXTS[:1], "narrow": ("1",)},
    "GET /qr.svg": {"to": ("a" * 1_990, *TEXTS[:1])},
    "GET /join": {"code": TEXTS},
    "POST /class/{code}/{name}": {
        "name": (WIDENED, *TEXTS),
        "again": ("1",),
        "guess": TEXTS,
        "move": TEXTS[:1],
    },
    "GET /class/{code}/wall/{room_code}": {"turn": ("40",)},
    "GET /class/{code}/map": {"game": (RULE, *TEXTS)},
    "POST /class/{code}/teacher/{name}": {
        **ROOM,
        **PUZZLE,
        "own": RULES,
        "pupil": TEXTS[:1],
        "count": ("12",),
        "positions": BOARDS,
    },
    "POST /api/rooms": ROOM,
    "GET /api/rooms/{code}": {"after": TEXTS[:1]},
    "POST /api/rooms/{code}/seat": {"name": TEXTS},
    **dict.fromkeys((f"POST /api/rooms/{{code}}/{one}" for one in ACTIONS), WANTED),
    **dict.fromkeys((f"GET /api/{one}" for one in ("moves", "verdict", "hint", "map")), MAP),
    "GET /api/analysis": {"match": MATCHES},
    **dict.fromkeys(
        (f"{how} {at}" for how in ("GET", "POST") for at in ("/puzzle", "/api/puzzle", "/daily")),
        PUZZLE,
    ),
    "POST /api/learn/{game}/{step}": STEP,
    **{route: {} for route in PLAIN},
}
"""For each route, the fields that it reads and the worst that each can hold. Each of these comes
alone, and then the first of all together."""


def routes(app: FastAPI) -> set[str]:
    methods = ((one, getattr(one, "methods", None) or {"SOCKET"}) for one in app.routes)
    found = {f"{method} {route.path}" for route, each in methods for method in each}  # type: ignore[attr-defined]
    return {one for one in found if not one.startswith("HEAD ")}


class Scene(NamedTuple):
    """What there is to look at: long matches, a wide board, a large class that has played."""

    app: FastAPI
    rooms: list[str]
    replay: str
    token: str
    class_code: str
    teacher: str
    table: str

    def paths(self, pattern: str) -> list[str]:
        """The route's addresses: with what is there, and with what is not."""
        codes = [*self.rooms, "zzzzzzzzzz"]
        if pattern.startswith("/class/"):
            codes = [self.class_code]
        elif "replay" in pattern or "analysis" in pattern:
            codes = [self.replay]
        filled = {
            "{code}": codes, "{name}": ["play", "round", "join", "set-puzzles"],
            "{key}": ["divisor-duel", RULE],
            "{game}": ["divisor-duel", quote(TEXTS[2])], "{step}": ["1"], "{secret}": ["x" * 22],
            "{room_code}": [self.table], "{topic}": ["rooms", "walls"],
            "{name:path}": ["room.css", "../" * 500],
        }  # fmt: skip
        found = [pattern]
        for name, values in filled.items():
            found = [p.replace(name, value) for p in found for value in values]
        return list(dict.fromkeys(found))


def asked(fields: dict[str, tuple[str, ...]]) -> Iterator[dict[str, str]]:
    yield {name: values[0] for name, values in fields.items()}
    for name, values in fields.items():
        rest = {other: texts[0] for other, texts in fields.items() if other != name}
        for text in values if SOAK else values[:2]:
            yield {name: text}
            if SOAK:
                yield {name: text, **rest}


@asynccontextmanager
async def scene(place: Path) -> AsyncIterator[Scene]:
    app = create_app(Settings(str(place / "rooms.sqlite3"), GENEROUS, seconds=1.0))
    async with app.router.lifespan_context(app):
        lobby, tokens = app.state.lobby, [new_token(), new_token()]
        rooms = []
        for board in ("subtract-1-to-60:99999999", WIDE):
            room = await lobby.open(Terms(Board.parse(board)), tokens[0])
            room = await lobby.sit(room.code, tokens[1])
            rooms.append(room.code)
        code, version = rooms[0], (await lobby.look(rooms[0])).version
        for turn in range(_TURNS):
            room = await lobby.act(code, tokens[turn % 2], version + turn, Play("1"))
        teacher = new_token()
        taught = Taught(lobby, (await app.state.classes.open(teacher)).code, teacher)
        await taught.join(*(f"Pupil {number}" for number in range(_PUPILS)))
        await taught.teach(StartRound(RoundPlan(Board.parse("subtract-1-to-60:90"))))
        for number in range(_ROUNDS):
            for room in await taught.rooms():
                for _ in range(2):
                    mover = await taught.to_move(room)
                    room = await taught.play(mover, str(1 + number))
            table = room.code
            await taught.teach(Ask(Board.parse(f"subtract-1-to-60:{70 + number % 20}")))
            await taught.teach(NextRound())
        yield Scene(app, rooms, room.replay, tokens[0], taught.code, teacher, table)


class Cost(NamedTuple):
    """The longest of the loop's steps and of a thread's work, and how many steps there were."""

    step: float
    work: float
    steps: int

    @property
    def wait(self) -> float:
        """What another client waits at most, however many such requests one address has sent.

        The address is served at once until its burst is used up, a step longer at most; from then
        on one step of it comes before each of the other's. Changes wait for those before them.
        """
        return BURST + self.step + STEPS * self.step + AT_ONCE * self.work


async def cost_of(
    found: Scene, method: str, path: str, told: dict[str, str], tries: int = 2
) -> Cost:
    """What it takes; tried again where it took much: the first loads what is kept."""
    token = found.teacher if path.startswith(("/class", "/api/walls")) else found.token
    headers = {"Authorization": f"Bearer {token}", "Origin": "http://test"}
    way = httpx.ASGITransport(found.app, raise_app_exceptions=True)
    sent: dict[str, Any] = {"json" if path.startswith("/api/") else "data": told}
    async with httpx.AsyncClient(transport=way, base_url="http://test", headers=headers) as client:
        for _ in range(tries):
            charged.clear()
            if method == "GET":
                answer = await client.get(f"{path}?{query(told)}")
            else:
                answer = await client.request(method, path, **sent)
            assert answer.status_code < 500 or answer.status_code == 503, (path, told)
            here, there = ([s for s, on in charged if on == which] for which in (True, False))
            cost = Cost(max(here), max(there, default=0.0), len(here))
            if cost.wait < LONGEST_WAIT:
                break
    return cost


def query(told: dict[str, str]) -> str:
    return urlencode(told, safe="+()~:/.-")  # a plus sign there is a blank


charged: list[tuple[float, bool]] = []  # and whether it was on the loop


@pytest.fixture
def charges(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As a server does at its start, leaves out of collections what other tests have made."""
    pay, loop = Visit.pay, threading.current_thread()

    def recorded(visit: Visit, seconds: float) -> None:
        charged.append((seconds, threading.current_thread() is loop))
        pay(visit, seconds)

    monkeypatch.setattr(Visit, "pay", recorded)
    monkeypatch.setattr(Visit, "pay_thinking", lambda *_: None)  # thinkers are not the loop
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def test_every_route_has_its_worst_case(tmp_path: Path) -> None:
    app = create_app(Settings(str(tmp_path / "rooms.sqlite3")))
    assert routes(app) == set(WORST), "WORST needs a line for each route"


def requests(found: Scene) -> Iterator[tuple[str, str, dict[str, str]]]:
    last = ("DELETE", "/end", "/resign", "/rematch")
    for route in sorted(WORST, key=lambda one: any(word in one for word in last)):
        method, pattern = route.split()
        if method != "SOCKET":
            for path, told in product(found.paths(pattern), asked(WORST[route])):
                if len(query(told)) < 16_000:  # the server reads no more
                    yield method, path, told


@pytest.mark.soak("hostile", short=True)
@on_loop
async def test_nobody_waits_long_for_anybody(tmp_path: Path, charges: None) -> None:
    async with scene(tmp_path) as found:
        dearest: dict[str, Cost] = {}
        for method, path, told in requests(found):
            about = f"{method} {path[:40]} {urlencode(told)[:60]}"
            dearest[about] = await cost_of(found, method, path, told)
        worst = sorted(dearest.items(), key=lambda one: -one[1].wait)
        for about, cost in worst[:8]:
            figure(about, f"{cost.wait:.2f} s: step {cost.step:.3f}, thread {cost.work:.3f}")
        assert worst[0][1].wait < LONGEST_WAIT, worst[0]
        assert (await cost_of(found, "GET", f"/room/{found.rooms[0]}", {})).steps <= STEPS


@on_loop
async def test_nobody_waits_for_the_removal_of_a_large_class(tmp_path: Path, charges: None) -> None:
    """Nor for its end: what is done only once is not tried again."""
    app = create_app(Settings(str(tmp_path / "rooms.sqlite3"), GENEROUS))
    async with app.router.lifespan_context(app):
        teacher = new_token()
        taught = Taught(app.state.lobby, (await app.state.classes.open(teacher)).code, teacher)
        await taught.join(*(f"Pupil {number}" for number in range(MOST_PUPILS)))
        for _ in range(100 if SOAK else 30):
            await taught.teach(StartRound(RoundPlan(Board.parse(BOARDS[-1]), "level:1")))
        await taught.teach(EndRound())
        found = Scene(app, [], "", teacher, taught.code, teacher, "")
        at, everybody = f"/class/{taught.code}/teacher", range(1, MOST_PUPILS + 1)
        told = {"pupil": ",".join(map(str, everybody))}
        removed = await cost_of(found, "POST", f"{at}/remove", told, tries=1)
        assert not (await taught.look()).pupils
        ended = await cost_of(found, "POST", f"{at}/end", {}, tries=1)
        for what, cost in (("remove", removed), ("end", ended)):
            figure(f"{what} a class", f"{cost.wait:.2f} s: thread {cost.work:.3f}")
            assert cost.wait < LONGEST_WAIT, what


@pytest.mark.soak("hostile")
def test_somebody_else_is_answered_while_each_route_is_asked_for(tmp_path: Path) -> None:
    way, waits = httpx.HTTPTransport(local_address="127.0.0.5"), []
    with (
        running(str(tmp_path / "rooms.sqlite3"), **asdict(Limits())) as server,
        httpx.Client(base_url=server.address, transport=way, timeout=PATIENT) as client,
    ):
        attacker = Attacker(10, server.port, "", 0.1)
        for route, fields in WORST.items():
            method, pattern = route.split()
            if method == "GET" and "{" not in pattern:
                end = time.monotonic() + seconds(0.002)
                asks = f"GET {pattern}?{query(next(asked(fields)))}"
                with attacker.held(head(server.port, asks)):
                    while time.monotonic() < end:
                        begun = time.monotonic()
                        assert client.get("/").status_code == 200
                        waits.append((time.monotonic() - begun, route))
    figure("the longest wait beside any route", f"{max(waits)[0]:.2f} s, {max(waits)[1]}")
    assert max(waits)[0] < LONGEST_WAIT
