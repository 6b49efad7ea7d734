"""Ordinary players and a hostile client on one server: the players notice nothing.

Ten minutes of `make soak`, on loopback and with the usual limits; in `make test`,
`test_limits.py` has each attack once.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import httpx
import psutil
import pytest

from numduel.web.settings import Limits
from patience import PATIENT, until
from soaking import figure, seconds
from web import hostile
from web.playing import Player, duel, told
from web.server import Server, running

SECONDS, WARM_UP = seconds(0.5), seconds(0.02)
MOST_WAITED = 2.0
"""For a move or a page."""
MOST_GROWN = 60 << 20
"""Bytes of memory. What closed connections leave is tidied up now and then."""
FEW = 5
"""Files: connections of ordinary clients come and go, and the database has one or two more."""
_PAUSE = 0.3
"""Seconds: ten visitors at one address stay within what one client may ask."""
_TESTS = Path(__file__).parents[1]
_BOARD = "digit-subtraction-duel:99999999"
pytestmark = pytest.mark.soak("hostile")


class Visitor(threading.Thread):
    """Somebody who does one thing after another, and notes the longest time that it took."""

    def __init__(self, server: Server, does: Callable[[httpx.Client], None]) -> None:
        super().__init__(daemon=True)
        self._server, self._does = server, does
        self.longest, self.done, self.failed = 0.0, 0, ""
        self.stopped = threading.Event()

    def run(self) -> None:
        try:
            with ordinary(self._server) as client:
                while not self.done or not self.stopped.wait(_PAUSE):
                    begun = time.monotonic()
                    self._does(client)
                    self.longest = max(self.longest, time.monotonic() - begun)
                    self.done += 1
        except Exception as error:
            self.failed = repr(error)


class Match:
    """Two programs at one table, and every move that was acknowledged to them."""

    def __init__(self, client: httpx.Client) -> None:
        self.players = duel(client, _BOARD)
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


def attacked(server: Server, seconds: float, code: str) -> dict[str, int]:
    """Let the hostile client loose for so long; how often it did what."""
    command = [sys.executable, "-m", hostile.__name__, str(server.port), str(seconds), code]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, check=True, timeout=seconds + PATIENT, cwd=_TESTS
    )
    rounds: dict[str, int] = json.loads(done.stdout)
    return rounds


def looked_at(path: str) -> Callable[[httpx.Client], None]:
    def look(client: httpx.Client) -> None:
        assert client.get(path).status_code == 200, path

    return look


def test_players_notice_nothing_of_a_hostile_client(tmp_path: Path) -> None:
    with (
        running(str(tmp_path / "rooms.sqlite3"), **asdict(Limits())) as server,
        ordinary(server) as client,
    ):
        matches = [Match(client) for _ in range(4)]
        code = matches[0].players[0].code
        pages = ["", f"room/{code}", f"room/{code}/table", "rules", "learn", "static/room.css"]
        attacked(server, WARM_UP, code)  # what is made once, and kept, is there before we measure
        visitors = [Visitor(server, match.move) for match in matches]
        visitors += [Visitor(server, looked_at(page)) for page in pages]
        process = psutil.Process(server.pid)
        files, memory = process.num_fds(), process.memory_info().rss
        try:
            for visitor in visitors:
                visitor.start()
            rounds = attacked(server, SECONDS, code)
        finally:
            for visitor in visitors:
                visitor.stopped.set()
            for visitor in visitors:
                visitor.join(PATIENT)
        longest = max(visitor.longest for visitor in visitors)
        moves = sum(len(match.acknowledged) for match in matches)
        figure("seconds under attack", SECONDS)
        figure("moves meanwhile, all found again", moves)
        figure("pages meanwhile", sum(visitor.done for visitor in visitors) - moves)
        figure("the longest wait for one, in seconds", round(longest, 2))
        figure("rounds of the attacks", sum(rounds.values()))
        assert [visitor.failed for visitor in visitors if visitor.failed] == []
        assert all(visitor.done for visitor in visitors)
        for match in matches:
            assert match.players[0].all_turns() == match.acknowledged
        until(lambda: process.num_fds() <= files + FEW)
        grown = process.memory_info().rss - memory
        figure("MiB that memory grew by under attack", grown >> 20)
        load = os.getloadavg()[1] / (os.cpu_count() or 1)
        figure("programs that wanted to run, per core", round(load, 1))
        assert grown < MOST_GROWN
        assert set(rounds) == {kind.__name__ for kind in hostile.ATTACKS}
        client.close()
        assert server.stop() == 0
        assert server.output == ""
        assert longest < MOST_WAITED, "or the machine is busy with other programs"
