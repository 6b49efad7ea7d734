"""Computers in rooms: they answer in their turn, give up in time, and go on after a restart."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from numduel.errors import (
    TookTooLong,
)
from numduel.match import Ending
from numduel.rooms import NO_SEAT, AskTakeback, Play, Rematch, Terms, computers
from numduel.thinking.thinkers import Thinkers
from patience import PATIENT
from rooms.lobbies import DUEL, LEVEL, Thinking, act, do_in, running, until
from rooms.opened import ANN, BEN
from thinking.killed import kill_while_thinking


@pytest.fixture
def place(tmp_path: Path) -> str:
    """Which database it is does not matter to computers."""
    return str(tmp_path / "rooms.sqlite3")


def test_the_computer_answers(place: str) -> None:
    async def main() -> None:
        thinking = Thinking()
        async with running(place, thinking) as lobby:
            room = await lobby.open(LEVEL, ANN)
            assert (room.seat_of(ANN), room.is_open) == (0, False)
            while not room.over:
                move = room.board.write_move(next(room.board.moves()))
                played = await do_in(lobby, room.code, ANN, Play(move))
                room = await lobby.settled(played, PATIENT)
                assert room.over or (room.ply, room.player) == (played.ply + 1, 0)
                assert await lobby.settled(room, PATIENT) is room, "there is nothing to wait for"
            again = await lobby.settled(await do_in(lobby, room.code, ANN, Rematch()), PATIENT)
            began = room.over.winner == 0
            assert (again.round, again.ply, again.player) == (2, int(began), 0), "who lost begins"

    act(main())


def test_the_computer_begins(place: str) -> None:
    async def main() -> None:
        async with running(place) as lobby:
            room = await lobby.open(Terms(DUEL, ("perfect", "person")), ANN)
            assert (room.seat_of(ANN), room.waits_for_computer) == (1, True)
            room = await until(lobby, room.code, 2)
            assert (room.ply, room.player) == (1, 1)
            watched = await lobby.open(Terms(DUEL, ("perfect", "person")), ANN, NO_SEAT)
            await asyncio.sleep(0.05)
            assert (await lobby.look(watched.code)).ply == 0, "nobody sits there yet"
            room = await lobby.settled(await lobby.sit(watched.code, BEN), PATIENT)
            assert room.ply == 1

    act(main())


def test_real_thinkers_answer(tmp_path: Path) -> None:
    async def main() -> None:
        thinkers = Thinkers(count=1)
        await thinkers.start()
        try:
            async with running(str(tmp_path / "rooms.sqlite3"), thinkers) as lobby:
                room = await lobby.open(Terms(DUEL, ("person", "perfect")), ANN)
                room = await lobby.settled(await do_in(lobby, room.code, ANN, Play("15")), PATIENT)
                assert room.ply == 2
        finally:
            await thinkers.close()

    act(main())


def test_a_killed_thinker_does_not_lose_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = kill_while_thinking(monkeypatch, 1)

    async def main() -> None:
        thinkers = Thinkers(count=1, seconds=PATIENT)
        await thinkers.start()
        try:
            async with running(str(tmp_path / "rooms.sqlite3"), thinkers) as lobby:
                room = await lobby.open(Terms(DUEL, ("person", "perfect")), ANN)
                room = await lobby.settled(await do_in(lobby, room.code, ANN, Play("15")), PATIENT)
                assert (room.ply, room.over, len(killed)) == (2, None, 1)
        finally:
            await thinkers.close()

    act(main())


def test_the_computer_goes_on_after_a_restart(place: str) -> None:
    async def before() -> str:
        thinking = Thinking()
        async with running(place, thinking) as lobby:
            room = await lobby.open(LEVEL, ANN)
            thinking.allowed.clear()
            room = await do_in(lobby, room.code, ANN, Play("15"))
            await asyncio.sleep(0.02)
            assert (await lobby.settled(room, 0.05)).ply == 1
            return room.code

    async def after(code: str) -> None:
        async with running(place) as lobby:
            room = await lobby.settled(await lobby.look(code), PATIENT)
            assert (room.ply, room.player) == (2, 0)

    code = asyncio.run(before())
    act(after(code))


def test_a_takeback_while_the_computer_thinks(place: str) -> None:
    """Its answer to the old position is not played on the new one."""

    async def main() -> None:
        thinking = Thinking()
        async with running(place, thinking) as lobby:
            room = await lobby.open(LEVEL, ANN)
            thinking.asked.clear()
            thinking.allowed.clear()
            await do_in(lobby, room.code, ANN, Play("15"))
            while not thinking.moves_asked:
                await asyncio.sleep(0.01)
            await do_in(lobby, room.code, ANN, AskTakeback())
            room = await do_in(lobby, room.code, ANN, Play("30"))
            thinking.allowed.set()
            room = await lobby.settled(room, PATIENT)
            assert (room.ply, str(room.turns[0].board)) == (2, "divisor-duel:30")
            assert thinking.moves_asked == ["divisor-duel:45", "divisor-duel:30"]

    act(main())


def test_looking_does_not_make_the_computer_think_twice(place: str) -> None:
    async def main() -> None:
        thinking = Thinking()
        async with running(place, thinking) as lobby:
            room = await lobby.open(LEVEL, ANN)
            thinking.asked.clear()
            thinking.allowed.clear()
            room = await do_in(lobby, room.code, ANN, Play("15"))
            for _ in range(5):
                await lobby.look(room.code)
            thinking.allowed.set()
            await lobby.settled(room, PATIENT)
            assert thinking.moves_asked == ["divisor-duel:45"]

    act(main())


def test_the_computer_asks_again_while_thinkers_are_busy(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computers, "_PAUSES", (0.01, 0.01))

    async def main() -> None:
        thinking = Thinking()
        async with running(place, thinking) as lobby:
            room = await lobby.open(LEVEL, ANN)
            thinking.busy = 2
            room = await lobby.settled(await do_in(lobby, room.code, ANN, Play("15")), PATIENT)
            assert (room.ply, room.over) == (2, None)
            thinking.busy = 3
            move = room.board.write_move(next(room.board.moves()))
            room = await lobby.settled(await do_in(lobby, room.code, ANN, Play(move)), PATIENT)
            assert room.over is not None
            assert (room.over.ending, room.over.winner) == (Ending.FORFEITED, 0)

    act(main())


def test_the_computer_of_who_has_used_up_the_thinking_waits(place: str) -> None:
    """It is slow then, and does not lose the match."""

    async def main() -> None:
        thinking = Thinking()
        async with running(place, thinking) as lobby:
            room = await lobby.open(LEVEL, ANN)
            thinking.refused = 20
            room = await lobby.settled(await do_in(lobby, room.code, ANN, Play("15")), PATIENT)
            assert (room.ply, room.over) == (2, None)

    act(main())


def test_the_computer_gives_up_without_a_move_in_time(place: str) -> None:
    async def main() -> None:
        thinking = Thinking()
        async with running(place, thinking) as lobby:
            room = await lobby.open(LEVEL, ANN)
            thinking.error = TookTooLong(question="move", seconds=5)
            room = await lobby.settled(await do_in(lobby, room.code, ANN, Play("15")), PATIENT)
            assert room.over is not None
            assert (room.over.ending, room.wins) == (Ending.FORFEITED, (1, 0))

    act(main())


def test_waiting_for_the_computer_has_a_limit(place: str) -> None:
    async def main() -> None:
        thinking = Thinking()
        async with running(place, thinking) as lobby:
            room = await lobby.open(LEVEL, ANN)
            thinking.allowed.clear()
            room = await do_in(lobby, room.code, ANN, Play("15"))
            began = time.monotonic()
            assert (await lobby.settled(room, 0.1)).ply == 1
            assert time.monotonic() - began < PATIENT / 4
            await lobby.delete(room.code, ANN)
            thinking.allowed.set()  # and nobody is disturbed by a computer without a room

    act(main())
