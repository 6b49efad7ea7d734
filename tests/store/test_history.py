"""The store, on SQLite and on PostgreSQL alike."""

import subprocess
import sys
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect, text

from match.test_record import played
from numduel.classes import Stage
from numduel.classes.actions import Resume
from numduel.classes.kept_classes import KeptClasses
from numduel.errors import StoreError, UnknownMatch
from numduel.match import Ending, Record, Referee, Series
from numduel.rooms.kept_rooms import Rooms
from numduel.store import Kept, PuzzleAnswer, Store, is_whole, open_store
from numduel.store.database import Database
from numduel.store.engines import engine_at
from numduel.store.steps import VERSION
from patience import PATIENT
from postgres import ME, Server
from rooms.lobbies import write
from rooms.opened import ANN, BEN, refused

DATE = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
NOTATION = "divisor-duel:60/20/first=2"
MATCHES = [
    played("divisor-duel:60", "15", "15", names=("Alice", "Bob")),
    played("divisor-duel:60", "15", "15", "15", "5", "5"),
    played("power-play:30", "x", "x", "2", penalty=2, first=1),
    played("prime-subtractor:23", "13", "13", overshoot="loses"),
    played("subtract-a-prime:20+divisor-duel:60~misere", "2:15", "resign"),
    played("divisor-duel:60", "resign"),
]


def test_matches_come_back_as_they_were(place: str) -> None:
    with open_store(place) as store:
        for referee in MATCHES:
            record = Record.of(referee, DATE, ("person", "level:3"))
            for series in (None, Series(5, referee.setup.first, (2, 1))):
                kept = store.add(record, series)
                assert store.load(kept.id) == kept == Kept(kept.id, record, series)
            assert store.matches(limit=2) == [kept, Kept(kept.id - 1, record)]


def test_a_match_is_kept_turn_by_turn(place: str) -> None:
    referee = Referee(played("divisor-duel:60").setup)
    referee.begin()
    with open_store(place) as store:
        referee.enter("15")
        kept = store.add(Record.of(referee, DATE))
        for move in ("15", "15"):
            referee.enter(move)
            kept = store.save(kept, Record.of(referee, DATE))
        assert store.matches(unfinished=True) == [kept]
        referee.undo(2)
        kept = store.save(kept, Record.of(referee, DATE))
        assert store.load(kept.id) == kept == (kept.id, Record.of(referee, DATE), None, 3)
        for move in ("15", "15", "5", "5"):
            referee.enter(move)
            kept = store.save(kept, Record.of(referee, DATE))
    with open_store(place) as store:
        assert store.load(kept.id) == kept == (kept.id, Record.of(referee, DATE), None, 7)
        assert kept.record.winner == 0
        assert store.matches(unfinished=True) == []
        kept = store.add(Record.of(played("divisor-duel:60", "15"), DATE))
        resigned = Record.of(played("divisor-duel:60", "15", "resign"), DATE)
        store.save(kept, resigned)
        assert store.load(kept.id).record == resigned
        with pytest.raises(UnknownMatch):
            store.save(kept._replace(id=kept.id + 1), resigned)


def test_matches_are_deleted_all_or_none(place: str) -> None:
    with open_store(place) as store:
        ids = [store.add(Record.of(referee, DATE)).id for referee in MATCHES]
        store.delete(ids[:2])
        with pytest.raises(UnknownMatch):
            store.load(ids[0])
        with pytest.raises(UnknownMatch):
            store.delete([ids[2], ids[0]])
        assert [kept.id for kept in store.matches()] == ids[:1:-1], "the latest first"
        assert store.add(Record.of(MATCHES[0], DATE)).id > ids[-1], "a number is never used again"


def play_on(store: Store, kept: Kept, *moves: str, taken_back: int = 0) -> None:
    """Take turns back, then play on, as a terminal would that has this match before it."""
    referee = kept.record.replay()
    if taken_back:
        referee.undo(taken_back)
        kept = store.save(kept, Record.of(referee, DATE))
    for move in moves:
        referee.enter(move)
        kept = store.save(kept, Record.of(referee, DATE))


