"""Rooms on a database: who may do what, news, limits, failures."""

from functools import partial

import pytest

from numduel.errors import IllegalMove, NotSeated, StoreError, TooBusy, UnknownRoom
from numduel.match import Ending
from numduel.rooms import GONE, AskTakeback, Play, Resign, Room
from numduel.rooms.actions import play_for_computer
from numduel.rooms.kept_rooms import Rooms
from rooms.opened import ANN, BEN, EVE, Servers, Told, act, do, full, refused, run, terms_of


def test_news_are_told_after_each_change(file: str) -> None:
    """Here, where the database does not carry them."""
    told: Told = []
    rooms = Rooms(file, lambda code, version: told.append((code, version)))
    room = full(rooms)
    for _ in range(2):
        act(rooms, room.code, ANN, room.version, Play("15"))
    with pytest.raises(IllegalMove):
        do(rooms, room.code, BEN, Play("7"))
    with pytest.raises(NotSeated):
        rooms.delete(room.code, BEN)
    rooms.delete(room.code, ANN)
    assert told == [(room.code, version) for version in (2, 3, GONE)], "nobody follows a new room"
    rooms.close()


def test_what_is_taken_back_is_not_known(servers: Servers) -> None:
    """Also where somebody has looked at it meanwhile, in the same transaction."""
    rooms = servers()
    room = full(rooms)

    def changed_and_undone(**values: bool) -> None:
        with rooms.database.writing(**values):
            act(rooms, room.code, ANN, room.version, Play("15"))
            assert rooms.look(room.code).ply == 1
            rooms.delete(room.code, BEN)

    with pytest.raises(NotSeated):
        changed_and_undone()
    with rooms.database.writing():
        with pytest.raises(NotSeated):
            changed_and_undone(all_or_nothing=True)
        assert rooms.look(room.code) == room
    resigned = do(rooms, room.code, ANN, Resign())
    assert resigned.version == room.version + 1
    assert rooms.look(room.code) == servers().look(room.code) == resigned


def test_only_the_host_deletes(servers: Servers) -> None:
    here, there = servers(), servers()
    room = full(here)
    there.look(room.code)
    for token in (BEN, EVE, None):
        with refused(kind=NotSeated):
            there.delete(room.code, token)
    there.delete(room.code, ANN)
    with refused(kind=UnknownRoom):
        here.look(room.code)
    with refused(kind=UnknownRoom):
        do(here, room.code, ANN, Play("15"))
    with refused(kind=UnknownRoom):
        here.replay(room.replay)


def test_the_emptiest_rooms_make_room_for_another(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all places are taken, rooms in which least happened go, if nobody uses them now."""
    rooms = servers(most=3)
    played, seated, empty = full(rooms), full(rooms), rooms.open(terms_of("power-play:30"), ANN, 0)
    do(rooms, played.code, ANN, Play("15"))
    with pytest.raises(TooBusy, match="rooms are in use") as caught:
        rooms.open(terms_of("divisor-duel:60"), EVE, 0)
    assert caught.value.limit == 3
    run(rooms, f"UPDATE rooms SET used = used - 7200 WHERE id != {seated.id}")
    run(rooms, f"UPDATE rooms SET used = used - 60 WHERE id = {played.id}")
    monkeypatch.setattr("numduel.rooms.kept_rooms._AT_ONCE", 1)
    for gone in (empty, played):
        assert rooms.look(gone.code)
        rooms.open(terms_of("divisor-duel:60"), EVE, 0)
        with pytest.raises(UnknownRoom):
            rooms.look(gone.code)
    assert rooms.look(seated.code) == seated, "it is in use"


def test_rooms_that_nobody_uses_expire(servers: Servers) -> None:
    """Sooner, where nothing happened in them."""
    rooms = servers(days=7)
    room, other = full(rooms), full(rooms)
    unused = rooms.open(terms_of("divisor-duel:60"), ANN, 0)
    assert [(one.expires - one.changed).days for one in (room, unused)] == [7, 1]
    run(rooms, "UPDATE rooms SET used = used - 23 * 3600")
    assert rooms.expire() == 0
    run(rooms, "UPDATE rooms SET used = used - 2 * 3600")
    assert rooms.expire() == 1
    run(rooms, f"UPDATE rooms SET used = used - 7 * 86400 WHERE id = {room.id}")
    assert rooms.expire() == 1
    for gone in (unused, room):
        with pytest.raises(UnknownRoom):
            rooms.look(gone.code)
    assert rooms.look(other.code).code == other.code


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


def test_a_failed_commit_leaves_all_as_it_was(servers: Servers, place: str) -> None:
    told: Told = []
    rooms = servers(told)
    room = full(rooms)
    told.clear()
    kind = "postgresql" if "://" in place else "sqlite"
    run(rooms, *TRAP[kind])
    for change in (
        lambda: do(rooms, room.code, ANN, Play("15")),
        lambda: do(rooms, room.code, BEN, Resign()),
    ):
        with pytest.raises(StoreError):
            change()
        assert rooms.look(room.code) is room, "what is known is not ahead of the database"
    assert told == []
    run(rooms, "DROP TRIGGER fall" + (" ON rooms" if kind == "postgresql" else ""))
    after = do(rooms, room.code, ANN, Play("15"))
    assert (after.version, after.ply) == (room.version + 1, 1)
    assert rooms.look(room.code) == servers().look(room.code) == after


def test_a_computer_answers_only_what_it_thought_about(servers: Servers) -> None:
    rooms = servers()
    code = rooms.open(terms_of("divisor-duel:60", players=("person", "perfect")), ANN, 0).code
    thought = do(rooms, code, ANN, Play("15"))
    do(rooms, code, ANN, AskTakeback())
    now = do(rooms, code, ANN, Play("30"))
    assert now.ply == thought.ply, "the same ply, another position"
    assert computer_plays(rooms, code, thought.version, "15") == now
    assert computer_plays(rooms, code, thought.version, None) == now
    answered = computer_plays(rooms, code, now.version, "10")
    assert (answered.ply, answered.player) == (2, 0)
    assert computer_plays(rooms, code, answered.version, "10") == answered, "not its turn"


def computer_plays(rooms: Rooms, code: str, version: int, text: str | None) -> Room:
    return rooms.change(code, partial(play_for_computer, version=version, text=text))


def test_a_computer_without_a_legal_move_forfeits(servers: Servers) -> None:
    rooms = servers()
    for answer in (None, "7", "nonsense"):
        room = rooms.open(terms_of("divisor-duel:60", players=("level:1", "person")), ANN, 1)
        after = computer_plays(rooms, room.code, room.version, answer)
        assert after.over is not None
        assert (after.over.ending, after.over.winner) == (Ending.FORFEITED, 1)
