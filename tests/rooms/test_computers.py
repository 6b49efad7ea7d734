"""Computers answer in their turn, and tasks beside requests: one a key, none left behind."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from loops import on_loop
from numduel.errors import NumduelError, StoreError, TooBusy, TookTooLong, UnknownRoom
from numduel.match import Ending
from numduel.rooms import NO_SEAT, AskTakeback, Lobby, Play, Rematch, Room, Terms, tasks
from numduel.rooms.tasks import Tasks
from patience import PATIENT
from rooms.lobbies import DUEL, LEVEL, Thinking, do_in, running, until
from rooms.opened import ANN, BEN


@asynccontextmanager
async def opened(file: str) -> AsyncIterator[tuple[Lobby, Room, Thinking]]:
    """Ann has opened a room with a computer; it has not moved, and was asked for nothing yet."""
    thinking = Thinking()
    async with running(file, thinking) as lobby:
        room = await lobby.open(LEVEL, ANN)
        thinking.asked.clear()
        yield lobby, room, thinking


async def answered(lobby: Lobby, room: Room, move: str = "15") -> Room:
    return await lobby.settled(await do_in(lobby, room.code, ANN, Play(move)), PATIENT)


@on_loop
async def test_the_computer_answers(file: str) -> None:
    async with opened(file) as (lobby, room, _):
        assert (room.seat_of(ANN), room.is_open) == (0, False)
        while not room.over:
            ply, move = room.ply, room.board.write_move(next(room.board.moves()))
            room = await answered(lobby, room, move)
            assert room.over or (room.ply, room.player) == (ply + 2, 0)
            assert await lobby.settled(room, PATIENT) is room, "there is nothing to wait for"
        again = await lobby.settled(await do_in(lobby, room.code, ANN, Rematch()), PATIENT)
        began = room.over.winner == 0
        assert (again.round, again.ply, again.player) == (2, int(began), 0), "who lost begins"


@on_loop
async def test_the_computer_begins(file: str) -> None:
    async with running(file) as lobby:
        room = await lobby.open(Terms(DUEL, ("perfect", "person")), ANN)
        assert (room.seat_of(ANN), room.waits_for_computer) == (1, True)
        room = await until(lobby, room.code, 2)
        assert (room.ply, room.player) == (1, 1)
        watched = await lobby.open(Terms(DUEL, ("perfect", "person")), ANN, NO_SEAT)
        await asyncio.sleep(0.05)
        assert (await lobby.look(watched.code)).ply == 0, "nobody sits there yet"
        room = await lobby.settled(await lobby.sit(watched.code, BEN), PATIENT)
        assert room.ply == 1


@on_loop
async def test_the_computer_goes_on_after_a_restart(file: str) -> None:
    async with opened(file) as (lobby, room, thinking):
        gone = await lobby.open(LEVEL, ANN)
        thinking.allowed.clear()
        room = await do_in(lobby, room.code, ANN, Play("15"))
        began = time.monotonic()
        assert (await lobby.settled(room, 0.1)).ply == 1, "waiting for it has a limit"
        assert time.monotonic() - began < PATIENT / 4
        await do_in(lobby, gone.code, ANN, Play("15"))
        await lobby.delete(gone.code, ANN)  # nobody is disturbed by a computer without a room
        began = time.monotonic()
    assert time.monotonic() - began < PATIENT / 4, "it closes soon while a computer thinks"
    for use in (lobby.look(room.code), lobby.act(room.code, ANN, 1, Play("15"))):
        with pytest.raises(TooBusy):  # who comes after the end
            await use
    async with running(file) as lobby:
        room = await lobby.settled(await lobby.look(room.code), PATIENT)
        assert (room.ply, room.player) == (2, 0)


@on_loop
async def test_a_takeback_while_the_computer_thinks(file: str) -> None:
    """Its answer to the old position is not played on the new one; who looks on asks nothing."""
    async with opened(file) as (lobby, room, thinking):
        thinking.allowed.clear()
        await do_in(lobby, room.code, ANN, Play("15"))
        while not thinking.moves_asked:
            await asyncio.sleep(0.01)
        await do_in(lobby, room.code, ANN, AskTakeback())
        room = await do_in(lobby, room.code, ANN, Play("30"))
        for _ in range(5):
            await lobby.look(room.code)
        thinking.allowed.set()
        room = await lobby.settled(room, PATIENT)
        assert (room.ply, str(room.turns[0].board)) == (2, "divisor-duel:30")
        assert thinking.moves_asked == ["divisor-duel:45", "divisor-duel:30"]


@on_loop
async def test_the_computer_asks_again_while_thinkers_are_busy(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And where who plays has used up the thinking; without a move in time, it gives up."""
    monkeypatch.setattr("numduel.rooms.lobby._PAUSES", (0.01, 0.01))
    async with opened(file) as (lobby, room, thinking):
        thinking.busy = 2
        room = await answered(lobby, room)
        assert (room.ply, room.over) == (2, None)
        room = await do_in(lobby, room.code, ANN, AskTakeback())
        thinking.refused = 20
        room = await answered(lobby, room)
        assert (room.ply, room.over) == (2, None), "it is slow then, and does not lose"
        thinking.busy = 3
        move = room.board.write_move(next(room.board.moves()))
        room = await answered(lobby, room, move)
        assert room.over is not None
        assert (room.over.ending, room.over.winner) == (Ending.FORFEITED, 0)
        slow = await lobby.open(LEVEL, ANN)
        thinking.error = TookTooLong(question="move", seconds=5)
        slow = await answered(lobby, slow)
        assert slow.over is not None
        assert (slow.over.ending, slow.wins) == (Ending.FORFEITED, (1, 0))


@on_loop
async def test_one_task_a_key_and_once_more_for_who_asks_meanwhile() -> None:
    running, gate, begun = Tasks(), asyncio.Event(), []

    async def work() -> None:
        begun.append(len(begun))
        await gate.wait()

    for _ in range(5):
        running.run("a", work)
        await asyncio.sleep(0)
    assert begun == [0]
    running.run("b", work)
    await asyncio.sleep(0)
    assert begun == [0, 1]
    gate.set()
    await running.wait("a", PATIENT)
    assert begun == [0, 1, 2], "once more, however many asked"
    await running.wait("a", PATIENT)
    running.run("a", work)
    await running.wait("a", PATIENT)
    assert begun == [0, 1, 2, 3]
    await running.close()


@on_loop
async def test_closing_ends_all_and_begins_no_more() -> None:
    running, seen = Tasks(), []

    async def work() -> None:
        seen.append("began")
        try:
            await asyncio.Event().wait()
        finally:
            seen.append("ended")

    running.run("a", work)
    await asyncio.sleep(0)
    running.run("b", work)  # ended before it began
    await running.close()
    running.run("c", work)
    await asyncio.sleep(0)
    assert seen == ["began", "ended"]
    assert asyncio.all_tasks() == {asyncio.current_task()}


@on_loop
async def test_a_database_that_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_PAUSES", (0.01, 0.01))

    async def tries(works_after: int, error: NumduelError) -> int:
        running, tried = Tasks(), []

        async def work() -> None:
            tried.append(1)
            if len(tried) < works_after:
                raise error

        running.run("a", work)
        await running.wait("a", PATIENT)
        await running.close()
        return len(tried)

    assert await tries(2, StoreError(problem="busy")) == 2
    assert await tries(99, StoreError(problem="busy")) == 3, "not for ever"
    assert await tries(99, UnknownRoom(code="a")) == 1, "a room that is gone ends the work"