CHANGES: dict[str, tuple[tuple[str, ...], int]] = {
    "a turn": (("15",), 0),
    "another turn": (("10",), 0),
    "a turn taken back": ((), 1),
    "a turn taken back and played otherwise": (("3",), 1),
    "other turns with the same end": (("30", "15"), 2),
}
"""What one terminal does to 60 - 15 - 15: moves, and turns taken back before them."""


def test_two_who_play_one_match_do_not_mix_their_turns(place: str) -> None:
    with open_store(place) as here, open_store(place) as there:
        pairs = zip(CHANGES, CHANGES, strict=True) if "://" in place else product(CHANGES, CHANGES)
        for first, other in pairs:
            match_id = here.add(Record.of(played("divisor-duel:60", "15", "15"), DATE)).id
            kept = there.load(match_id)
            moves, back = CHANGES[first]
            play_on(here, here.load(match_id), *moves, taken_back=back)
            after = here.load(match_id)
            assert after.record != kept.record, first
            moves, back = CHANGES[other]
            with pytest.raises(StoreError) as caught:
                play_on(there, kept, *moves, taken_back=back)
            assert (caught.value.problem, caught.value.id) == ("changed match", match_id), other
            with pytest.raises(StoreError):
                there.save(kept, Record.of(played("divisor-duel:60", "resign")))
            assert there.load(match_id) == after, (first, other)
            play_on(there, after, taken_back=1)
        here.delete([match_id])
        with pytest.raises(UnknownMatch):
            play_on(there, after, "15")


def test_answers_come_back_in_order(place: str) -> None:
    answers = [
        PuzzleAnswer(DATE, "divisor-duel:60", "divisor-duel", 1200, True, "2026-11-15"),
        PuzzleAnswer(DATE, "power-play:30", "power-play", 600, False),
    ]
    with open_store(place) as store:
        for answer in answers:
            store.add_answer(answer)
        assert store.answers() == answers


PLAY = """
import sys
from numduel.match import Record, Referee, Setup
from numduel import Board
from numduel.store import open_store
with open_store(sys.argv[1]) as store:
    for _ in range(4):
        referee = Referee(Setup(Board.parse("digit-subtraction-duel:40")))
        referee.begin()
        referee.enter("9")
        kept = store.add(Record.of(referee))
        while not referee.over:
            referee.play(next(referee.board.moves()))
            kept = store.save(kept, Record.of(referee))
"""


def test_two_processes_at_once(place: str) -> None:
    """They even make the history at the same time."""
    both = [subprocess.Popen([sys.executable, "-c", PLAY, place]) for _ in range(2)]
    assert [process.wait(timeout=PATIENT) for process in both] == [0, 0]
    with open_store(place) as store:
        assert [kept.record.replay().over is None for kept in store.matches()] == [False] * 8


def tables_at(place: str) -> dict[str, Any]:
    """All tables as the database has them: columns, keys, what refers to what, and indexes."""
    database, postgres = Database(place), "://" in place

    def may(column: Any) -> bool:
        return bool(column["nullable"] and not column.get("primary_key"))

    def refers(key: Any) -> tuple[Any, ...]:  # SQLite does not tell the options
        return key["constrained_columns"], key["referred_table"], postgres and key["options"]

    with database.reading() as connection:
        looked = inspect(connection)
        found = {
            name: (
                {c["name"]: (c["type"]._type_affinity, may(c)) for c in looked.get_columns(name)},
                looked.get_pk_constraint(name)["constrained_columns"],
                sorted(map(refers, looked.get_foreign_keys(name))),
                sorted(k["column_names"] for k in looked.get_unique_constraints(name)),
                sorted((k["name"], k["column_names"]) for k in looked.get_indexes(name)),
            )
            for name in looked.get_table_names()
        }
    database.close()
    return found


def make_version_9(place: str) -> None:
    """The history that numduel kept when `used` was an uptime: a match, a room and a class."""
    postgres = "://" in place
    identity = "GENERATED BY DEFAULT AS IDENTITY " if postgres else ""
    identity = f"INTEGER {identity}PRIMARY KEY {'' if postgres else 'AUTOINCREMENT'}"
    engine = engine_at(place)
    script = Path(__file__).with_name("version_9.sql").read_text()
    with engine.begin() as connection:
        for statement in script.replace("{identity}", identity).split(";\n")[:-1]:
            connection.exec_driver_sql(statement)
        for table in ("matches", "answers", "rooms") if postgres else ():
            connection.exec_driver_sql(f"ALTER TABLE {table} ALTER COLUMN id RESTART WITH 100")
    engine.dispose()


