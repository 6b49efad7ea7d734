"""The server is killed while programs play: every move that it acknowledged is found again.

One kill in `make test`; in `make soak` many, on PostgreSQL too, of workers and of the database.
"""

import random
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from typing import Any

import httpx
import psutil
import pytest
from websockets.exceptions import ConnectionClosed

from numduel.web import live
from patience import PATIENT, until
from postgres import Server as Postgres
from postgres import running_server
from soaking import SOAK, figure, time_for
from web.playing import Player, asking, duel, opened, told
from web.server import Server, running
from web.test_live import heard, listening
from web.test_serve import workers_of

ROOMS = 3
BUSY = 503
BOARD = "digit-subtraction-duel:1000000"
pytestmark = pytest.mark.soak("kills", short=True)


class Match(threading.Thread):
    def __init__(self, client: httpx.Client) -> None:
        super().__init__(daemon=True)
        self.client = client
        self.players = duel(client, BOARD)
        self.room = self.players[0].room()
        self.acknowledged: list[str] = []
        self.repeats = 0
        self.stopped = threading.Event()
        self.failed = ""

    def run(self) -> None:
        try:
            room = self.room  # asked for before: the server may be killed at any time
            while not self.stopped.is_set():
                move = room["board"].rpartition(":")[2][0]
                room = self.play(self.players[room["ply"] % 2], room, move) or room
        except Exception as error:
            self.failed = repr(error)

    def play(self, player: Player, seen: dict[str, Any], move: str) -> dict[str, Any] | None:
        """Send the move until it is acknowledged; None if there was no time for that."""
        while not self.stopped.is_set():
            try:
                answer = player.play(move, seen["version"])
            except httpx.TransportError:
                answer = None
            if answer is None or answer.status_code == BUSY:
                self.repeats += 1
                time.sleep(0.02)
                continue
            room = told(answer)
            assert room["ply"] == seen["ply"] + 1, "a repeat is played once"
            self.acknowledged.append(move)
            return room
        return None

    def found(self) -> list[str]:
        answers: list[httpx.Response] = []

        def told_so() -> bool:
            with suppress(httpx.TransportError):
                answers.append(self.client.get(self.room["addresses"]["replay"]))
            return bool(answers) and answers[-1].status_code != BUSY

        until(told_so)
        return list(told(answers[-1])["turns"])


def processes_of(server: Server) -> list[psutil.Process]:
    parent = psutil.Process(server.pid)
    return [parent, *parent.children(recursive=True)]


def assert_ended(processes: list[psutil.Process]) -> None:
    """All processes end: those that were killed, their workers, and the thinkers of those."""
    until(lambda: not any(map(is_alive, processes)))


def is_alive(process: psutil.Process) -> bool:
    """Does it run? One that has ended may still be listed, until somebody asks how it ended."""
    with suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


def assert_whole(place: str) -> None:
    with closing(sqlite3.connect(place)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []


def kill_all(server: Server) -> None:
    server.kill()
    server.start()


def kill_parent(server: Server) -> None:
    """The parent alone: its workers notice, and leave the port to who comes next."""
    server.kill(alone=True)
    server.start()


def kill_worker(server: Server) -> None:
    for worker in workers_of(server.pid)[:1]:
        with suppress(psutil.NoSuchProcess):
            worker.kill()


@pytest.fixture(scope="module")
def postgresql() -> Iterator[Postgres]:
    """A database server of these tests alone: its processes are killed."""
    with running_server() as running:
        yield running


@pytest.fixture
def ways(place: str, request: pytest.FixtureRequest) -> list[Callable[[Server], None]]:
    if "://" not in place:
        return [kill_all]
    database: Postgres = request.getfixturevalue("postgresql")

    def kill_database(_: Server) -> None:
        """A process of the database, which breaks all connections and starts again."""
        with suppress(psutil.NoSuchProcess):
            database.processes()[-1].kill()

    return [kill_database, kill_worker, kill_all, kill_parent, kill_worker]


@pytest.mark.parametrize(
    "place", ["sqlite", pytest.param("postgresql", marks=pytest.mark.soak("kills"))], indirect=True
)
def test_every_acknowledged_move_is_found_again(
    place: str, ways: list[Callable[[Server], None]]
) -> None:
    postgresql = "://" in place
    kills = 20 if SOAK else 1
    there_is_time = time_for((0.2 if postgresql else 0.13) if SOAK else 0)
    chance = random.Random(5)
    rounds = moves = repeats = 0
    killed: Counter[str] = Counter()
    with (
        running(place, workers=2 if postgresql else 1, thinkers=1) as server,
        asking(server) as client,
    ):
        quiet = opened(client)
        with listening(server, quiet.code) as news:
            assert heard(news) == 1
            while not rounds or there_is_time():
                rounds += 1
                wanted = [ways[kill % len(ways)] for kill in range(kills)]
                matches = play_through(server, client, wanted, chance)
                killed.update(way.__name__.removeprefix("kill_") for way in wanted)
                moves += sum(len(match.acknowledged) for match in matches)
                repeats += sum(match.repeats for match in matches)
            with pytest.raises(ConnectionClosed):
                news.recv(PATIENT)
        with listening(server, quiet.code) as news, ThreadPoolExecutor(1) as other:
            assert heard(news) == 1, "news go on afterwards"
            waiting = other.submit(quiet.ask, "GET", params={"after": 1})
            time.sleep(0.2)
            server.stop()
            assert told(waiting.result(live.WAIT_SECONDS))["version"] == 1, "told at a stop"
        assert "Traceback" not in server.output
    kind = "PostgreSQL (two workers)" if postgresql else "SQLite"
    which = ", ".join(f"{way} {count}" for way, count in killed.items())
    figure(f"kills of the server on {kind}", f"{killed.total()} ({which})")
    figure("moves acknowledged there, 0 lost, 0 doubled", moves)
    figure("requests without an answer there", repeats)


def play_through(
    server: Server,
    client: httpx.Client,
    ways: list[Callable[[Server], None]],
    chance: random.Random,
) -> list[Match]:
    """Matches that go on through these kills; nothing that was acknowledged is lost or doubled."""
    matches = [Match(client) for _ in range(ROOMS)]
    processes: list[psutil.Process] = []
    for match in matches:
        match.start()
    try:
        for number, kill in enumerate(ways):
            until(lambda number=number: all(len(one.acknowledged) > number for one in matches))  # type: ignore[misc]
            time.sleep(chance.random() / 4)
            if kill in (kill_all, kill_parent):
                processes += processes_of(server)
            known = [list(match.acknowledged) for match in matches]
            kill(server)
            if "://" not in server.place:
                assert_whole(server.place)
            for match, before in zip(matches, known, strict=True):
                assert not match.failed, f"{server.output[-5000:]}\n{match.failed}"
                assert match.found()[: len(before)] == before, f"kill {number}: a move is lost"
        assert_ended(processes)
    finally:
        for match in matches:
            match.stopped.set()
        for match in matches:
            match.join(PATIENT)
    for match in matches:
        assert not match.failed, f"{server.output[-5000:]}\n{match.failed}"
        found = match.found()
        assert found[: len(match.acknowledged)] == match.acknowledged
        assert len(found) <= len(match.acknowledged) + 1, "one may be on its way"
        assert len(found) > len(ways), "the match went on"
    return matches
