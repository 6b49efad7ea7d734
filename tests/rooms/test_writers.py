"""Changes that wait together become durable together; nobody suffers from others, or waits long."""

import asyncio
import resource
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from loops import on_loop
from numduel import Board
from numduel.classes.kept_classes import KeptClasses
from numduel.rooms import Play, Room, Terms, new_token
from numduel.rooms.desk import Writer
from numduel.rooms.kept_rooms import Rooms
from numduel.thinking.meter import VISIT, Meter
from numduel.thinking.thinkers import Thinkers
from patience import PATIENT
from rooms.lobbies import DUEL, running
from rooms.opened import ANN, act, sit

BOARD = Board.parse("digit-subtraction-duel:9999")


class Hall:
    """Some rooms with two players each, and what is told of them."""

    def __init__(self, place: str, rooms: int) -> None:
        self.told: list[tuple[str, int]] = []
        self.rooms = Rooms(place, lambda code, version: self.told.append((code, version)))
        self.tokens = (new_token(), new_token())
        self.codes = [self._open() for _ in range(rooms)]
        self.told.clear()

    def _open(self) -> str:
        code = self.rooms.open(Terms(BOARD), self.tokens[0], 0).code
        sit(self.rooms, code, self.tokens[1])
        return code

    def move(self, code: str, ply: int = 0) -> Callable[[Rooms], Room]:
        """The move at this ply; the room has version 2 when both sit there."""
        return lambda rooms: act(rooms, code, self.tokens[ply % 2], 2 + ply, Play("9"))


@pytest.fixture
def hall(file: str) -> Iterator[Hall]:
    opened = Hall(file, 20)
    yield opened
    opened.rooms.close()


@pytest.fixture
def writer(hall: Hall) -> Iterator[Writer]:
    made = Writer(hall.rooms)
    yield made
    made.close()


def outcomes(made: list[object]) -> list[object]:
    """The ply of each room, or what was raised."""
    return [room.ply if isinstance(room, Room) else room.word for room in made]


async def make_at_once(writer: Writer, changes: list[Callable[[Rooms], object]]) -> list[object]:
    """Hold the writer up, let all changes queue behind, and see what comes of each."""
    begun, go = threading.Event(), threading.Event()

    def hold(_: Rooms) -> bool:
        begun.set()
        return go.wait(PATIENT)

    first = asyncio.ensure_future(writer.make(hold))
    await asyncio.to_thread(begun.wait, PATIENT)
    rest = [asyncio.ensure_future(writer.make(change)) for change in changes]
    await asyncio.sleep(0)
    go.set()
    assert await first
    return await asyncio.gather(*rest, return_exceptions=True)


def commits(place: str) -> int:
    """Counted by the frames that end a transaction in the write-ahead log."""
    log = Path(f"{place}-wal").read_bytes()[32:]
    frame = 24 + 4096
    return sum(log[at + 4 : at + 8] != b"\0\0\0\0" for at in range(0, len(log), frame))


def test_all_that_wait_are_one_commit(hall: Hall, writer: Writer, file: str) -> None:
    """And nothing is told before it is durable."""
    other = Rooms(file, lambda _code, _version: None)
    hall.rooms.database.heard = lambda code, version: hall.told.append(
        (code, other.look(code).version)
    )
    before = commits(file)
    made = asyncio.run(make_at_once(writer, [hall.move(code) for code in hall.codes]))
    assert outcomes(made) == [1] * 20
    assert commits(file) == before + 1
    assert sorted(hall.told) == sorted((code, 3) for code in hall.codes)
    other.close()


def test_what_is_refused_is_refused_alone(hall: Hall, writer: Writer) -> None:
    one, two, three = hall.codes[:3]
    changes = [
        hall.move(one),
        hall.move(one, 1),  # the answer, in the same transaction
        lambda rooms: act(rooms, two, hall.tokens[1], 2, Play("9")),
        lambda rooms: act(rooms, three, hall.tokens[0], 7, Play("9")),
        lambda rooms: rooms.look("nowhere234"),
        hall.move(three),
        hall.move(three),  # the same move once more
    ]
    made = asyncio.run(make_at_once(writer, changes))
    assert outcomes(made) == [1, 2, "NotYourTurn", "StaleChange", "UnknownRoom", 1, 1]
    assert [hall.rooms.look(code).ply for code in (one, two, three)] == [2, 0, 1]


@contextmanager
def no_larger_than(size: int) -> Iterator[None]:
    """No file of this process can be written beyond this size, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_what_is_durable_is_told_though_nothing_can_be_tidied(hall: Hall, writer: Writer) -> None:
    """Once a class is deleted, SQLite's log is to be folded into the file; that may not fit."""
    rooms, classes, teacher = hall.rooms, KeptClasses(hall.rooms), new_token()
    code, file = classes.open(teacher).code, Path(rooms.database.shown)
    with rooms.database.writing() as connection:  # so that the file is longer than its log will be
        connection.execute(text("CREATE TABLE filling (filling BLOB)"))
        connection.execute(text("INSERT INTO filling VALUES (zeroblob(4000000))"))
    rooms.database.tidy()
    size = file.stat().st_size
    for _ in range(10):
        rooms.open(Terms(BOARD), new_token(), 0)
    hall.told.clear()
    one, two = hall.codes[:2]
    with no_larger_than(size):
        changes = [hall.move(one), lambda _: classes.end(code, teacher), hall.move(two)]
        made = asyncio.run(make_at_once(writer, changes))
        assert Path(f"{file}-wal").stat().st_size > 0, "it was not tidied"
    assert outcomes(made[::2]) == [1, 1]
    assert {one, two, code} <= {topic for topic, _ in hall.told}


