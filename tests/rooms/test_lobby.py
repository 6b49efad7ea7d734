"""The lobby: computers that answer, clocks that fall, news, limits, and a clean end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from numduel import Board
from numduel.errors import (
    InvalidSetup,
    NotAllowed,
    NumduelError,
    SeatsTaken,
    StoreError,
    TookTooLong,
    TooManyDigits,
    TooManyRooms,
    UnknownPlayer,
    UnknownRoom,
)
from numduel.host.thinkers import Thinkers
from numduel.match import Ending
from numduel.rooms import GONE, NO_SEAT, Bounds, Lobby, Room, Terms, computers, lobby
from numduel.rooms.keeping import Rooms
from numduel.store import RoomStore
from numduel.wording import problem
from postgres import Server
from rooms.lobbies import Thinking, running
from rooms.opened import ANN, BEN, EVE, terms_of

DUEL = Board.parse("divisor-duel:60")
LEVEL = Terms(DUEL, ("person", "level:3"))


def act(main: Coroutine[Any, Any, None]) -> None:
    """Run it, within a bounded time."""
    asyncio.run(asyncio.wait_for(main, 30))


def write(place: str, statement: str) -> None:
    """Change what the database holds, behind the lobby's back."""
    store = RoomStore(place)
    with store.database.writing() as connection:
        connection.execute(text(statement))
    store.close()


async def until(lobby: Lobby, code: str, version: int) -> Room:
    """The room once it has at least this version, as its news say."""
    with lobby.live.watch(code) as news:
        room = await lobby.look(code)
        while room.version < version:
            assert await asyncio.wait_for(news.next(), 10) != GONE
            room = await lobby.look(code)
        return room


def test_two_friends_play_and_others_watch(place: str) -> None:
    async def main() -> None:
        async with running(place) as lobby:
            room = await lobby.open(Terms(DUEL), ANN)
            code, seen = room.code, []
            with lobby.live.watch(code) as news:
                await lobby.sit(code, BEN)
                seen.append(await news.next())
                for ply, move in enumerate(["15", "15", "15", "5", "5"]):
                    room = await lobby.play(code, (ANN, BEN)[ply % 2], ply, move)
                    seen.append(await asyncio.wait_for(news.next(), 10))
                assert room.over is not None
                await lobby.rematch(code, BEN)
                room = await lobby.rematch(code, ANN)
                assert (room.round, room.player, room.wins) == (2, 1, (1, 0))
                await lobby.play(code, BEN, 0, "15")
                await lobby.ask_takeback(code, BEN)
                room = await lobby.answer_takeback(code, ANN, True)
                assert room.ply == 0
                room = await lobby.resign(code, ANN)
                assert room.wins == (1, 1)
                assert (await lobby.replay(room.replay)).ending is Ending.RESIGNED
                await lobby.delete(code, ANN)
                last = await asyncio.wait_for(anext(news), 10)
                async for version in news:
                    last = version
                assert last == GONE
            assert seen == sorted(seen)
            assert seen[-1] == 7
            with pytest.raises(UnknownRoom):
                await lobby.look(code)

    act(main())


def test_the_computer_answers(place: str) -> None:
    async def main() -> None:
        thinking = Thinking()
        async with running(place, thinking) as lobby:
            room = await lobby.open(LEVEL, ANN)
            assert (room.seat_of(ANN), room.is_open) == (0, False)
            while not room.over:
                move = room.board.write_move(next(room.board.moves()))
                played = await lobby.play(room.code, ANN, room.ply, move)
                room = await lobby.settled(played, 10)
                assert room.over or (room.ply, room.player) == (played.ply + 1, 0)
                assert await lobby.settled(room, 10) is room, "there is nothing to wait for"
            again = await lobby.settled(await lobby.rematch(room.code, ANN), 10)
            assert (again.round, again.ply, again.player) == (2, 1, 0), "now the computer began"

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
            room = await lobby.settled(await lobby.sit(watched.code, BEN), 10)
            assert room.ply == 1

    act(main())


