"""Nothing of a class is left once it is over, and nobody in it sees another's mistakes."""

from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from classes.taught import BOARD, PLAN, Taught, class_of, teaching
from loops import on_loop
from numduel.classes.actions import (
    AnswerPuzzle,
    Ask,
    CastVote,
    EndRound,
    GuessTrap,
    Resume,
    SetPuzzles,
    ShowMap,
    StartRound,
)
from numduel.classes.kept_classes import KeptClasses
from numduel.classes.learned import Seen
from numduel.classes.roster import Join, Remove
from numduel.errors import NotAllowed, NotSeated, TooBusy, UnknownClass, UnknownRoom
from numduel.rooms import Play, Terms, new_token
from numduel.rooms.kept_rooms import Rooms
from numduel.store.database import Database
from patience import PATIENT
from rooms.opened import Servers, act, run

NAMES = ("Zebulon", "Xanthippe", "Quirin")


async def fill(taught: Taught) -> None:
    """A lesson that leaves a row in every table."""
    await taught.join(*NAMES)
    await taught.join("Rude")
    await taught.teach(Remove((4,)))
    await taught.invite()
    await taught.teach(StartRound(PLAN))
    await taught.classes.act(taught.code, new_token(), 0, Join("Waits"))
    for name in NAMES:
        room = await taught.lobby.settled(await taught.room(name), PATIENT)
        if not room.ply and room.player == room.seat_of(taught.tokens[name]):
            await taught.play(name, "30")
    await taught.resign("Zebulon")
    await taught.teach(EndRound())
    await taught.teach(Ask(BOARD))
    await taught.do("Xanthippe", CastVote(1, "30"))
    await taught.teach(SetPuzzles(((BOARD, "move", ("15",)),) * 5))
    await taught.do("Quirin", AnswerPuzzle(1, 1, "30"))
    await taught.teach(ShowMap("divisor-duel"))
    await taught.do("Quirin", GuessTrap(7, True))
    while (await taught.classes.learned(taught.code, taught.teacher))[0][1].figures.waiting:
        pass


def left(place: str) -> dict[str, int]:
    """How many rows are in which table, of what belongs to people."""
    database = Database(place)
    with database.reading() as connection:
        names = set(inspect(connection).get_table_names()) - {"schema_version", "answers"}
        names -= {"sqlite_sequence"}
        rows = {
            name: connection.scalar(text(f"SELECT COUNT(*) FROM {name}")) or 0 for name in names
        }
    database.close()
    return rows


def found_in_files(place: str, name: str) -> list[str]:
    """The files of the SQLite database in which the name stands; PostgreSQL has none here."""
    there = [] if "://" in place else Path(place).parent.glob(f"{Path(place).name}*")
    return [file.name for file in there if name.encode() in file.read_bytes()]


@on_loop
async def test_the_end_deletes_everything(place: str) -> None:
    async with teaching(place) as taught:
        await fill(taught)
        rows = left(place)
        assert len(rows) == 20
        assert all(rows.values()), rows
        if "://" not in place:
            assert found_in_files(place, "Zebulon")
        replays = [room.replay for room in await taught.rooms()]
        await taught.classes.end(taught.code, taught.teacher)
        assert not any(left(place).values()), left(place)
        for name in NAMES:
            assert not found_in_files(place, name), "not even in what was deleted"
        for replay in replays:
            with pytest.raises(UnknownRoom):
                await taught.lobby.replay(replay)


def test_two_hours_after_the_last_action_it_is_deleted(servers: Servers, place: str) -> None:
    rooms = servers()
    classes, teacher, ann = KeptClasses(rooms), new_token(), new_token()
    codes = [classes.open(teacher).code for _ in range(2)]
    code = codes[0]
    classes.act(code, ann, 0, Join("Zebulon"))
    classes.act(code, teacher, 1, StartRound(PLAN))
    own = rooms.open(Terms(BOARD), ann, 0)
    assert rooms.expire() == 0
    _pass(rooms, 7190, "classes", "rooms")
    assert rooms.expire() == 0
    (room,) = classes.wall(code, teacher).rooms.values()
    act(rooms, room.code, ann, room.version, Play("30"))
    _pass(rooms, 20, "classes")
    assert rooms.expire() == 2, "the other class and its wall: in this one a move was played"
    assert classes.look(code, teacher).code == code
    _pass(rooms, 7220, "classes", "rooms")
    assert rooms.expire() == 3
    for gone in codes:
        with pytest.raises(UnknownClass):
            classes.look(gone, teacher)
    assert rooms.look(own.code).version == 1, "rooms of their own stay for longer"
    assert rooms.expire() == 0
    assert not found_in_files(place, "Zebulon")
    assert left(place)["pupils"] == 0


