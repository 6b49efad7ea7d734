"""The server is killed while programs play: every move that it acknowledged is found again.

A few kills on each database in `make test`, 60 on each in `make soak`; on PostgreSQL with
two workers. Programs do what the API asks of them: without an answer, or with one that the
server is busy, they send the same move again.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import sys
import threading
import time
from contextlib import closing
from typing import Any

import httpx
import psutil
import pytest

from patience import PATIENT, until
from web.playing import Player, asking, duel, told
from web.server import Server, running

SOAK = bool(os.environ.get("NUMDUEL_SOAK"))
ROOMS = 3
BUSY = 503
BOARD = "digit-subtraction-duel:1000000"
pytestmark = pytest.mark.soak


def first_digit(board: str) -> str:
    return board.rpartition(":")[2][0]


class Match(threading.Thread):
    """Two programs at one table, playing on through every kill of their server."""

    def __init__(self, client: httpx.Client) -> None:
        super().__init__(daemon=True)
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
                move = first_digit(room["board"])
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
        """The moves as the replay tells them."""
        return self.players[0].all_turns()


def processes_of(server: Server) -> list[psutil.Process]:
    parent = psutil.Process(server.pid)
    return [parent, *parent.children(recursive=True)]


def assert_ended(processes: list[psutil.Process]) -> None:
    """All processes end: those that were killed, their workers, and the thinkers of those."""
    _, alive = psutil.wait_procs(processes, timeout=PATIENT)
    alive = [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]
    assert alive == []


def assert_whole(place: str) -> None:
    """The file of an SQLite database is sound just after a kill."""
    with closing(sqlite3.connect(place)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []


def test_every_acknowledged_move_is_found_again(place: str) -> None:
    postgresql = "://" in place
    kills = 60 if SOAK else 1 if postgresql else 2
    chance = random.Random(5)
    processes: list[psutil.Process] = []
    with (
        running(place, workers=2 if postgresql else 1, thinkers=1) as server,
        asking(server) as client,
    ):
        matches = [Match(client) for _ in range(ROOMS)]
        for match in matches:
            match.start()
        try:
            for kill in range(kills):
                until(lambda kill=kill: all(len(one.acknowledged) > kill for one in matches))  # type: ignore[misc]
                time.sleep(chance.random() / 4)
                processes += processes_of(server)
                if postgresql and kill % 2:
                    # The parent alone: its workers notice, and leave the port.
                    os.kill(server.pid, signal.SIGKILL)
                    assert_ended(processes)
                server.kill()
                if not postgresql:
                    assert_whole(place)
                known = [list(match.acknowledged) for match in matches]
                server.start()
                for match, before in zip(matches, known, strict=True):
                    assert not match.failed, f"{server.output[-5000:]}\n{match.failed}"
                    assert match.found()[: len(before)] == before, f"kill {kill}: a move is lost"
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
            assert len(found) > kills, "the match went on"
    moves = sum(len(match.acknowledged) for match in matches)
    repeats = sum(match.repeats for match in matches)
    if SOAK:
        kind = "PostgreSQL, two workers" if postgresql else "SQLite"
        sys.stdout.write(
            f"{kills} kills of the server on {kind}: {moves} acknowledged moves, all found again;"
            f" {repeats} requests without an answer\n"
        )