def test_real_thinkers_answer(tmp_path: Path) -> None:
    async def main() -> None:
        thinkers = Thinkers(count=1)
        await thinkers.start()
        try:
            async with running(str(tmp_path / "rooms.sqlite3"), thinkers) as lobby:
                room = await lobby.open(Terms(DUEL, ("person", "perfect")), ANN)
                room = await lobby.settled(await lobby.play(room.code, ANN, 0, "15"), 10)
                assert room.ply == 2
        finally:
            await thinkers.close()

    act(main())


def test_the_computer_goes_on_after_a_restart(place: str) -> None:
    async def before() -> str:
        thinking = Thinking()
        async with running(place, thinking) as lobby:
            room = await lobby.open(LEVEL, ANN)
            thinking.allowed.clear()
            room = await lobby.play(room.code, ANN, 0, "15")
            await asyncio.sleep(0.02)
            assert (await lobby.settled(room, 0.05)).ply == 1
            return room.code

    async def after(code: str) -> None:
        async with running(place) as lobby:
            room = await lobby.settled(await lobby.look(code), 10)
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
            await lobby.play(room.code, ANN, 0, "15")
            while not thinking.moves_asked:
                await asyncio.sleep(0.01)
            await lobby.ask_takeback(room.code, ANN)
            room = await lobby.play(room.code, ANN, 0, "30")
            thinking.allowed.set()
            room = await lobby.settled(room, 10)
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
            room = await lobby.play(room.code, ANN, 0, "15")
            for _ in range(5):
                await lobby.look(room.code)
            thinking.allowed.set()
            await lobby.settled(room, 10)
            assert thinking.moves_asked == ["divisor-duel:45"]

    act(main())


def test_the_computer_asks_again_while_thinkers_are_busy(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computers, "_WAITS", (0.01, 0.01))

    async def main() -> None:
        thinking = Thinking()
        async with running(place, thinking) as lobby:
            room = await lobby.open(LEVEL, ANN)
            thinking.busy = 2
            room = await lobby.settled(await lobby.play(room.code, ANN, 0, "15"), 10)
            assert (room.ply, room.over) == (2, None)
            thinking.busy = 3
            move = room.board.write_move(next(room.board.moves()))
            room = await lobby.settled(await lobby.play(room.code, ANN, 2, move), 10)
            assert room.over is not None
            assert (room.over.ending, room.over.winner) == (Ending.FORFEITED, 0)

    act(main())


def test_the_computer_gives_up_without_a_move_in_time(place: str) -> None:
    async def main() -> None:
        thinking = Thinking()
        async with running(place, thinking) as lobby:
            room = await lobby.open(LEVEL, ANN)
            thinking.error = TookTooLong(question="move", seconds=5)
            room = await lobby.settled(await lobby.play(room.code, ANN, 0, "15"), 10)
            assert room.over is not None
            assert (room.over.ending, room.wins) == (Ending.FORFEITED, (1, 0))

    act(main())


def test_waiting_for_the_computer_has_a_limit(place: str) -> None:
    async def main() -> None:
        thinking = Thinking()
        async with running(place, thinking) as lobby:
            room = await lobby.open(LEVEL, ANN)
            thinking.allowed.clear()
            room = await lobby.play(room.code, ANN, 0, "15")
            began = time.monotonic()
            assert (await lobby.settled(room, 0.1)).ply == 1
            assert time.monotonic() - began < 5
            await lobby.delete(room.code, ANN)
            thinking.allowed.set()  # and nobody is disturbed by a computer without a room

    act(main())


