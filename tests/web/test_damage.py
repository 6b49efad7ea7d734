"""Rows that a disk, or somebody with an editor, has spoiled: sentences, and never a traceback.

Every column of every table takes every odd value in turn, under a server that is running; the
rooms are looked at, played in and replayed. In `make test`, one value and one room for some
columns; in the soak, all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from patience import PATIENT
from soaking import SOAK, figure
from terminal import piped
from web.playing import Player, asking, duel, opened, play_all, told
from web.server import running

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
        where = f" WHERE rowid = (SELECT min(rowid) FROM {table})"
        try:
            with database:
                database.execute(
                    f"UPDATE {table} SET {column} = ?{where if first else ''}", (value,)
                )
                if column != "version":
                    database.execute("UPDATE rooms SET version = version + 1")
        except (sqlite3.IntegrityError, OverflowError):
            yield False
            return
        try:
            yield True
        finally:
            with database:
                for row, kept in before:
                    database.execute(
                        f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (kept, row)
                    )
                database.execute("UPDATE rooms SET version = version + 2")


def columns_of(place: str, table: str) -> list[str]:
    with closing(sqlite3.connect(place)) as database:
        return [row[1] for row in database.execute(f"PRAGMA table_info({table})")]


def odd_values(column: str) -> list[Any]:
    """All of them; in `make test` one for every fifth column, another one for each."""
    number = sum(map(ord, column))
    return ODD if SOAK else [ODD[number // 5 % len(ODD)]] * (number % 5 == 0)


def used(client: httpx.Client, player: Player, replay: str) -> list[httpx.Response]:
    """What people do with a room."""
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


@pytest.mark.soak("hostile", short=True)
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
            for number, column in enumerate(columns_of(place, table)):
                some = players if SOAK else [players[number % len(players)]]
                for value in odd_values(column):
                    with damaged(place, table, column, value, "code" in column) as taken:
                        for player, replay in some if taken else ():
                            for answer in used(client, player, replay):
                                calls += 1
                                if answer.status_code == 500:
                                    wrong.append(f"{table}.{column} = {value!r}: {answer.url}")
        assert not wrong, "\n".join([*wrong[:40], server.output[-5000:]])
        for player, _ in players:
            told(player.ask("GET"))
        assert "Traceback" not in server.output, server.output[-5000:]
    assert calls > 30
    figure("requests on damaged rows, none without a sentence", calls)


@pytest.mark.soak("hostile", short=True)
def test_commands_tell_damage_in_a_sentence(tmp_path: Path) -> None:
    place, wrong = str(tmp_path / "history.sqlite3"), []
    kept = {"NUMDUEL_DATABASE_URL": place}
    for typed in ("15\nquit\n", "15\n15\nresign\n"):
        piped(["play", "divisor-duel"], typed, **kept)
    piped(["play", "divisor-duel", "--best-of", "3"], "15\nquit\n", **kept)
    piped(["puzzle", "--seed", "1"], "1\n", **kept)
    commands = (["history"], ["stats"], ["show", "1"], ["analyse", "2"], ["resume", "3"])
    for table in ("matches", "turns", "answers"):
        for column in columns_of(place, table):
            for value in odd_values(column):
                with damaged(place, table, column, value, False) as taken:
                    for command in commands if taken else ():
                        try:
                            piped(command, "quit\n", **kept)
                        except Exception as error:
                            wrong.append(f"{table}.{column} = {value!r}: {command} {error!r}")
    assert not wrong, "\n".join(wrong[:40])
