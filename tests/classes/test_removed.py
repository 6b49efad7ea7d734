"""Pupils who are removed or renamed: what becomes of their seats, and of what they played."""

import pytest
from sqlalchemy import event

from classes.taught import PLAN, Taught, class_of, teaching
from loops import on_loop
from numduel.classes import SchoolClass
from numduel.classes.actions import (
    Action,
    EndRound,
    GuessTrap,
    NextRound,
    Pause,
    Resume,
    ShowMap,
    StartRound,
)
from numduel.classes.kept_classes import KeptClasses
from numduel.classes.roster import Remove, Rename
from numduel.errors import NotAllowed
from numduel.rooms import Rematch, Room
from numduel.rooms.kept_rooms import Rooms
from patience import PATIENT
from rooms.lobbies import Thinking, do_in


@class_of("Ann", "Rude")
async def test_where_a_pupil_is_removed_a_computer_plays_on(taught: Taught) -> None:
    await taught.teach(StartRound(PLAN))
    await taught.resign("Rude")
    for name in ("Ann", "Rude"):
        room = await taught.room(name)
        await do_in(taught.lobby, room.code, taught.tokens[name], Rematch())
    name = await taught.to_move(await taught.room("Ann"))
    await taught.play(name, "30")
    before = (await taught.look()).version
    seen = await taught.teach(Remove((await taught.number("Rude"),)))
    assert [pupil.name for pupil in seen.pupils] == ["Ann"]
    assert seen.version > before, "every page looks again"
    room = await taught.lobby.settled(await taught.room("Ann"), PATIENT)
    assert room.player == room.seat_of(taught.tokens["Ann"])
    assert room.ply in (1, 2)
    assert "Iris" in room.setup.names
    names = {name for pair in await taught.names_in_records() for name in pair}
    assert names == {"Ann", "Iris", "A pupil"}, "in the match before, too"
    await taught.teach(Remove((1,)))
    assert not await taught.rooms()
    closed = await taught.lobby.look(room.code)
    assert (closed.held, closed.waits_for_computer) == ("round over", False)
    await taught.teach(Pause())
    await taught.teach(Resume())
    assert (await taught.lobby.look(room.code)).held == "round over"


@class_of("Ann", "Ben")
async def test_a_match_that_is_over_stays_that_of_who_is_removed(taught: Taught) -> None:
    """Without the name. The computer that takes the seat begins a match of its own."""
    await taught.teach(StartRound(PLAN._replace(seconds=60)))
    over = await taught.resign("Ann")
    await taught.teach(Pause())
    await taught.teach(Remove((await taught.number("Ben"),)))
    [room] = await taught.rooms()
    assert (room.code, room.round, room.over, room.wins) == (over.code, 2, None, (0, 0))
    assert (room.held, room.clock_runs) == ("paused", False)
    ann = room.seat_of(taught.tokens["Ann"])
    assert ann is not None
    assert (room.record.players[1 - ann], room.setup.names[ann]) == ("level:3", "Ann")
    await taught.teach(Rename(1, "Anna"))
    played = await taught.lobby.replay(over.replay)
    assert (played.players, played.ending) == (("person", "person"), over.record.ending)
    assert {*played.setup.names} == {"Anna", "A pupil"}
    await taught.teach(Resume())
    await taught.lobby.settled(await taught.lobby.look(room.code), PATIENT)
    assert (await taught.resign("Ann")).over


@on_loop
async def test_many_are_removed_one_after_another(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many rounds were played: others wait for the rooms of one pupil at most."""
    changed, real = [], KeptClasses.act

    def act(
        kept: KeptClasses, code: str, token: str | None, version: int, action: Action
    ) -> tuple[SchoolClass, list[Room]]:
        after, rooms = real(kept, code, token, version, action)
        changed.append(len(rooms))
        return after, rooms

    async with teaching(place, "Ann", "Ben", "Cleo") as taught:
        for _ in range(3):
            await taught.teach(StartRound(PLAN))
        monkeypatch.setattr(KeptClasses, "act", act)
        seen = await taught.teach(Remove((1, 2, 3, 9)))
        assert changed == [3 + 1] * 3, "each room once, and again if its round is on"
        assert seen.pupils == ()
        assert {one.pupils for one in seen.all_tables} == {(None, None)}
        for code in {one.room for one in seen.all_tables}:
            room = await taught.lobby.look(code)
            assert room.held == "round over"
            assert not {"Ann", "Ben", "Cleo"} & {*room.setup.names}


@on_loop
async def test_what_a_pupil_leaves_behind_is_deleted_in_one_statement(file: str) -> None:
    async with teaching(file, "Ann", "Ben") as taught:
        await taught.teach(ShowMap("divisor-duel"))
        for number in range(1, 6):
            for name in ("Ann", "Ben"):
                await taught.do(name, GuessTrap(number, trap=True))
        said: list[str] = []

        def listen(rooms: Rooms) -> None:
            engine = rooms.database._engine
            event.listen(engine, "before_cursor_execute", lambda *given: said.append(given[2]))

        await taught.lobby.read(listen)
        seen = await taught.teach(Remove((1,)))
        assert [guess.pupil for guess in seen.all_guesses] == [2] * 5
        assert sum(one.startswith("DELETE FROM guesses") for one in said) == 1


@on_loop
async def test_another_takes_the_place_of_who_was_removed(place: str) -> None:
    thinking = Thinking()
    async with teaching(place, "Ann", "Rude", thinking=thinking) as taught:
        await taught.teach(StartRound(PLAN))
        thinking.allowed.clear()  # it may be the computer's turn now, and there is no hurry
        await taught.teach(Remove((await taught.number("Rude"),)))
        assert (await taught.look("Rude")).me is None
        await taught.join("Ben")
        assert await taught.number("Ben") == 3
        assert {*map(frozenset, await taught.names())} == {frozenset({"Ann", "Ben"})}
        with pytest.raises(NotAllowed):
            await taught.teach(Remove((2,)))
        thinking.allowed.set()
        for action in (EndRound(), Remove((1,)), Remove((3,))):
            await taught.teach(action)
        await taught.join("Dan")
        await taught.teach(NextRound())
        assert await taught.names() == [("Dan", None)]


@on_loop
async def test_who_is_left_alone_begins_in_turn(place: str) -> None:
    thinking = Thinking()
    async with teaching(place, "Ann", "Ben", thinking=thinking) as taught:
        await taught.teach(StartRound(PLAN))
        first = await taught.to_move(await taught.room("Ann"))
        (other,) = {"Ann", "Ben"} - {first}
        thinking.allowed.clear()
        await taught.teach(Remove((await taught.number(first),)))
        assert (await taught.room(other)).waits_for_computer
        await taught.teach(NextRound())
        room = await taught.room(other)
        assert room.seat_of(taught.tokens[other]) == room.player, "the computer began before"
        thinking.allowed.set()


@class_of("Ann", "Bne", "Cleo")
async def test_a_pupil_is_renamed_everywhere(taught: Taught) -> None:
    await taught.teach(StartRound(PLAN))
    await taught.teach(NextRound())
    seen = await taught.teach(Rename(2, "Ben"))
    assert [pupil.name for pupil in seen.pupils] == ["Ann", "Ben", "Cleo"]
    names = await taught.names_in_records()
    assert sum("Ben" in pair for pair in names) == 2
    assert not any("Bne" in pair for pair in names)
    seen = await taught.teach(Rename(2, "ben"))
    assert seen.name_of(2) == "ben", "it is no other's name"
    assert seen.name_of(9) is None
    with pytest.raises(NotAllowed):
        await taught.teach(Rename(9, "Ben"))
