"""A process is killed while it plays: every move that it announced is found again."""

import json
import os
import random
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from numduel.store import open_store
from soaking import SOAK, figure, time_for
from terminal import COMMAND

MATCHES = 4 if SOAK else 1
SHARE = 0.17
"""Of the time for kills, on each database."""

BOARD = "digit-subtraction-duel:1000000"


def announced_until_killed(place: str, *arguments: str, wait: float, moves: int) -> list[str]:
    """Let a match run, kill it at some point after so many moves; what it announced."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("COV")}
    environment |= {"NUMDUEL_DATABASE_URL": place, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*COMMAND, *arguments, "--json"], stdout=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout is not None
        lines = []
        while sum(b'"moved"' in line for line in lines) < moves:
            line = process.stdout.readline()
            assert line, "the match ended by itself"
            lines.append(line)
        time.sleep(wait)
        process.kill()
        lines += process.stdout.read().split(b"\n")
    whole = [line for line in lines if line.startswith(b"{") and line.rstrip().endswith(b"}")]
    events = list(map(json.loads, whole))
    notes = [event["message"] for event in events if event["event"] == "note"]
    assert len(notes) <= 1, notes  # that the match continues, and not that it cannot be saved
    return [event["move"] for event in events if event["event"] == "moved"]


class Match:
    """A match that is killed again and again, and what it announced."""

    def __init__(self, place: str, number: int) -> None:
        self.place, self.id = place, number
        self.chance = random.Random(number)
        self.announced: list[str] = []
        self.kills = 0

    def play_until_killed(self, *match: str) -> None:
        moves, wait = self.chance.randint(1, 12), self.chance.random() / 50
        match = match or ("resume", str(self.id))
        seen = announced_until_killed(self.place, *match, wait=wait, moves=moves)
        assert len(seen) >= moves
        with open_store(self.place) as store:
            kept = store.load(self.id)
        found = [str(move.amount) for move in kept.record.turns if move]
        before = len(self.announced)
        assert found[:before] == self.announced, "a move is lost that was found before"
        # What was written ahead when it was killed may be seen only now: so it once was on
        # SQLite. We believe that the next start makes the index of its log anew.
        unseen = 0 if found[before : before + len(seen)] == seen else 1
        told = before + unseen + len(seen)
        assert found[before + unseen : told] == seen, "an announced move is lost"
        assert len(found) <= told + 1, "no more than one move was written ahead"
        self.announced = found
        self.kills += 1

    def go_on(self, there_is_time: Callable[[], bool]) -> None:
        while self.kills < 2 or there_is_time():
            self.play_until_killed()


@pytest.mark.soak("kills", short=True)
def test_every_announced_move_is_found_again(place: str) -> None:
    there_is_time = time_for(SHARE if SOAK else 0)
    matches = [Match(place, number) for number in range(1, MATCHES + 1)]
    for match in matches:
        match.play_until_killed("play", BOARD, "--p1", "random", "--p2", "largest")
    with ThreadPoolExecutor(MATCHES) as threads:
        for done in [threads.submit(match.go_on, there_is_time) for match in matches]:
            done.result()
    kind = "PostgreSQL" if "://" in place else "SQLite"
    figure(f"kills of the terminal on {kind}", sum(match.kills for match in matches))
    moves = sum(len(match.announced) for match in matches)
    figure("moves announced there, 0 lost, 0 doubled", moves)
