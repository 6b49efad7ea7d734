"""Pupils who are removed or renamed: what becomes of their seats, and of what they played."""

import pytest

from classes.taught import PLAN, Taught, class_of, teaching
from loops import on_loop
from numduel.classes.actions import (
    EndRound,
    NextRound,
    Pause,
    Resume,
    StartRound,
)
from numduel.classes.roster import Remove, Rename
from numduel.errors import NotAllowed
from numduel.rooms import Rematch
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
async def test_who_is_removed_together_is_removed_at_once(place: str) -> None:
    """However many rounds were played: each room is changed once, and closed if the round is on."""
    async with teaching(place, "Ann", "Ben", "Cleo") as taught:
        for _ in range(3):
            await taught.teach(StartRound(PLAN))
        seen = await taught.look()
        before = {one.room: (await taught.lobby.look(one.room)).version for one in seen.all_tables}
        await taught.teach(Remove((1, 2, 3)))
        seen = await taught.look()
        assert {one.pupils for one in seen.all_tables} == {(None, None)}
        last = {one.room for one in seen.all_tables if one.round == 3}
        for code, version in before.items():
            room = await taught.lobby.look(code)
            changed = version + 1 + (code in last)
            assert (room.version, room.held) == (changed, "round over")
            assert not {"Ann", "Ben", "Cleo"} & {*room.setup.names}


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
