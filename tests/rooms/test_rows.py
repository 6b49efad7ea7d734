"""Rooms in tables, on SQLite and on PostgreSQL alike."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from match.test_record import played
from numduel.errors import StoreError, UnknownMatch, UnknownRoom
from numduel.match import Record
from numduel.rooms.actions import Outcome
from numduel.rooms.kept_rooms import Rooms
from numduel.rooms.room import Clock, Done, Room
from numduel.rooms.rows import add_room, read_room
from numduel.store import open_store
from numduel.store.place import sole_server
from postgres import Server
from rooms.opened import Servers, at_once, refused, run

DATE = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
TABLES = ("rooms", "seats", "rounds", "matches", "turns")
LONG_AGO = "UPDATE rooms SET used = used - 40 * 86400"


def match(board: str, *moves: str) -> dict[str, Any]:
    referee = played(board, *moves, names=("Ann", "Ben"))
    turns = tuple(referee.turns)
    return {"record": Record.of(referee, DATE), "turns": turns, "over": referee.over}


def room_of(code: str, *moves: str, board: str = "divisor-duel:60", **values: Any) -> Room:
    usual = {"opened": DATE, "changed": DATE, "replay": f"replay of {code}"}
    named = {"code": code, "host": "h" * 64, "tokens": ("a" * 64, None)}
    return Room(**{**named, **usual, **match(board, *moves), **values})


def added(rooms: Rooms, room: Room, used: float = 0.0) -> Room:
    with rooms.database.writing() as connection:
        return add_room(connection, room, used)


def loaded(rooms: Rooms, code: str, known: Room | None = None) -> Room:
    with rooms.database.reading() as connection:
        return read_room(connection, code, known)


def changed(rooms: Rooms, code: str, *moves: str, **values: Any) -> Room:
    def alter(room: Room, _now: float) -> Outcome:
        return Outcome(replace(room, **match(str(room.setup.board), *moves), **values))

    return rooms.change(code, alter)


def rows_of(rooms: Rooms) -> dict[str, list[Any]]:
    with rooms.database.reading() as connection:
        return {
            table: sorted(map(repr, connection.execute(text(f"SELECT * FROM {table}"))))
            for table in TABLES
        }


FULL: dict[str, Any] = {
    "tokens": ("b" * 64, "c" * 64),
    "clock": Clock((299.0625, 0.1), 1_700_000_000.123456),
    "wins": (3, 14),
    "asked": 1,
    "offered": 0,
    "bad_inputs": 2,
    "position": 5,
    "held": "paused",
    "done": (Done(4, "one"), Done(5, "two")),
    "changed": datetime(2026, 11, 15, 1, 2, 3, 456789, tzinfo=UTC),
}
ONCE: dict[str, Any] = {
    "takeback": False,
    "hints": False,
    "seconds": 300,
    "round": 18,
    "version": 7,
    "opened": datetime(2026, 11, 14, 1, 2, 3, 456, tzinfo=UTC),
}
"""What is not changed later, or never by itself."""


def test_rooms_come_back_as_they_were(servers: Servers) -> None:
    rooms = servers()
    for count, room in enumerate(
        [
            room_of("new"),
            room_of("full", "15", "15", **FULL, **ONCE),
            room_of("one number", "x", "2", board="power-play:30"),
            room_of("two", "2:15", "resign", board="subtract-a-prime:20+divisor-duel:60~misere"),
        ],
        1,
    ):
        kept = added(rooms, room)
        assert kept == replace(room, id=kept.id, match_id=kept.match_id)
        assert loaded(rooms, room.code) == kept
        assert loaded(rooms, room.code, kept) is kept, "what is known is not read again"
        assert loaded(rooms, room.code, replace(kept, version=room.version - 1)) == kept
        assert rooms.replay(room.replay) == room.record
        assert rooms.count() == count


def test_each_change_is_kept(servers: Servers) -> None:
    rooms = servers()
    added(rooms, room_of("a"))
    other = added(rooms, room_of("b"))
    steps: list[tuple[list[str], dict[str, Any]]] = [
        (["15"], {}),
        (["15", "15"], FULL),
        (["15"], {"tokens": ("b" * 64, "d" * 64), "asked": None}),
        (["15", "9", "9"], {"clock": Clock((1.0, 2.0), None)}),
        (["15", "9", "9", "resign"], {"wins": (0, 1), "clock": None}),
    ]
    for version, (moves, values) in enumerate(steps, 2):
        saved = changed(rooms, "a", *moves, **values)
        assert saved.version == version
        assert loaded(rooms, "a") == saved
        assert all(getattr(saved, name) == value for name, value in values.items())
        assert rooms.replay("replay of a") == saved.record
    again = changed(rooms, "a", round=2, replay="another")
    assert again.match_id != saved.match_id
    assert loaded(rooms, "a") == again
    changed(rooms, "a", "20")
    assert rooms.replay("replay of a") == saved.record, "the match before stays"
    assert len(rooms.replay("another").turns) == 1
    assert loaded(rooms, "b") == other, "nobody else's room is touched"


def test_a_code_is_taken_once(servers: Servers) -> None:
    rooms = servers()
    added(rooms, room_of("a"))
    before = rows_of(rooms)
    for again in (room_of("a", replay="other"), room_of("b", replay="replay of a")):
        with refused("taken", StoreError):
            added(rooms, again)
    assert rows_of(rooms) == before, "no match without a room is left behind"


def test_forgetting_takes_all_of_a_room_and_nothing_else(servers: Servers, place: str) -> None:
    rooms = servers()
    with open_store(place) as history:
        history.add(Record.of(played("divisor-duel:60", "15"), DATE))
    added(rooms, room_of("b"))
    changed(rooms, "b", "15", "resign")
    changed(rooms, "b", "20", round=2, replay="b again")
    others = rows_of(rooms)
    added(rooms, room_of("a", "15"))
    changed(rooms, "a", "15", "9", "resign")
    changed(rooms, "a", "20", "20", round=2, replay="a again")
    assert all(len(rows) > len(others[table]) for table, rows in rows_of(rooms).items())
    run(rooms, f"{LONG_AGO} WHERE code = 'a'")
    assert rooms.expire() == 1
    assert rows_of(rooms) == others
    for code in ("replay of a", "a again"):
        with pytest.raises(UnknownRoom):
            rooms.replay(code)
    assert len(rooms.replay("b again").turns) == 1


def test_several_servers_expire_rooms_at_once(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few at a time, each once."""
    monkeypatch.setattr("numduel.rooms.kept_rooms._AT_ONCE", 3)
    all_of_them = [servers() for _ in range(3)]
    for number in range(10):
        added(all_of_them[0], room_of(f"old {number}", "15"))
    expired: list[int] = []

    def expire(rooms: Rooms) -> None:
        expired.extend(rooms.expire() for _ in range(10))

    at_once(*(partial(expire, rooms) for rooms in all_of_them))
    assert max(expired) == 3
    assert sum(expired) == 10
    assert all_of_them[0].count() == 0