def test_large_classes_are_deleted_in_pieces(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One class at a time, a few rooms at a time, so that nobody waits long for it."""
    monkeypatch.setattr("numduel.classes.kept_classes._ROOMS_AT_ONCE", 2)
    rooms = servers()
    classes, teacher = KeptClasses(rooms), new_token()
    codes = [classes.open(teacher).code for _ in range(3)]
    for code in codes:
        for name in NAMES:
            classes.act(code, new_token(), 0, Join(name))
        classes.act(code, teacher, 1, StartRound(PLAN._replace(opponent="level:1")))
    ended, *unused = codes
    assert not classes.end(ended, teacher)
    assert len(classes.look(ended, teacher).tables) == 1, "what is left of it fits together"
    assert classes.end(ended, teacher)
    with pytest.raises(UnknownClass):
        classes.end(ended, teacher)
    _pass(rooms, 7220, "classes", "rooms")
    assert [rooms.expire() for _ in range(5)] == [2, 1 + 2, 2, 1 + 2, 0], "rooms; class and wall"
    for code in unused:
        with pytest.raises(UnknownClass):
            classes.look(code, teacher)
    assert rooms.count() == 0


def test_rooms_of_a_class_stay_as_long_as_it_does(servers: Servers) -> None:
    rooms = servers(most=1)
    classes, teacher = KeptClasses(rooms), new_token()
    code = classes.open(teacher).code
    classes.act(code, new_token(), 0, Join("Ann"))
    classes.act(code, teacher, 1, StartRound(PLAN))
    _pass(rooms, 3 * 24 * 3600, "rooms")
    assert rooms.expire() == 0
    with pytest.raises(TooBusy):
        rooms.open(Terms(BOARD), new_token(), 0)
    (room,) = classes.wall(code, teacher).rooms.values()
    with pytest.raises(NotSeated):
        rooms.delete(room.code, teacher)


def _pass(rooms: Rooms, seconds: int, *tables: str) -> None:
    """Let so much time pass since these were used."""
    run(rooms, *(f"UPDATE {table} SET used = used - {seconds}" for table in tables))


@class_of()
async def test_pupils_see_nothing_of_each_other(taught: Taught) -> None:
    await fill(taught)
    for name in NAMES:
        seen, token = await taught.look(name), taught.tokens[name]
        others = set(NAMES) - {name}
        assert not [other for other in others if other in repr(seen)]
        assert {pupil.number for pupil in seen.pupils} == {await taught.number(name)}
        assert all(seen.me and seen.me.number in table.pupils for table in seen.tables)
        assert (seen.teachers, seen.door, seen.removed) == ((), (), frozenset())
        assert (seen.invite, seen.key) == (None, None)
        numbers = {vote.pupil for vote in seen.all_votes}
        numbers |= {guess.pupil for guess in seen.guesses}
        assert seen.me is not None
        assert numbers <= {0, seen.me.number}
        with pytest.raises(NotSeated):
            await taught.classes.wall(taught.code, token)
        told = await taught.classes.seen(taught.code, token, "divisor-duel")
        assert {*map(type, told.values())} == {Seen}, "counts, and nobody's"
    assert (await taught.look("Quirin")).guesses[0].pupil == await taught.number("Quirin")
    stranger = await taught.classes.look(taught.code, new_token())
    assert (stranger.pupils, stranger.tables, stranger.guesses) == ((), (), ())
    assert not stranger.votes
    with pytest.raises(NotAllowed):
        await taught.classes.seen(taught.code, taught.tokens["Quirin"], "power-play")
    await taught.teach(Resume())
    with pytest.raises(NotAllowed):
        await taught.classes.seen(taught.code, taught.tokens["Quirin"], "divisor-duel")