def test_an_older_history_is_brought_up_to_date(place: str) -> None:
    """With all that it holds, and to the very tables of a new one."""
    make_version_9(place)
    with open_store(place) as store:
        [kept] = store.matches()
        assert kept.record == Record.of(MATCHES[0], DATE, ("person", "level:3"))
        assert kept.series == Series(5, 0, (2, 1))
        [answer] = store.answers()
        assert (answer.solved, answer.day) == (True, "2026-11-15")
        assert store.add(kept.record).id > kept.id
    rooms = Rooms(place, lambda _code, _version: None)
    room = rooms.look("pjk9e8kmft")
    assert (room.round, room.wins, room.version, room.notation) == (2, (1, 0), 7, NOTATION)
    assert room.clock is not None
    assert [room.seat_of(token) for token in (ANN, BEN)] == [0, 1]
    assert rooms.replay("uv7wsnp65a").ending == Ending.RESIGNED
    classes, teacher = KeptClasses(rooms), "cleo".ljust(22, "-")
    seen = classes.look("w55jz", teacher)
    assert ([pupil.name for pupil in seen.pupils], seen.stage) == (["Ann", "Ben"], Stage.MAP)
    assert (seen.votes, len(seen.guesses), len(seen.rounds)) == ({"30": 1}, 1, 1)
    assert rooms.expire() == 0, "all was used just now"
    with rooms.database.reading() as connection:
        assert connection.scalar(text("SELECT min(used) FROM classes")) > DATE.timestamp()
    resumed, _ = classes.act("w55jz", teacher, seen.version, Resume())
    assert resumed.is_playing
    rooms.close()
    new = place.replace("search_path%3D", "search_path%3Dnew_") if "://" in place else f"{place}new"
    if "://" in place:
        write(place, f"CREATE SCHEMA {new.rpartition('%3D')[2]}")
    open_store(new).close()
    assert tables_at(place) == tables_at(new)


def test_another_version_is_refused(place: str) -> None:
    open_store(place).close()
    engine = engine_at(place)
    for statement, problem in (
        (f"UPDATE schema_version SET version = {VERSION + 1}", "newer"),
        ("UPDATE schema_version SET version = 8", "foreign"),
        ("DELETE FROM schema_version", "foreign"),
    ):
        with engine.begin() as connection:
            connection.execute(text(statement))
        with refused(problem, StoreError):
            open_store(place)
    engine.dispose()


BROKEN = [
    "UPDATE matches SET board = 'chess:60' WHERE id = {}",
    "UPDATE matches SET began = 'yesterday' WHERE id = {}",
    "UPDATE matches SET ending = 'tea' WHERE id = {}",
    "DELETE FROM turns WHERE turn = 1 AND match_id = {}",
    "UPDATE turns SET move = '7' WHERE turn = 2 AND match_id = {}",
]


def test_a_damaged_match_is_told(place: str) -> None:
    sound = Record.of(MATCHES[1], DATE)
    with open_store(place) as store:
        damaged = [store.add(Record.of(MATCHES[0], DATE)).id for _ in BROKEN]
        last = store.add(sound).id
    for match_id, damage in zip(damaged, BROKEN, strict=True):
        write(place, damage.format(match_id))
    with open_store(place) as store:
        for match_id in damaged:
            with pytest.raises(StoreError) as caught:
                store.load(match_id)
            assert (caught.value.problem, caught.value.id) == ("damaged match", match_id)
        listed = store.matches()
        assert [match.id for match in listed] == [last, *damaged[::-1]]
        assert [match.record for match in listed if is_whole(match)] == [sound]
        store.delete(damaged)
        assert store.matches() == [Kept(last, sound)]


def test_a_history_in_a_database_of_its_own(server: Server) -> None:
    with open_store(server.address()) as store:
        assert store.place.startswith(f"postgresql://postgres@/{ME}?")
        store.delete([kept.id for kept in store.matches()])
