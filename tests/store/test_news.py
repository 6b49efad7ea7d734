"""News of rooms between processes, as PostgreSQL carries them; also when it goes away."""

import time
from collections.abc import Iterator
from queue import Empty, Queue
from threading import enumerate as threads

import pytest

from numduel.errors import StoreError
from numduel.rooms.kept_rooms import Rooms
from numduel.store.database import Database
from numduel.store.news import GONE, News
from patience import PATIENT
from postgres import ME, Server
from rooms.opened import ANN, run, terms_of
from rooms.test_rows import LONG_AGO, added, changed, room_of

Heard = Queue[tuple[str | None, int]]


NEWSROOM = f"newsroom_{ME}"


@pytest.fixture
def place(server: Server) -> Iterator[str]:
    """A history in a database of its own, so that its connections can be refused."""
    server.run(f"DROP DATABASE IF EXISTS {NEWSROOM} WITH (FORCE)")
    server.run(f"CREATE DATABASE {NEWSROOM}")
    yield server.address(NEWSROOM)
    server.run(f"DROP DATABASE {NEWSROOM} WITH (FORCE)")


@pytest.fixture
def heard(place: str) -> Iterator[Heard]:
    told: Heard = Queue()
    database = Database(place)
    news = News(database, lambda code, version: told.put((code, version)))
    news.start()
    yield told
    news.stop()
    database.close()
    assert "numduel-news" not in [thread.name for thread in threads()]


def quiet(heard: Heard, seconds: float = 0.3) -> bool:
    try:
        heard.get(timeout=seconds)
    except Empty:
        return True
    return False


def test_every_change_is_heard_in_order(place: str, heard: Heard) -> None:
    rooms = Rooms(place, lambda _code, _version: None)
    added(rooms, room_of("a"))
    added(rooms, room_of("b"))
    changed(rooms, "a", "15")
    changed(rooms, "b", "15")
    changed(rooms, "a", "15", "15")
    deleted = rooms.open(terms_of("divisor-duel:60"), ANN, 0).code
    rooms.delete(deleted, ANN)
    for code in "ab":
        run(rooms, f"{LONG_AGO} WHERE code = '{code}'")
        rooms.expire()
    expected = [("a", 2), ("b", 2), ("a", 3), (deleted, GONE), ("a", GONE), ("b", GONE)]
    assert [heard.get(timeout=PATIENT) for _ in expected] == expected
    rooms.close()
    assert quiet(heard)


def test_what_is_not_committed_is_not_heard(place: str, heard: Heard) -> None:
    rooms = Rooms(place, lambda _code, _version: None)
    added(rooms, room_of("a"))

    def change_and_fail() -> None:
        with rooms.database.writing():
            changed(rooms, "a", "15")
            assert quiet(heard), "not before the commit"
            raise OSError

    with pytest.raises(StoreError):
        change_and_fail()
    changed(rooms, "a", "15")
    assert heard.get(timeout=PATIENT) == ("a", 2)
    rooms.close()


def test_other_talk_on_the_channel_is_no_news(place: str, server: Server, heard: Heard) -> None:
    import psycopg

    with psycopg.connect(place, autocommit=True) as connection:
        for said in ("", "hello", "a b", "a -2", " "):
            connection.execute("SELECT pg_notify('numduel_rooms', %s)", (said,))
        connection.execute("SELECT pg_notify('numduel_rooms', 'a 7')")
    assert heard.get(timeout=PATIENT) == ("a", 7)


TERMINATE = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{NEWSROOM}'"


def test_a_lost_connection_is_made_again(place: str, server: Server, heard: Heard) -> None:
    """Also where the database is away for long."""
    rooms = Rooms(place, lambda _code, _version: None)
    added(rooms, room_of("a"))
    server.run(TERMINATE)
    assert heard.get(timeout=PATIENT) == (None, 0), "anything may have changed"
    changed(rooms, "a", "15")
    assert heard.get(timeout=PATIENT) == ("a", 2)
    server.run(f"ALTER DATABASE {NEWSROOM} ALLOW_CONNECTIONS false")
    server.run(TERMINATE)
    assert quiet(heard, 1.0), "it tries again and again"
    server.run(f"ALTER DATABASE {NEWSROOM} ALLOW_CONNECTIONS true")
    assert heard.get(timeout=PATIENT) == (None, 0)
    changed(rooms, "a", "15", "15")
    assert heard.get(timeout=PATIENT) == ("a", 3)
    rooms.close()


def test_it_stops_soon(place: str, server: Server) -> None:
    database = Database(place)
    for seconds in (None, 0.1):
        news = News(database, lambda _code, _version: None)
        news.start() if seconds is None else news.start(seconds=seconds)
        began = time.monotonic()
        news.stop()
        assert time.monotonic() - began < PATIENT / 4
        server.run(f"ALTER DATABASE {NEWSROOM} ALLOW_CONNECTIONS false")  # the next one tries
    database.close()


def test_a_connection_of_its_own_fails_in_words(place: str) -> None:
    database = Database(place)

    def ask(question: str) -> None:
        with database.own_connection() as connection:
            connection.execute(question)

    ask("SELECT 1")
    with pytest.raises(StoreError) as caught:
        ask("SELECT nothing")
    assert (caught.value.problem, caught.value.place) == ("sql", database.shown)
    database.close()