@on_loop
async def test_who_has_gone_stops_nobody_and_closing_makes_what_waits(place: str) -> None:
    hall = Hall(place, 20)
    writer = Writer(hall.rooms)
    gone = asyncio.ensure_future(writer.make(hall.move(hall.codes[0])))
    await asyncio.sleep(0)
    gone.cancel()
    rest = [asyncio.ensure_future(writer.make(hall.move(c))) for c in hall.codes[1:]]
    await asyncio.sleep(0)
    await asyncio.to_thread(writer.close)
    assert [room.ply for room in await asyncio.gather(*rest)] == [1] * 19
    assert [hall.rooms.look(code).ply for code in hall.codes[1:]] == [1] * 19
    hall.rooms.close()


DAMAGED_ROOM = """
UPDATE matches SET board = 'chess:1'
    WHERE id = (SELECT match_id FROM rooms WHERE code = '{code}');
UPDATE rooms SET version = version + 1 WHERE code = '{code}';
"""
FAILED_COMMIT = """
CREATE TABLE trap (x REFERENCES rooms (id) DEFERRABLE INITIALLY DEFERRED);
CREATE TRIGGER fall AFTER UPDATE ON rooms WHEN NEW.code = '{code}'
    BEGIN INSERT INTO trap VALUES (-1); END;
"""


@pytest.mark.parametrize("damage", [DAMAGED_ROOM, FAILED_COMMIT])
def test_what_breaks_together_is_made_one_by_one(
    hall: Hall, writer: Writer, file: str, damage: str
) -> None:
    """One room spoils the common transaction, or its commit; all others move, and just once."""
    one, broken, two = hall.codes[:3]
    with closing(sqlite3.connect(file)) as raw:
        raw.executescript(damage.format(code=broken))
    changes = [hall.move(one), hall.move(broken), hall.move(one, 1), hall.move(two)]
    made = asyncio.run(make_at_once(writer, changes))
    assert outcomes(made) == [1, "StoreError", 2, 1]
    assert hall.told == [(one, 3), (one, 4), (two, 3)]
    assert [hall.rooms.look(code).version for code in (one, two)] == [4, 3]


def test_a_locked_database_is_told_to_all_who_wait(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numduel.store.engines.BUSY_SECONDS", 0.1)
    hall = Hall(file, 10)
    writer = Writer(hall.rooms)
    tried: list[str] = []

    def change(code: str) -> Callable[[Rooms], Room]:
        def made(rooms: Rooms) -> Room:
            tried.append(code)
            return hall.move(code)(rooms)

        return made

    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    made = asyncio.run(make_at_once(writer, [change(code) for code in hall.codes]))
    assert [getattr(error, "problem", "") for error in made] == ["busy"] * 10
    assert tried == [], "all were told by one try"
    other.execute("ROLLBACK")
    other.close()
    made = asyncio.run(make_at_once(writer, [change(code) for code in hall.codes]))
    assert outcomes(made) == [1] * 10
    writer.close()
    hall.rooms.close()


@on_loop
async def test_who_has_gone_is_not_worked_for(hall: Hall, writer: Writer) -> None:
    go = threading.Event()
    first = asyncio.ensure_future(writer.make(lambda _: go.wait(PATIENT)))
    await asyncio.sleep(0)
    late = asyncio.ensure_future(writer.make(hall.move(hall.codes[0])))
    await asyncio.sleep(0)
    late.cancel()
    with pytest.raises(asyncio.CancelledError):
        await late
    go.set()
    await first
    await writer.make(hall.move(hall.codes[1]))
    assert [hall.rooms.look(code).ply for code in hall.codes[:2]] == [0, 1]


@on_loop
async def test_long_reads_are_paid_for_and_leave_threads_to_others(file: str) -> None:
    """Whoever is past the share has half of the threads at most, whatever the address."""
    meter, going_on = Meter(0.1), threading.Event()

    def long_read(_: object) -> None:
        begun = time.thread_time()
        while not going_on.wait(0.01) or time.thread_time() - begun < 0.02:
            pass

    async with running(file, Thinkers(1)) as lobby:
        room = await lobby.open(Terms(DUEL), ANN)
        reading = []
        for number in range(12):
            VISIT.set(greedy := meter.visit(b"%d" % (number % 6), None, {}))
            greedy.pay(1.0)
            reading.append(asyncio.create_task(lobby.read(long_read)))
        await asyncio.sleep(0)
        VISIT.set(meter.visit(b"another", None, {}))
        assert (await lobby.look(room.code)).code == room.code, "all those threads are held"
        before = greedy.account.taken
        going_on.set()
        await asyncio.gather(*reading)
        assert greedy.account.taken >= before + 0.02
        assert greedy.account.address.taken == greedy.account.taken


@on_loop
async def test_changes_of_the_greedy_come_after_those_of_others(place: str) -> None:
    """Of those past their share a few are in progress; the rest wait until nobody else does."""
    meter, go, made = Meter(0.1), threading.Event(), list[str]()

    def change(name: str) -> Callable[[object], None]:
        def done(_: object) -> None:
            assert go.wait(PATIENT)
            made.append(name)

        return done

    async with running(place, Thinkers(1)) as lobby:
        changes = []
        for number in range(40):
            VISIT.set(greedy := meter.visit(b"%d" % (number % 5), None, {}))
            greedy.pay(1.0)
            changes.append(asyncio.create_task(lobby.change(change("greedy"))))
        await asyncio.sleep(0)
        VISIT.set(meter.visit(b"another", None, {}))
        changes.append(asyncio.create_task(lobby.change(change("another"))))
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(*changes)
    assert made.index("another") <= 9
    assert len(made) == 41
