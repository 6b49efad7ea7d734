"""Rooms on a database: several servers at once, caches, failures, restarts."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from sqlalchemy import text

from numduel.errors import (
    IllegalMove,
    InvalidNumber,
    NotAllowed,
    NotSeated,
    NumduelError,
    StaleMove,
    StoreError,
    TooManyRooms,
    UnknownRoom,
)
from numduel.match import Ending
from numduel.rooms import GONE, Room, changes
from numduel.rooms.keeping import Rooms
from numduel.rooms.known import KnownRooms
from rooms.opened import ANN, BEN, EVE, friends, played, terms_of

Told = list[tuple[str, int]]


@pytest.fixture
def servers(place: str) -> Iterator[Callable[..., Rooms]]:
    """Starts servers at the place; all are closed in the end."""
    started: list[Rooms] = []

    def start(told: Told | None = None, **bounds: int) -> Rooms:
        def tell(code: str, version: int) -> None:
            if told is not None:
                told.append((code, version))

        started.append(Rooms(place, tell, **bounds))
        return started[-1]

    yield start
    for rooms in started:
        rooms.close()


def full(rooms: Rooms, board: str = "divisor-duel:60", **values: Any) -> Room:
    room = rooms.open(terms_of(board, **values), ANN, 0)
    return rooms.sit(room.code, BEN)


def at_once(*calls: Callable[[], object]) -> list[object]:
    """What comes of the calls, or what they raise; they begin at the same time."""
    barrier, results = Barrier(len(calls)), list[object](calls)

    def run(number: int) -> None:
        barrier.wait()
        try:
            results[number] = calls[number]()
        except NumduelError as error:
            results[number] = error

    threads = [Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_a_change_is_seen_by_other_servers(servers: Callable[..., Rooms]) -> None:
    here, there = servers(), servers()
    room = full(here)
    assert there.look(room.code) == room
    room = here.play(room.code, ANN, 0, "15")
    assert there.look(room.code) == room
    room = there.play(room.code, BEN, 1, "9")
    assert here.look(room.code) == room
    assert here.play(room.code, BEN, 1, "9") == room, "a repeat at the other server is harmless"
    assert here.replay(room.replay) == room.record


def test_what_is_known_is_not_read_again(servers: Callable[..., Rooms]) -> None:
    rooms = servers()
    room = full(rooms)
    assert rooms.look(room.code) is room
    assert rooms.play(room.code, ANN, 0, "15") is rooms.look(room.code)


def test_one_of_many_moves_at_once_is_played(servers: Callable[..., Rooms]) -> None:
    """On every ply, each of two servers is sent all legal moves at the same moment."""
    both = [servers(), servers()]
    room = full(both[0], "digit-subtraction-duel:987654321")
    versions = [room.version]
    for ply in range(4):
        moves = [room.board.write_move(move) for move in room.board.moves()]
        who = (ANN, BEN)[ply % 2]
        results = at_once(
            *(
                partial(both[number % 2].play, room.code, who, ply, move)
                for number, move in enumerate(moves)
            )
        )
        won = [result for result in results if isinstance(result, Room)]
        assert len(won) == 1, results
        assert [type(result) for result in results].count(StaleMove) == len(moves) - 1 > 4
        [room] = won
        assert room == both[0].look(room.code) == both[1].look(room.code)
        versions.append(room.version)
    assert versions == list(range(2, 7)), "each change has a version of its own"


def test_one_of_many_sits_down(servers: Callable[..., Rooms]) -> None:
    both = [servers(), servers()]
    room = both[0].open(terms_of("divisor-duel:60"), ANN, 0)
    people = [f"{number:022}" for number in range(6)]
    results = at_once(
        *(partial(both[number % 2].sit, room.code, who) for number, who in enumerate(people))
    )
    [sat] = [result for result in results if isinstance(result, Room)]
    assert [sat.seat_of(who) for who in people].count(1) == 1
    assert both[0].look(room.code) == both[1].look(room.code) == sat


def test_no_update_is_lost(servers: Callable[..., Rooms]) -> None:
    both = [servers(), servers()]
    room = full(both[0], "power-play:30", penalty=900)

    def enter_nonsense(rooms: Rooms) -> None:
        for _ in range(10):
            with pytest.raises(InvalidNumber):
                rooms.play(room.code, ANN, 0, "x")

    at_once(*(partial(enter_nonsense, rooms) for rooms in (*both, *both)))
    after = both[0].look(room.code)
    assert (after.kept.bad_inputs, after.version) == (40, room.version + 40)


PLAY = """
import json, sys
from numduel.errors import NumduelError
from numduel.rooms.keeping import Rooms
place, code, *tokens = sys.argv[1:]
rooms = Rooms(place, lambda code, version: None)
room, won = rooms.look(code), []
while not room.over:
    ply = room.ply
    move = room.board.write_move(next(room.board.moves()))
    try:
        room = rooms.play(code, tokens[room.player], ply, move)
    except NumduelError:
        room = rooms.look(code)
        continue
    won.append([ply, room.version])