def test_a_flag_falls_by_itself(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.rooms.admission.CLOCK", (1, 60))

    async def main() -> None:
        async with running(place) as lobby:
            room = await lobby.open(Terms(DUEL, seconds=1), ANN)
            await lobby.sit(room.code, BEN)
            began = time.monotonic()
            room = await lobby.play(room.code, ANN, 0, "15")
            over = await until(lobby, room.code, room.version + 1)
            assert 0.9 < time.monotonic() - began < 5
            assert over.over is not None
            assert (over.over.ending, over.over.winner) == (Ending.FORFEITED, 0)
            await lobby.rematch(room.code, ANN)
            again = await lobby.rematch(room.code, BEN)
            over = await until(lobby, room.code, again.version + 1)
            assert over.wins == (2, 0), "Ben began, and did not move"

    act(main())


def test_a_move_starts_the_other_clock(place: str) -> None:
    """Whoever watches the clock does not sleep through the first player's long time."""

    async def main() -> None:
        async with running(place) as lobby:
            room = await lobby.open(Terms(DUEL, seconds=60), ANN)
            await lobby.sit(room.code, BEN)
            await asyncio.to_thread(
                write, place, "UPDATE rooms SET left_2 = 0.1, version = version + 1"
            )
            room = await lobby.play(room.code, ANN, 0, "15")
            over = await until(lobby, room.code, room.version + 1)
            assert over.wins == (1, 0)

    act(main())


def test_clocks_are_watched_without_asking_all_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = str(tmp_path / "rooms.sqlite3")
    calls = []
    monkeypatch.setattr(Rooms, "call_time", lambda self, code: calls.append(code))

    async def before() -> str:
        async with running(place) as lobby:
            room = await lobby.open(Terms(DUEL, seconds=60), ANN)
            await lobby.sit(room.code, BEN)
            return room.code

    async def after(code: str) -> None:
        async with running(place) as lobby:
            room = await lobby.look(code)
            assert room.clock_runs
            await asyncio.sleep(0.2)
            await lobby.delete(code, ANN)

    code = asyncio.run(before())
    write(place, "UPDATE rooms SET since = since - 3600, version = version + 1")
    act(after(code))
    assert calls == []


REFUSED: list[tuple[Terms, type[NumduelError], str]] = [
    (terms_of("divisor-duel:" + "9" * 101), TooManyDigits, ""),
    (terms_of("+".join(["divisor-duel:60"] * 13)), NotAllowed, "numbers"),
    (terms_of("divisor-duel:60", players=("person", "engine:rm -rf /")), UnknownPlayer, ""),
    (terms_of("divisor-duel:60", players=("llm:x@http://localhost", "person")), UnknownPlayer, ""),
    (terms_of("divisor-duel:60", players=("person", "Perfect")), UnknownPlayer, ""),
    (terms_of("divisor-duel:60", players=("perfect", "level:1")), NotAllowed, "no person"),
    (terms_of("divisor-duel:7"), NotAllowed, "over"),
    (terms_of("subtract-a-prime:1+power-play:1"), NotAllowed, "over"),
    (terms_of("divisor-duel:60", seconds=9), NotAllowed, "minutes"),
    (terms_of("divisor-duel:60", seconds=86_401), NotAllowed, "minutes"),
    (terms_of("divisor-duel:60", seconds=-1), NotAllowed, "minutes"),
    (terms_of("divisor-duel:60", penalty=2), InvalidSetup, "no penalty"),
    (terms_of("divisor-duel:60", overshoot="loses"), InvalidSetup, "no overshoot"),
]


def test_terms_that_do_not_fit(tmp_path: Path) -> None:
    async def main() -> None:
        thinking = Thinking()
        async with running(str(tmp_path / "rooms.sqlite3"), thinking) as lobby:
            for terms, kind, what in REFUSED:
                with pytest.raises(kind) as caught:
                    await lobby.open(terms, ANN)
                assert not what or caught.value.problem == what, terms
                assert problem(caught.value)
            assert not any("rm -rf" in str(asked) for asked in thinking.asked)
            for seat in (1, 2, -2):
                with pytest.raises(NotAllowed):
                    await lobby.open(LEVEL, ANN, seat)
            for fits in (
                terms_of("divisor-duel:" + "8" * 100),
                terms_of("+".join(["divisor-duel:60"] * 12)),
                terms_of("divisor-duel:60", seconds=10),
            ):
                await lobby.open(fits, ANN)

    act(main())


@pytest.mark.parametrize("game", ["divisor-duel", "power-play"])
def test_moves_that_nobody_knows(tmp_path: Path, game: str) -> None:
    """Two primes of 40 digits: there are moves, but nobody can name them."""
    hard = (10**40 + 121) * (10**39 + 3)

    async def main() -> None:
        thinkers = Thinkers()
        await thinkers.start()
        try:
            async with running(str(tmp_path / "rooms.sqlite3"), thinkers) as lobby:
                with pytest.raises(NotAllowed) as caught:
                    await lobby.open(terms_of(f"{game}:{hard}"), ANN)
                assert caught.value.problem == "unknown moves"
        finally:
            await thinkers.close()

    act(main())


def test_a_computer_must_find_a_first_move(tmp_path: Path) -> None:
    async def main() -> None:
        thinking = Thinking()
        thinking.error = TookTooLong(question="move", seconds=5)
        async with running(str(tmp_path / "rooms.sqlite3"), thinking) as lobby:
            with pytest.raises(TookTooLong):
                await lobby.open(LEVEL, ANN)
            await lobby.open(Terms(DUEL), ANN)

    act(main())


def test_as_many_rooms_as_are_kept(tmp_path: Path) -> None:
    async def main() -> None:
        bounds = Bounds(digits=3, numbers=2, rooms=1)
        async with running(str(tmp_path / "rooms.sqlite3"), bounds=bounds) as lobby:
            room = await lobby.open(Terms(DUEL), ANN)
            with pytest.raises(TooManyRooms):
                await lobby.open(Terms(DUEL), ANN)
            await lobby.delete(room.code, ANN)
            await lobby.open(Terms(DUEL), ANN)
            with pytest.raises(TooManyDigits):
                await lobby.open(terms_of("divisor-duel:1000"), ANN)

    act(main())


def test_a_very_long_move_takes_nobodys_time(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(str(tmp_path / "rooms.sqlite3")) as lobby:
            terms = terms_of("prime-subtractor:23", overshoot="loses")
            room = await lobby.open(terms, ANN)
            await lobby.sit(room.code, BEN)
            began = time.monotonic()
            for text in (str(2**11213 - 1), "7" * 103, "٣" * 200):
                with pytest.raises(TooManyDigits):
                    await lobby.play(room.code, ANN, 0, text)
            assert time.monotonic() - began < 0.5
            over = await lobby.play(room.code, ANN, 0, str(10**99 + 289))
            assert over.over is not None, "a prime of 100 digits is a move like others"
            assert over.over.ending is Ending.OVERSHOT

    act(main())


def test_codes_that_nobody_has(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(str(tmp_path / "rooms.sqlite3")) as lobby:
            for code in ("a" * 10, "", "x", "\0" * 10, "' OR 1=1 --", "A" * 10, "9" * 10_000):
                for use in (
                    lobby.look(code),
                    lobby.replay(code),
                    lobby.sit(code, ANN),
                    lobby.play(code, ANN, 0, "15"),
                    lobby.resign(code, ANN),
                    lobby.ask_takeback(code, ANN),
                    lobby.answer_takeback(code, ANN, True),
                    lobby.rematch(code, ANN),
                    lobby.delete(code, ANN),
                ):
                    with pytest.raises(UnknownRoom):
                        await use

    act(main())


def test_rooms_expire_by_themselves(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "_EXPIRE_EVERY", 0.02)

    async def main() -> None:
        async with running(place, bounds=Bounds(days=7)) as lobby:
            room = await lobby.open(Terms(DUEL), ANN)
            with lobby.live.watch(room.code) as news:
                await asyncio.to_thread(
                    write, place, "UPDATE rooms SET changed = '2020-01-01T00:00:00+00:00'"
                )
                assert await asyncio.wait_for(news.next(), 10) == GONE
            with pytest.raises(UnknownRoom):
                await lobby.look(room.code)

    act(main())


def test_expiry_goes_on_after_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "_EXPIRE_EVERY", 0.01)
    tried = []

    def expire(_: Rooms) -> int:
        tried.append(1)
        raise StoreError(problem="busy")

    monkeypatch.setattr(Rooms, "expire", expire)

    async def main() -> None:
        async with running(str(tmp_path / "rooms.sqlite3")):
            while len(tried) < 10:
                await asyncio.sleep(0.01)

    act(main())


def test_two_lobbies_share_a_database(server: Server) -> None:
    place = server.new_history()

    async def main() -> None:
        async with running(place) as here:
            there = Lobby(place, here.thinkers)
            await there.start()
            room = await here.open(Terms(DUEL), ANN)
            code = room.code
            with there.live.watch(code) as news:
                await here.sit(code, BEN)
                assert await asyncio.wait_for(news.next(), 10) == 2
                await there.play(code, ANN, 0, "15")
                assert await asyncio.wait_for(news.next(), 10) == 3
                with pytest.raises(SeatsTaken):
                    await there.sit(code, EVE)
                for version in range(4, 8):
                    room = await here.look(code)
                    move = room.board.write_move(next(room.board.moves()))
                    await here.play(code, (ANN, BEN)[room.player], room.ply, move)
                    assert await asyncio.wait_for(news.next(), 10) == version
                await here.delete(code, ANN)
                assert await asyncio.wait_for(news.next(), 10) == GONE
            await there.close()

    act(main())


def test_what_was_missed_is_told_once_the_database_is_back(server: Server) -> None:
    server.run("DROP DATABASE IF EXISTS lobbies WITH (FORCE)")
    server.run("CREATE DATABASE lobbies")
    place = server.address("lobbies")

    async def main() -> None:
        async with running(place) as lobby:
            room = await lobby.open(Terms(DUEL), ANN)
            gone = await lobby.open(Terms(DUEL), ANN)
            with lobby.live.watch(room.code) as news, lobby.live.watch(gone.code) as other:
                server.run("ALTER DATABASE lobbies ALLOW_CONNECTIONS false")
                server.run(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = 'lobbies'"
                )
                with pytest.raises(StoreError):
                    await lobby.look(room.code)
                server.run("ALTER DATABASE lobbies ALLOW_CONNECTIONS true")
                await lobby.sit(room.code, BEN)
                await lobby.delete(gone.code, ANN)
                assert await asyncio.wait_for(news.next(), 10) == 2
                assert await asyncio.wait_for(other.next(), 10) == GONE

    act(main())


def test_a_lobby_that_cannot_start_is_closed(tmp_path: Path) -> None:
    async def main() -> None:
        (tmp_path / "rooms.sqlite3").write_text("a shopping list\n" * 100)
        with pytest.raises(StoreError):
            async with running(str(tmp_path / "rooms.sqlite3")):
                pass
        lobby = Lobby(str(tmp_path / "other.sqlite3"), Thinkers())
        with pytest.raises(RuntimeError):
            await lobby.look("a" * 10)
        with pytest.raises(RuntimeError):
            await lobby.sit("a" * 10, ANN)
        await lobby.close()

    act(main())


def test_it_closes_soon_while_a_computer_thinks(place: str) -> None:
    async def main() -> None:
        thinking = Thinking()
        async with running(place, thinking) as lobby:
            room = await lobby.open(LEVEL, ANN)
            thinking.allowed.clear()
            await lobby.play(room.code, ANN, 0, "15")
            began = time.monotonic()
        assert time.monotonic() - began < 2

    act(main())
