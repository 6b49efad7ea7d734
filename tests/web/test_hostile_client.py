"""Under attack, in `make soak`: players notice nothing, memory does not grow, damage is told.

In `make test`, `test_limits.py` has each attack once, and tests/store has damaged rows.
"""

import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import asdict
from functools import partial
from http.client import HTTPConnection
from itertools import chain, cycle, repeat
from pathlib import Path
from random import Random
from typing import Any

import httpx
import psutil
import pytest

from numduel.web.settings import Limits
from patience import PATIENT, until
from soaking import figure, seconds, time_for
from web import hostile
from web.playing import Player, asking, duel, opened, play_all, told
from web.server import Server, running
from web.test_input import ADDRESSES

SECONDS, WARM_UP = seconds(0.36), seconds(0.015)
MOST_WAITED, MOVES_WAITED = 2.0, 0.5
"""Seconds: for any page or move, and for 99 of 100 moves."""
MOST_GROWN = 20 << 20
"""Bytes of memory, once what closed connections leave is tidied up."""
FEW = 5
"""Files: connections of ordinary clients come and go, and the database has one or two more."""
HELD = "The event loop was held for"
_PAUSE = 0.3
"""Seconds: ten visitors at one address stay within what one client may ask."""
pytestmark = pytest.mark.soak("hostile")


def go_on(
    server: Server, does: Callable[[httpx.Client], object], stopped: threading.Event
) -> list[float]:
    """Do it again and again: how long it took each time."""
    took: list[float] = []
    with ordinary(server) as client:
        while not took or not stopped.wait(_PAUSE):
            begun = time.monotonic()
            does(client)
            took.append(time.monotonic() - begun)
    return took


class Match:
    def __init__(self, client: httpx.Client) -> None:
        self.players = duel(client, "digit-subtraction-duel:99999999")
        self.room = self.players[0].room()
        self.acknowledged: list[str] = []

    def move(self, client: httpx.Client) -> None:
        player = self.players[self.room["ply"] % 2]
        move = max(self.room["board"].rpartition(":")[2])
        mine = Player(client, player.code, player.token)
        self.room = told(mine.play(move, self.room["version"]))
        self.acknowledged.append(move)


@contextmanager
def ordinary(server: Server) -> Iterator[httpx.Client]:
    """A client at an address of its own, which no attack comes from."""
    way = httpx.HTTPTransport(local_address="127.0.0.5")
    with httpx.Client(base_url=server.address, timeout=PATIENT, transport=way) as client:
        yield client


def attacked(server: Server, seconds: float, code: str, addresses: int) -> dict[str, int]:
    """Let the hostile client loose for so long; how often it did what."""
    told = [str(server.port), str(seconds), code, str(addresses)]
    done = subprocess.run(
        [sys.executable, "-m", hostile.__name__, *told],
        stdout=subprocess.PIPE,
        check=True,
        timeout=seconds + PATIENT,
        cwd=Path(__file__).parents[1],
    )
    rounds: dict[str, int] = json.loads(done.stdout)
    return rounds


def look_at(path: str, client: httpx.Client) -> None:
    assert client.get(path).status_code == 200, path


