"""One server with narrow limits, and an installed game: strangers meet each of the limits."""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from house.test_sixth_game import install
from numduel.web import live
from patience import PATIENT
from web import hostile
from web.markup import get
from web.playing import asking, duel, play_all
from web.server import Server, running
from web.visitor import Visitor

HARD = f"halves:{6**130}"
"""A question that takes five seconds of sleep, and no work."""
EASY = "divisor-duel:60"
LARGE = "subtract-a-prime:1" + "0" * 98
"""Its moves are listed by a thinker, not by the server itself."""
HALVES = '''
import time
from collections.abc import Iterator

from numduel.games import Game, Reduction


class Halves(Game):
    """Divide by 2 or 3; whoever cannot move loses."""

    key = "halves"
    title = "Halves"
    default_start = 12
    least = 1
    reduction = Reduction.DIVIDE
    __slots__ = ()

    def moves(self, n: int) -> Iterator[int]:
        if n > 10**98:
            time.sleep(5)
        return (amount for amount in (2, 3) if n % amount == 0)


class Dawdling(Halves):
    key = "dawdling"
    title = "Dawdling Halves"
    __slots__ = ()

    def moves(self, n: int) -> Iterator[int]:
        if n % 2 and 60 < n <= 100:  # on the map, and not on the way from 96
            time.sleep(0.1)
        return super().moves(n)
'''


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("limits")
    entries = "halves = my_halves:Halves\ndawdling = my_halves:Dawdling\n"
    install(folder, "my_halves", HALVES, f"[numduel.games]\n{entries}")
    limits = {"thinking_per_minute": 3, "wrong_codes": 5, "wrong_codes_per_minute": 1}
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        with running(str(folder / "rooms.sqlite3"), seconds=0.8, **limits) as server:
            yield server
            assert server.output == ""


class Stranger(httpx.Client):
    """Somebody behind a proxy on this machine, which says who asks."""

    def __init__(self, server: Server, address: str) -> None:
        self.who = {"X-Forwarded-For": address, "Origin": server.address.rstrip("/")}
        super().__init__(base_url=server.address, headers=self.who, timeout=PATIENT, verify=False)


def test_hard_questions_are_paid_for_and_leave_room_for_others(server: Server) -> None:
    """Verdicts, hints, moves of large numbers, the first look at a new room: all is thinking."""
    room = {"board": LARGE, "opponent": "perfect"}
    with Stranger(server, "192.0.2.1") as spent, Stranger(server, "192.0.2.2") as other:
        made = spent.post("rooms", data=room)
        assert made.status_code == 303, made.text
        at = made.headers["location"]
        told: list[str] = []
        while "TooManyRequests" not in told:
            assert told.count("TookTooLong") <= 4, "no more than what was paid for"
            board = f"{HARD}+divisor-duel:{len(told) + 5}"
            told.append(spent.get("api/verdict", params={"board": board}).json()["error"])
        refused = spent.get("api/verdict", params={"board": EASY})
        assert refused.status_code == 429
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
        hint = spent.get(at, params={"hint": 1, "ply": 0})
        assert hint.status_code == 200
        assert "Too many questions at once." in hint.text
        assert '<button class="move"' not in hint.text, "the moves are not listed then"
        assert spent.post("rooms", data=room).status_code == 429
        assert spent.get("").status_code == 200, "pages that ask nothing are shown"
        assert other.get("api/verdict", params={"board": EASY}).json()["outcome"] == "win"


def test_what_takes_too_long_is_told_and_the_rest_is_shown(server: Server) -> None:
    with Stranger(server, "192.0.2.6") as web:
        page = get(web, f"/explore?board={HARD}&to=100", 503)
        assert "We could not work out who wins here." in page.text
        assert "was stopped" in page.text
        assert len(page.one("ol", "hundred").all("li")) == 100
        replay = get(web, f"/replay?match=subtract-a-prime:1{'0' * 3_000}/3.3&turn=2")
        assert len(replay.one("ol", "turns").all("li")) == 3, "though nobody can judge them in time"


def test_a_map_that_takes_too_long_leaves_the_rest_standing(server: Server) -> None:
    with Visitor(server.address) as me:
        me.post("/rooms", board="dawdling:96", opponent="random", move="2")
        me.press("resign-form")
        assert (me.status, me.words("turn")) == (200, "You lost")
        assert not me.has("map")
        assert me.has("turning")
        assert "Explore this board" in me.words("over")


def test_each_attack_leaves_others_playing(server: Server) -> None:
    with asking(server) as client:
        players = duel(client, EASY)
        before = play_all(players, "15", "15")
        for number, attack in enumerate(hostile.ATTACKS):
            with suppress(OSError):
                attack(hostile.Attacker(10 + number % 3, server.port, players[0].code, 0.05))
            assert players[1].room() == before | {"you": 2, "host": False}, attack
        assert play_all(players, "15")["turns"] == ["15", "15", "15"]


def test_the_hostile_client_gets_in(server: Server) -> None:
    """Its rooms are opened, its seats taken and its class is there: or it would attack nothing."""
    one = hostile.Attacker(20, server.port, "", 0.05)
    for attack in (hostile.long_match, hostile.many_tokens, hostile.class_pages):
        attack(one)
    assert one.long_room is not None
    assert one.long_room[2] == 62, "every move was taken"
    assert len(one.tokens) == 2
    assert one.school_class


def test_wrong_codes_are_few(server: Server) -> None:
    with Stranger(server, "192.0.2.3") as teacher:
        code = teacher.post("/class").headers["location"].split("/")[2]
        cookie = {"Cookie": f"numduel={teacher.cookies['numduel']}", **teacher.who}

    def closed(code: str, **headers: str) -> int:
        address = f"{server.live_address}api/classes/{code}/live"
        with connect(address, additional_headers=headers, proxy=None) as listening:
            try:
                listening.recv(PATIENT)
            except ConnectionClosed as error:
                assert error.rcvd is not None
                return error.rcvd.code
        return 0

    stranger: dict[str, Any] = {"X-Forwarded-For": "192.0.2.4"}
    assert [closed("2a3b4", **stranger) for _ in range(5)] == [live.UNKNOWN] * 5
    told = [closed(one, **stranger) for one in ("2a3b4", code, "x")]
    assert told == [1013] * 3, "right or wrong: nothing is said of it"
    assert closed(code, **(cookie | stranger)) == 0, "who is in a class stays in it"
    with Stranger(server, "192.0.2.4") as web:
        assert web.get("/api/games").status_code == 200
