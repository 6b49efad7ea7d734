"""A process is killed while it plays: every move that it announced is found again.

3 kills on each database in `make test`, 100 on each in `make soak`.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time

import pytest

from numduel.store import open_store
from terminal import COMMAND, Terminal

SOAK = bool(os.environ.get("NUMDUEL_SOAK"))
KILLS = 100 if SOAK else 3
BOARD = "digit-subtraction-duel:1000000"
pytestmark = pytest.mark.soak


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
    return [event["move"] for event in map(json.loads, whole) if event["event"] == "moved"]


def test_every_announced_move_is_found_again(place: str) -> None:
    chance = random.Random(4)
    announced: list[str] = []
    match = ["play", BOARD, "--p1", "random", "--p2", "largest"]
    for kill in range(KILLS):
        moves, wait = chance.randint(1, 12), chance.random() / 50
        seen = announced_until_killed(place, *match, wait=wait, moves=moves)
        assert len(seen) >= moves
        announced += seen
        with open_store(place) as store:
            [kept] = store.matches()
        found = [str(move.amount) for move in kept.record.turns if move]
        assert found[: len(announced)] == announced, f"kill {kill}: an announced move is lost"
        assert len(found) <= len(announced) + 1, "no more than one move was written ahead"
        announced = found
        match = ["resume", str(kept.id)]
    if SOAK:
        kind = "PostgreSQL" if "://" in place else "SQLite"
        sys.stdout.write(f"{KILLS} kills on {kind}, {len(announced)} moves found again\n")


def test_a_typed_move_is_found_again(place: str) -> None:
    with Terminal("play", "divisor-duel", NUMDUEL_DATABASE_URL=place) as terminal:
        terminal.type("15")
        terminal.wait_for_prompt()
        terminal.kill()
    with open_store(place) as store:
        [kept] = store.matches()
    assert [move.amount for move in kept.record.turns if move] == [15]
    with Terminal("resume", NUMDUEL_DATABASE_URL=place) as terminal:
        terminal.type("9")
        terminal.type("quit")
        assert terminal.end() == 0
        assert "Match 1 goes on: Divisor Duel from 60, after 1 turn.\n" in terminal.screen
        assert "Subtracting 9 from 45. New N is 36." in terminal.screen
