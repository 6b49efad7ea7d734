"""Rooms in tables, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import text

from match.test_record import played
from numduel.errors import StoreError, UnknownMatch, UnknownRoom
from numduel.match import Record
from numduel.store import KeptRoom, RoomStore, open_store
from numduel.store.sole_server import sole_server
from postgres import Server

DATE = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)
TABLES = ("rooms", "seats", "rounds", "matches", "turns")


def kept(code: str, *moves: str, board: str = "divisor-duel:60", **values: Any) -> KeptRoom:
    record = Record.of(played(board, *moves, names=("Ann", "Ben")), DATE)
    room = KeptRoom(
        code, "h" * 64, DATE, DATE, record, f"replay of {code}", ("a" * 64, None), takeback=True
    )
    return room._replace(**values)


@pytest.fixture
def store(place: str) -> Iterator[RoomStore]:
    opened = RoomStore(place)
    yield opened
    opened.close()


def changed(store: RoomStore, code: str, *moves: str, **values: Any) -> KeptRoom:
    """The room once the match stands at these moves, and with other values."""
    with store.changing(code) as change:
        room = change.room
        record = Record.of(played(str(room.record.setup.board), *moves, names=("Ann", "Ben")), DATE)
        return change.save(room._replace(record=record, **values))


def rows_of(store: RoomStore) -> dict[str, list[Any]]:
    with store.database.reading() as connection:
        return {
            table: sorted(map(repr, connection.execute(text(f"SELECT * FROM {table}"))))
            for table in TABLES
        }


def run(store: RoomStore, statement: str) -> None:
    with store.database.writing() as connection:
        connection.execute(text(statement))


FULL: dict[str, Any] = {
    "tokens": ("b" * 64, "c" * 64),
    "takeback": False,
    "seconds": 300,
    "left": (299.0625, 0.1),
    "since": 1_700_000_000.123456,
    "wins": (3, 14),
    "round": 18,
    "asked": 1,
    "offered": 0,
    "bad_inputs": 2,
    "version": 7,
    "opened": datetime(2026, 11, 14, 1, 2, 3, 456, tzinfo=UTC),
    "changed": datetime(2026, 11, 15, 1, 2, 3, 456789, tzinfo=UTC),
}


def test_rooms_come_back_as_they_were(store: RoomStore) -> None:
    for count, room in enumerate(
        [
            kept("new"),
            kept("full", "15", "15")._replace(**FULL),
            kept("one number", "x", "2", board="power-play:30"),
            kept("two", "2:15", "resign", board="subtract-a-prime:20+divisor-duel:60~misere"),
        ],
        1,
    ):
        added = store.add(room)
        assert added == room._replace(id=added.id, match_id=added.match_id)
        assert store.load(room.code) == added
        assert store.load(room.code, added) is added, "what is known is not read again"
        assert store.load(room.code, added._replace(version=room.version - 1)) == added
        assert store.replay(room.replay) == room.record
        assert store.count() == count


def test_each_change_is_kept(store: RoomStore) -> None:
    store.add(kept("a"))
    other = store.add(kept("b"))
    fields: dict[str, Any] = {**FULL, "round": 1}
    for name in ("opened", "version", "takeback", "seconds"):  # these are kept once for all
        del fields[name]
    steps: list[tuple[list[str], dict[str, Any]]] = [
        (["15"], {}),
        (["15", "15"], fields),
        (["15"], {"tokens": ("b" * 64, "d" * 64), "asked": None, "since": None}),
        (["15", "9", "9"], {}),
        (["15", "9", "9", "resign"], {"wins": (0, 1), "left": None}),
    ]
    for version, (moves, values) in enumerate(steps, 2):
        saved = changed(store, "a", *moves, **values)
        assert saved.version == version
        assert store.load("a") == saved
        assert all(getattr(saved, name) == value for name, value in values.items())
        assert store.replay("replay of a") == saved.record
    assert store.load("b") == other, "nobody else's room is touched"


def test_a_rematch_adds_a_match_and_keeps_the_old_one(store: RoomStore) -> None:
    store.add(kept("a"))
    first = changed(store, "a", "15", "resign")
    second = changed(store, "a", round=2, replay="another")
    assert second.match_id != first.match_id
    assert store.load("a") == second
    changed(store, "a", "20")
    assert store.replay("replay of a") == first.record
    assert len(store.replay("another").turns) == 1


def test_a_code_is_taken_once(store: RoomStore) -> None:
    store.add(kept("a"))
    before = rows_of(store)
    for again in (kept("a", replay="other"), kept("b", replay="replay of a")):
        with pytest.raises(StoreError) as caught:
            store.add(again)
        assert caught.value.problem == "taken"
    assert rows_of(store) == before, "no match without a room is left behind"


def test_deleting_takes_all_of_a_room_and_nothing_else(store: RoomStore, place: str) -> None:
    with open_store(place) as history:
        history.add(Record.of(played("divisor-duel:60", "15"), DATE))
    store.add(kept("b"))
    changed(store, "b", "15", "resign")
    changed(store, "b", "20", round=2, replay="b again")
    others = rows_of(store)
    store.add(kept("a", "15"))
    changed(store, "a", "15", "9", "resign")
    changed(store, "a", "20", "20", round=2, replay="a again")
    assert all(len(rows) > len(others[table]) for table, rows in rows_of(store).items())
    with store.changing("a") as change:
        change.delete()
    assert rows_of(store) == others
    for code in ("replay of a", "a again"):
        with pytest.raises(UnknownRoom):
            store.replay(code)
    assert len(store.replay("b again").turns) == 1


def test_rooms_expire(store: RoomStore) -> None:
    store.add(kept("new"))
    others = rows_of(store)
    for code in ("old", "older", "oldest"):
        store.add(kept(code, "15", version=2))
    run(store, "UPDATE rooms SET used = used - 86400 WHERE code <> 'new'")
    assert len(store.expire(HOUR, HOUR, limit=2)) == 2, "some at a time"
    assert len(store.expire(HOUR, HOUR, limit=2)) == 1
    assert store.expire(HOUR, HOUR) == []
    assert rows_of(store) == others
    assert store.expire(HOUR, timedelta(0)) == ["new"], "nothing ever happened there"
    assert not any(rows_of(store).values())


def test_several_servers_expire_rooms_at_once(store: RoomStore, place: str) -> None:
    for number in range(10):
        store.add(kept(f"old {number}", "15"))
    run(store, "UPDATE rooms SET used = used - 86400")
    stores = [RoomStore(place) for _ in range(3)]
    expired: list[str] = []

    def expire(own: RoomStore) -> None:
        for _ in range(10):
            expired.extend(own.expire(HOUR, HOUR, limit=3))

    threads = [Thread(target=expire, args=(own,)) for own in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for own in stores:
        own.close()
    assert sorted(expired) == sorted(f"old {number}" for number in range(10)), "each once"
    assert store.count() == 0


def test_a_room_in_use_is_not_waited_for(server: Server) -> None:
    store = RoomStore(server.new_history())
    store.add(kept("old"))
    run(store, "UPDATE rooms SET used = used - 86400")
    with store.changing("old") as change:
        assert store.expire(HOUR, HOUR) == []
        change.save(change.room)
    assert store.expire(HOUR, HOUR) == []
    assert store.count() == 1
    store.close()


def test_a_reading_sees_one_state(store: RoomStore) -> None:
    store.add(kept("a"))
    with store.database.reading() as connection:
        seen = [connection.scalar(text("SELECT version FROM rooms"))]
        changed(store, "a", "15")
        seen.append(connection.scalar(text("SELECT version FROM rooms")))
        assert connection.scalar(text("SELECT COUNT(*) FROM turns")) == 0
    assert seen == [1, 1]
    assert store.load("a").version == 2


DAMAGE = {
    "no match": "UPDATE rooms SET match_id = 4711",
    "no replay": "DELETE FROM rounds",
    "one seat": "DELETE FROM seats WHERE seat = 1",
    "no board": "UPDATE matches SET board = 'chess:60'",
    "a turn missing": "DELETE FROM turns WHERE turn = 1",
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
    "a blob for a seat": "UPDATE seats SET token = x'ff'",
}
"""What SQLite takes and PostgreSQL would not."""


def test_a_damaged_room_is_told(store: RoomStore, place: str) -> None:
    for name, damage in {**DAMAGE, **({} if "://" in place else ODD)}.items():
        store.add(kept("a", "15", "15", replay=name))
        run(store, damage)
        with pytest.raises(StoreError) as caught:
            store.load("a")
        assert (caught.value.problem, caught.value.place) == ("damaged", store.database.shown), name
        assert store.expire(timedelta(0), HOUR) == ["a"], "it expires all the same"
    run(store, "DELETE FROM uptime")
    with pytest.raises(StoreError) as caught:
        RoomStore(place)
    assert caught.value.problem == "damaged"


def test_one_server_for_one_file(tmp_path: Path) -> None:
    file = str(tmp_path / "rooms.sqlite3")
    for _ in range(2):
        with sole_server(file), sole_server("postgresql://somewhere/else"):
            with pytest.raises(StoreError) as caught, sole_server(file):
                pass
            assert caught.value.problem == "served"


def test_a_history_does_not_hold_the_matches_of_rooms(store: RoomStore, place: str) -> None:
    """Or `numduel resume` would play on in somebody's room."""
    room = store.add(kept("a", "15"))
    with open_store(place) as history:
        own = history.add(Record.of(played("divisor-duel:60", "15"), DATE))
        assert [match.id for match in history.matches(unfinished=True)] == [own]
        for refused in (history.load, lambda number: history.delete([number])):
            with pytest.raises(UnknownMatch):
                refused(room.match_id)
        history.delete([own])
    assert store.load("a") == room