@pytest.mark.parametrize("addresses", [1, 5])
def test_players_notice_nothing_of_a_hostile_client(tmp_path: Path, addresses: int) -> None:
    with (
        running(str(tmp_path / "rooms.sqlite3"), **asdict(Limits())) as server,
        ordinary(server) as client,
    ):
        matches = [Match(client) for _ in range(4)]
        code = matches[0].players[0].code
        pages = ["", f"room/{code}", f"room/{code}/table", "rules", "learn", "static/room.css"]
        # What is made once, and kept, is there before we measure.
        attacked(server, WARM_UP, code, addresses)
        everybody = [*(match.move for match in matches), *(partial(look_at, one) for one in pages)]
        process, stopped = psutil.Process(server.pid), threading.Event()
        files, memory = process.num_fds(), process.memory_info().rss
        with ThreadPoolExecutor(len(everybody)) as threads:
            visits = [threads.submit(go_on, server, does, stopped) for does in everybody]
            try:
                rounds = attacked(server, SECONDS, code, addresses)
            finally:
                stopped.set()
        took = [visit.result(PATIENT) for visit in visits]
        moves, pages_seen = sorted(chain(*took[:4])), list(chain(*took[4:]))
        longest, late = max(*moves, *pages_seen), moves[len(moves) * 99 // 100]
        figure("addresses that attacked", addresses)
        figure("seconds under attack", SECONDS)
        figure("moves meanwhile, all found again", len(moves))
        figure("pages meanwhile", len(pages_seen))
        figure("the longest wait for one, in seconds", round(longest, 2))
        figure("seconds that 99 of 100 moves took at most", round(late, 2))
        figure("rounds of the attacks", sum(rounds.values()))
        for match in matches:
            assert match.players[0].all_turns() == match.acknowledged
        until(lambda: process.num_fds() <= files + FEW)
        until(lambda: process.memory_info().rss - memory < MOST_GROWN)
        grown = process.memory_info().rss - memory
        figure("MiB that memory grew by under attack", grown >> 20)
        load = os.getloadavg()[1] / (os.cpu_count() or 1)
        figure("programs that wanted to run, per core", round(load, 1))
        assert set(rounds) == {kind.__name__ for kind in hostile.ATTACKS}
        client.close()
        assert server.stop() == 0
        # What the server's own watch logs is told; what counts is how long players waited.
        held = [line for line in server.output.splitlines() if HELD in line]
        figure("lines in the log of steps that held the loop for 0.2 s or more", len(held))
        assert server.output.splitlines() == held
        assert longest < MOST_WAITED, "or the machine is busy with other programs"
        assert late < MOVES_WAITED


REQUESTS, SETTLED = 20_000, 10_000
"""The fewest in all, and those before memory is measured."""
FILLING = 1_500
"""A server keeps the last answers, 16 MiB of them. That store is filled first."""
MOST_KEPT = 12 << 20
"""Bytes. Many short answers take the place of few long ones in that store, which costs some
6 MiB more until it settles; keys that were kept for ever cost hundreds."""


def nonsense() -> Iterator[tuple[str, str, str]]:
    chance = Random(1)

    def word() -> str:
        return f"a{chance.randbytes(chance.choice((5, 30, 1_000, 5_000))).hex()}"

    posted = [("POST", "/rooms", "game=X&number=60&X=x"), ("POST", "/room/X/play", "version=0"),
              ("POST", "/api/rooms", '{"board":"X:60"}'), ("POST", "/api/rooms", "X")]  # fmt: skip
    kinds = [*(("GET", address, "") for address in ADDRESSES), *posted]
    filling = ("GET", f"/replay?match=X{'a' * 10_000}:60/15", "")
    for method, path, body in chain(repeat(filling, FILLING), cycle(kinds)):
        yield method, path.replace("X", word()), body.replace("X", word())


def resident(pid: int) -> int:
    server = psutil.Process(pid)
    return sum(process.memory_info().rss for process in (server, *server.children(recursive=True)))


def test_memory_stays_flat(tmp_path: Path) -> None:
    statuses, there_is_time, warm = set(), time_for(0.08), 0
    with (
        running(str(tmp_path / "rooms.sqlite3")) as server,
        closing(HTTPConnection("127.0.0.1", server.port, timeout=PATIENT)) as connection,
    ):
        for number, (method, path, body) in enumerate(nonsense()):
            if number >= FILLING + REQUESTS and not there_is_time():
                break
            if number == FILLING + SETTLED:
                warm = resident(server.pid)
            kind = "application/json" if "/api/" in path else "application/x-www-form-urlencoded"
            connection.request(method, path, body, {"Content-Type": kind} if body else {})
            answer = connection.getresponse()
            answer.read()
            statuses.add(answer.status)
        grown = resident(server.pid) - warm
        assert "Traceback" not in server.output
    figure("requests of nonsense, no two alike", number)
    figure("MiB that memory grew by meanwhile", grown >> 20)
    assert statuses <= {200, 303, 400, 404, 409, 413, 422}
    assert grown < MOST_KEPT, f"{grown >> 20} MiB more after {number - SETTLED} requests"


ODD: list[Any] = [
    9, b"\xff\x00", "nonsense", None, -1, 10**18, "", float("inf"), "9999-12-31T23:59:59+00:00",
    "engine:true", "2020-01-01", "\ud7ff\u202e", 0.5, b"", "person", "1", 2**63 - 1,
]  # fmt: skip
TABLES = ("rooms", "matches", "turns", "seats", "rounds", "answers")


@contextmanager
def damaged(place: str, table: str, column: str, value: Any, first: bool) -> Iterator[bool]:
    """The value in this column, of the first row or of all; whether the database took it."""
    with closing(sqlite3.connect(place, timeout=PATIENT)) as database:
        query = f"SELECT rowid, {column} FROM {table}"
        before = database.execute(query).fetchall()
        try:
            with database:
                where = f"WHERE rowid = (SELECT min(rowid) FROM {table})" if first else ""
                database.execute(f"UPDATE {table} SET {column} = ? {where}", (value,))
                if column != "version":
                    database.execute("UPDATE rooms SET version = version + 1")
        except (sqlite3.IntegrityError, OverflowError):
            yield False
            return
        try:
            yield True
        finally:
            with database:
                back = f"UPDATE {table} SET {column} = ? WHERE rowid = ?"
                database.executemany(back, [(kept, row) for row, kept in before])
                database.execute("UPDATE rooms SET version = version + 2")


def columns_of(place: str, table: str) -> list[str]:
    with closing(sqlite3.connect(place)) as database:
        return [row[1] for row in database.execute(f"PRAGMA table_info({table})")]


def used(client: httpx.Client, player: Player, replay: str) -> list[httpx.Response]:
    room = f"/room/{player.code}"
    return [
        player.ask("GET"),
        client.get(room),
        client.get(f"{room}/table", headers=player.headers),
        client.get(f"/replay/{replay}"),
        client.get(f"/analysis/{replay}"),
        player.ask("POST", "/moves", json={"version": 1_000, "move": "3"}),
        player.ask("POST", "/takeback", json={"version": 10**6}),
    ]


def test_a_server_tells_damage_in_a_sentence(tmp_path: Path) -> None:
    place, calls, wrong = str(tmp_path / "rooms.sqlite3"), 0, []
    with running(place, thinkers=1) as server, asking(server) as client:
        friends = duel(client, "digit-subtraction-duel:1000000", seconds=3000)
        play_all(friends, "1", "9", "9", "9")
        over = duel(client)
        told(over[0].do("/resign"))
        alone = opened(client, players=["person", "level:3"])
        told(alone.play("15"))
        players = [(one, one.room()["replay"]) for one in (friends[0], over[0], alone)]
        for table in TABLES:
            for column in columns_of(place, table):
                for value in ODD:
                    with damaged(place, table, column, value, "code" in column) as taken:
                        for player, replay in players if taken else ():
                            for answer in used(client, player, replay):
                                calls += 1
                                if answer.status_code == 500:
                                    wrong.append(f"{table}.{column} = {value!r}: {answer.url}")
        assert not wrong, "\n".join([*wrong[:40], server.output[-5000:]])
        for player, _ in players:
            told(player.ask("GET"))
        assert "Traceback" not in server.output, server.output[-5000:]
    figure("requests on damaged rows, none without a sentence", calls)