print(json.dumps(won))
rooms.close()
"""


def test_two_processes_play_in_one_room(servers: Callable[..., Rooms], place: str) -> None:
    rooms = servers()
    room = full(rooms, "digit-subtraction-duel:120")
    command = [sys.executable, "-c", PLAY, place, room.code, ANN, BEN]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    won = [json.loads(process.communicate(timeout=60)[0]) for process in both]
    over = rooms.look(room.code)
    assert over.over is not None
    assert over.version == room.version + over.ply, "one version a move"
    plies = {ply for own in won for ply, _ in own}
    assert plies == set(range(over.ply))
    assert sum(over.wins) == 1


def test_news_are_told_after_each_change(tmp_path: Path) -> None:
    """Here, where the database does not carry them."""
    told: Told = []
    rooms = Rooms(
        str(tmp_path / "rooms.sqlite3"), lambda code, version: told.append((code, version))
    )
    room = full(rooms)
    rooms.play(room.code, ANN, 0, "15")
    rooms.play(room.code, ANN, 0, "15")
    with pytest.raises(IllegalMove):
        rooms.play(room.code, BEN, 1, "7")
    with pytest.raises(NotSeated):
        rooms.delete(room.code, BEN)
    rooms.delete(room.code, ANN)
    assert told == [(room.code, 2), (room.code, 3), (room.code, GONE)]
    rooms.close()


def test_only_the_host_deletes(servers: Callable[..., Rooms]) -> None:
    here, there = servers(), servers()
    room = full(here)
    there.look(room.code)
    for token in (BEN, EVE, None):
        with pytest.raises(NotSeated) as caught:
            there.delete(room.code, token)
        assert caught.value.needs == "host"
    there.delete(room.code, ANN)
    for gone in (
        lambda: here.look(room.code),
        lambda: here.play(room.code, ANN, 0, "15"),
        lambda: here.delete(room.code, ANN),
        lambda: here.replay(room.replay),
    ):
        with pytest.raises(UnknownRoom):
            gone()


def test_a_stranger_changes_nothing(servers: Callable[..., Rooms]) -> None:
    rooms = servers()
    room = full(rooms)
    for token in (EVE, None, ""):
        for change in (
            partial(rooms.play, room.code, token, 0, "15"),
            partial(rooms.resign, room.code, token),
            partial(rooms.ask_takeback, room.code, token),
            partial(rooms.answer_takeback, room.code, token, True),
            partial(rooms.rematch, room.code, token),
        ):
            with pytest.raises(NotSeated) as caught:
                change()
            assert caught.value.needs == "seat"
    assert rooms.look(room.code) == room


def test_as_many_rooms_as_are_kept(servers: Callable[..., Rooms]) -> None:
    rooms = servers(most=2)
    for _ in range(2):
        room = rooms.open(terms_of("divisor-duel:60"), ANN, 0)
    with pytest.raises(TooManyRooms) as caught:
        rooms.open(terms_of("divisor-duel:60"), ANN, 0)
    assert caught.value.limit == 2
    rooms.delete(room.code, ANN)
    rooms.open(terms_of("divisor-duel:60"), ANN, 0)


def test_rooms_that_nobody_uses_expire(servers: Callable[..., Rooms]) -> None:
    rooms = servers(days=7)
    room, other = full(rooms), full(rooms)
    assert (room.expires - room.changed).days == 7
    assert rooms.expire() == 0
    run(rooms, f"UPDATE rooms SET changed = '2020-01-01T00:00:00+00:00' WHERE id = {room.kept.id}")
    assert rooms.expire() == 1
    with pytest.raises(UnknownRoom):
        rooms.look(room.code)
    assert rooms.look(other.code) == other


def test_a_code_that_is_taken(
    servers: Callable[..., Rooms], monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = servers()
    room = full(rooms)
    monkeypatch.setattr(changes, "new_code", lambda: room.code)
    with pytest.raises(StoreError):
        rooms.open(terms_of("divisor-duel:60"), EVE, 0)
    assert rooms.look(room.code) == room


def run(rooms: Rooms, *statements: str) -> None:
    with rooms.store.database.writing() as connection:
        for statement in statements:
            connection.execute(text(statement))


TRAP = {
    "sqlite": [
        "CREATE TABLE trap (room INTEGER REFERENCES rooms (id) DEFERRABLE INITIALLY DEFERRED)",
        """CREATE TRIGGER fall AFTER UPDATE ON rooms
           BEGIN INSERT INTO trap VALUES (-1); END""",
    ],
    "postgresql": [
        """CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
           AS $$ BEGIN RAISE 'no' USING ERRCODE = '53100'; END $$""",
        """CREATE CONSTRAINT TRIGGER fall AFTER UPDATE ON rooms
           DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()""",
    ],
}
"""What makes a commit fail, after all was written."""


def test_a_failed_commit_leaves_all_as_it_was(servers: Callable[..., Rooms], place: str) -> None:
    told: Told = []
    rooms = servers(told)
    room = full(rooms)
    told.clear()
    kind = "postgresql" if "://" in place else "sqlite"
    run(rooms, *TRAP[kind])
    for change in (
        lambda: rooms.play(room.code, ANN, 0, "15"),
        lambda: rooms.resign(room.code, BEN),
    ):
        with pytest.raises(StoreError):
            change()
        assert rooms.look(room.code) is room, "what is known is not ahead of the database"
    assert told == []
    run(rooms, "DROP TRIGGER fall" + (" ON rooms" if kind == "postgresql" else ""))
    after = rooms.play(room.code, ANN, 0, "15")
    assert (after.version, after.ply) == (room.version + 1, 1)
    assert rooms.look(room.code) == servers().look(room.code) == after


def test_a_damaged_match_is_told(servers: Callable[..., Rooms]) -> None:
    rooms = servers()
    room = full(rooms)
    rooms.play(room.code, ANN, 0, "15")
    run(rooms, "UPDATE turns SET move = '7'")
    other = servers()
    for use in (lambda: other.look(room.code), lambda: other.play(room.code, BEN, 1, "9")):
        with pytest.raises(StoreError) as caught:
            use()
        assert caught.value.problem == "damaged"


def test_a_computer_answers_only_what_it_thought_about(servers: Callable[..., Rooms]) -> None:
    rooms = servers()
    room = rooms.open(terms_of("divisor-duel:60", players=("person", "perfect")), ANN, 0)
    code = room.code
    thought = rooms.play(code, ANN, 0, "15")
    rooms.ask_takeback(code, ANN)
    now = rooms.play(code, ANN, 0, "30")
    assert now.ply == thought.ply, "the same ply, another position"
    assert rooms.play_for_computer(code, thought.version, "15") == now
    assert rooms.play_for_computer(code, thought.version, None) == now
    answered = rooms.play_for_computer(code, now.version, "10")
    assert (answered.ply, answered.player) == (2, 0)
    assert rooms.play_for_computer(code, answered.version, "10") == answered, "not its turn"


def test_a_computer_without_a_legal_move_forfeits(servers: Callable[..., Rooms]) -> None:
    rooms = servers()
    for answer in (None, "7", "nonsense"):
        room = rooms.open(terms_of("divisor-duel:60", players=("level:1", "person")), ANN, 1)
        after = rooms.play_for_computer(room.code, room.version, answer)
        assert after.over is not None
        assert (after.over.ending, after.over.winner) == (Ending.FORFEITED, 1)


def test_time_is_called(servers: Callable[..., Rooms]) -> None:
    rooms = servers()
    room = full(rooms, seconds=60)
    assert rooms.call_time(room.code) == room
    run(rooms, "UPDATE rooms SET left_1 = 0.01, version = version + 1")
    time.sleep(0.02)
    with pytest.raises(NotAllowed) as caught:
        rooms.play(room.code, ANN, 0, "15")
    assert caught.value.problem == "time is up"
    over = rooms.look(room.code)
    assert over.over is not None
    assert (over.over.ending, over.wins, over.ply) == (Ending.FORFEITED, (0, 1), 0)
    assert rooms.call_time(room.code) == over


def test_time_does_not_run_while_no_server_does(servers: Callable[..., Rooms]) -> None:
    rooms = servers()
    room = full(rooms, seconds=60)
    run(rooms, "UPDATE rooms SET since = since - 3600, version = version + 1")
    time.sleep(0.1)
    began = time.time()
    again = servers()
    for seen in (again.look(room.code), again.look(room.code), again.call_time(room.code)):
        assert seen.clock is not None
        assert seen.over is None
        assert seen.clock.since is not None
        assert seen.clock.since >= began, "also in what is shown"
    after = again.play(room.code, ANN, 0, "15")
    assert after.clock is not None
    assert 59 < after.clock.left[0] <= 60


def test_rooms_in_memory_are_limited_and_the_newest() -> None:
    known = KnownRooms(rooms=2)
    one, two, three = friends(), friends(), friends()
    newer = one.having(version=5)
    known.remember(one)
    known.remember(newer)
    known.remember(one)
    assert known.get(one.code) is newer, "an older version does not come back"
    known.remember(two)
    known.remember(one)
    known.remember(three)
    assert known.get(two.code) is None, "the one that was used least lately"
    assert known.get(one.code) is newer
    known.forget(one.code)
    known.forget(one.code)
    assert known.get(one.code) is None


def test_long_matches_do_not_fill_the_memory() -> None:
    known = KnownRooms(turns=5)
    short, long = played(friends(), "15"), played(friends(), "15", "15", "15")
    other = played(friends(), "15", "15")
    for room in (short, long, short):
        known.remember(room)
    assert known.get(long.code) is long, "four turns"
    known.remember(other)
    assert known.get(long.code) is None, "the one that was used least lately"
    assert known.get(short.code) is short
    known.forget(other.code)
    known.remember(long)
    assert known.get(short.code) is short
    known.remember(played(friends("digit-subtraction-duel:9999"), *["9"] * 6))
    assert known.get(short.code) is None, "one that is too long by itself is not kept"