def test_a_room_in_use_is_not_waited_for(server: Server) -> None:
    place = server.new_history()
    rooms, others = (Rooms(place, lambda _code, _version: None) for _ in range(2))
    added(rooms, room_of("old"))
    with rooms.database.writing():
        rooms.change("old", lambda room, _: Outcome(room))
        assert others.expire() == 0
    assert (others.expire(), others.count()) == (0, 1)
    rooms.close()
    others.close()


def test_a_reading_sees_one_state(servers: Servers) -> None:
    rooms, others = servers(), servers()
    added(rooms, room_of("a"))
    with rooms.database.reading() as connection:
        seen = [connection.scalar(text("SELECT version FROM rooms"))]
        changed(others, "a", "15")
        seen.append(connection.scalar(text("SELECT version FROM rooms")))
        assert connection.scalar(text("SELECT COUNT(*) FROM turns")) == 0
    assert seen == [1, 1]
    assert loaded(rooms, "a").version == 2


DAMAGE = {
    "no match": "UPDATE rooms SET match_id = 4711",
    "no replay": "DELETE FROM rounds",
    "one seat": "DELETE FROM seats WHERE seat = 1",
    "no board": "UPDATE matches SET board = 'chess:60'",
    "a turn missing": "DELETE FROM turns WHERE turn = 1",
    "a move that breaks the rules": "UPDATE turns SET move = '7'",
}
ODD = {
    "a winner who does not play": "UPDATE matches SET winner = 9",
    "a blob for a board": "UPDATE matches SET board = x'ff'",
    "a blob for a move": "UPDATE turns SET move = x'ff'",
    "half a series": "UPDATE matches SET best_of = 3",
    "no date": "UPDATE rooms SET opened = 'yesterday'",
    "a date without end": "UPDATE rooms SET changed = '9999-12-31T00:00:00+00:00'",
    "time without end": "UPDATE rooms SET left_1 = 9e999, left_2 = 1",
    "no number": "UPDATE rooms SET round = 'two'",
    "a huge number": "UPDATE rooms SET wins_1 = 9007199254740993",
    "a blob for a seat": "UPDATE seats SET token = x'ff'",
}
"""What SQLite takes and PostgreSQL would not."""


def test_a_damaged_room_is_told(servers: Servers, place: str) -> None:
    rooms = servers()
    for name, damage in {**DAMAGE, **({} if "://" in place else ODD)}.items():
        added(rooms, room_of("a", "15", "15", replay=name))
        run(rooms, damage)
        with pytest.raises(StoreError) as caught:
            rooms.look("a")
        assert (caught.value.problem, caught.value.place) == ("damaged", rooms.database.shown), name
        assert rooms.expire() == 1, "it expires all the same"


def test_one_server_for_one_file(tmp_path: Path) -> None:
    file = str(tmp_path / "rooms.sqlite3")
    for _ in range(2):
        with sole_server(file), sole_server("postgresql://somewhere/else"):
            with pytest.raises(StoreError) as caught, sole_server(file):
                pass
            assert caught.value.problem == "served"


def test_a_history_does_not_hold_the_matches_of_rooms(servers: Servers, place: str) -> None:
    """Or `numduel resume` would play on in somebody's room."""
    rooms = servers()
    room = added(rooms, room_of("a", "15"))
    with open_store(place) as history:
        own = history.add(Record.of(played("divisor-duel:60", "15"), DATE)).id
        assert [one.id for one in history.matches(unfinished=True)] == [own]
        for use in (history.load, lambda number: history.delete([number])):
            with pytest.raises(UnknownMatch):
                use(room.match_id)
        history.delete([own])
    assert loaded(rooms, "a") == room
