"""The lobby: what may be opened, friends, watchers, expiry, several servers, and a clean end."""

import asyncio
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import cast

import psycopg
import pytest

from loops import on_loop
from numduel import errors
from numduel.match import Ending
from numduel.rooms import GONE, Bounds, Lobby, Play, Rematch, Terms
from numduel.rooms.kept_rooms import Rooms
from numduel.thinking.thinkers import Thinkers
from numduel.wording import problem
from patience import PATIENT
from postgres import ME, Server
from rooms.lobbies import DUEL, LEVEL, Thinking, do_in, heard, running, write
from rooms.opened import ANN, BEN, refused, terms_of

REFUSED: list[tuple[Terms, type[errors.NumduelError], str]] = [
    (terms_of("divisor-duel:" + "9" * 101), errors.TooManyDigits, ""),
    (terms_of("+".join(["divisor-duel:60"] * 13)), errors.NotAllowed, "numbers"),
    *(
        (
            terms_of("divisor-duel:60", players=("person", word)),
            errors.InvalidSetup,
            "unknown player",
        )
        for word in ("engine:rm -rf /", "llm:x@http://localhost", "Perfect")
    ),
    (terms_of("divisor-duel:60", players=("perfect", "level:1")), errors.NotAllowed, "no person"),
    (terms_of("divisor-duel:7"), errors.NotAllowed, "over"),
    (terms_of("subtract-a-prime:1+power-play:1"), errors.NotAllowed, "over"),
    *(
        (terms_of("power-play:60", seconds=n), errors.NotAllowed, "minutes")
        for n in (9, 86_401, -1)
    ),
    (terms_of("divisor-duel:60", penalty=2), errors.InvalidSetup, "no penalty"),
    (terms_of("divisor-duel:60", overshoot="loses"), errors.InvalidSetup, "no overshoot"),
]


@on_loop
async def test_terms_that_do_not_fit(file: str) -> None:
    thinking = Thinking()
    async with running(file, thinking) as lobby:
        for terms, kind, what in REFUSED:
            with pytest.raises(kind) as caught:
                await lobby.open(terms, ANN)
            assert not what or caught.value.problem == what, terms
            assert problem(caught.value)
        assert not any("rm -rf" in str(asked) for asked in thinking.asked)
        for seat in (1, 2, -2):
            with pytest.raises(errors.NotAllowed):
                await lobby.open(LEVEL, ANN, seat)
        for fits in (
            terms_of("divisor-duel:" + "8" * 100),
            terms_of("+".join(["divisor-duel:60"] * 12)),
            terms_of("divisor-duel:60", seconds=10),
        ):
            await lobby.open(fits, ANN)


@on_loop
async def test_moves_that_nobody_knows(file: str) -> None:
    """Two primes of 40 digits: there are moves, but nobody can name them."""
    hard = (10**40 + 121) * (10**39 + 3)
    async with running(file, Thinkers(seconds=PATIENT)) as lobby:
        for game in ("divisor-duel", "power-play"):
            with refused("unknown moves"):
                await lobby.open(terms_of(f"{game}:{hard}"), ANN)


@on_loop
async def test_as_many_rooms_as_are_kept(file: str) -> None:
    thinking = Thinking()
    thinking.error = errors.TookTooLong(question="move", seconds=5)
    async with running(file, thinking, Bounds(digits=3, numbers=2, rooms=1)) as lobby:
        with pytest.raises(errors.TookTooLong):
            await lobby.open(LEVEL, ANN)  # a computer must find a first move
        room = await lobby.open(Terms(DUEL), ANN)
        with pytest.raises(errors.TooBusy, match="rooms are in use"):
            await lobby.open(Terms(DUEL), ANN)
        await lobby.delete(room.code, ANN)
        await lobby.open(Terms(DUEL), ANN)
        with pytest.raises(errors.TooManyDigits):
            await lobby.open(terms_of("divisor-duel:1000"), ANN)


@on_loop
async def test_a_very_long_move_takes_nobodys_time(file: str) -> None:
    async with running(file) as lobby:
        room = await lobby.open(terms_of("prime-subtractor:23", overshoot="loses"), ANN)
        await lobby.sit(room.code, BEN)
        began = time.process_time()
        for text in (str(2**11213 - 1), "7" * 103, "٣" * 200):
            with pytest.raises(errors.TooManyDigits):
                await do_in(lobby, room.code, ANN, Play(text))
        assert time.process_time() - began < 0.5, "it is not tested for being prime"
        over = await do_in(lobby, room.code, ANN, Play(str(10**99 + 289)))
        assert over.over is not None, "a prime of 100 digits is a move like others"
        assert over.over.ending is Ending.OVERSHOT


@on_loop
async def test_two_friends_play_and_others_watch(place: str) -> None:
    async with running(place) as lobby:
        room = await lobby.open(Terms(DUEL), ANN)
        code, seen = room.code, []
        with lobby.live.watch(code) as news:
            await lobby.sit(code, BEN)
            seen.append(await news.next())
            for ply, move in enumerate(["15", "15", "15", "5", "5"]):
                room = await do_in(lobby, code, (ANN, BEN)[ply % 2], Play(move))
                seen.append(await heard(news))
            assert room.over is not None
            assert seen == [2, 3, 4, 5, 6, 7]
            assert (await lobby.replay(room.replay)).ending is Ending.NO_MOVE
            await lobby.delete(code, ANN)
            assert await heard(news) == GONE
        with pytest.raises(errors.UnknownRoom):
            await lobby.look(code)


@on_loop
async def test_codes_that_nobody_has(file: str) -> None:
    async with running(file) as lobby:
        for code in ("a" * 10, "", "x", "\0" * 10, "' OR 1=1 --", "A" * 10, "9" * 10_000):
            uses = [lobby.look(code), lobby.replay(code), lobby.sit(code, ANN)]
            uses += [lobby.act(code, ANN, 2, action) for action in (Play("15"), Rematch())]
            for use in [*uses, lobby.delete(code, ANN)]:
                with pytest.raises(errors.UnknownRoom):
                    await use


@on_loop
async def test_rooms_expire_by_themselves(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after the database has failed some times."""
    monkeypatch.setattr("numduel.rooms.lobby._EXPIRE_EVERY", 0.02)
    tried, real = [], Rooms.expire

    def expire(rooms: Rooms) -> int:
        tried.append(1)
        if len(tried) < 4:
            raise errors.StoreError(problem="busy")
        return real(rooms)

    monkeypatch.setattr(Rooms, "expire", expire)
    async with running(place, bounds=Bounds(days=7)) as lobby:
        while len(tried) < 4:
            await asyncio.sleep(0.01)
        room = await lobby.open(Terms(DUEL), ANN)
        with lobby.live.watch(room.code) as news:
            await asyncio.to_thread(write, place, "UPDATE rooms SET used = used - 8 * 86400")
            assert await heard(news) == GONE
        with pytest.raises(errors.UnknownRoom):
            await lobby.look(room.code)


@on_loop
async def test_two_lobbies_share_a_database(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numduel.rooms.live.GRACE", 0.0)
    place = server.new_history()
    async with running(place) as here:
        there = Lobby(place, here.thinkers)
        await there.start()
        code = (await here.open(Terms(DUEL), ANN)).code
        with there.live.watch(code) as news:
            await here.sit(code, BEN)
            assert await heard(news) == 2
            for version, by in enumerate((there, here, here, there), 3):
                room = await by.look(code)
                move = room.board.write_move(next(room.board.moves()))
                await do_in(by, code, (ANN, BEN)[room.player], Play(move))
                assert await heard(news) == version
            with here.presence.at(code, 0):
                assert await heard(news) == version
                assert there.presence.here(code) == (True, None)
            assert await heard(news) == version
            assert there.presence.here(code) == (False, None)
            await here.delete(code, ANN)
            assert await heard(news) == GONE
        await there.close()


@on_loop
async def test_what_was_missed_is_told_once_the_database_is_back(server: Server) -> None:
    lobbies = f"lobbies_{ME}"
    server.run(f"DROP DATABASE IF EXISTS {lobbies} WITH (FORCE)")
    server.run(f"CREATE DATABASE {lobbies}")
    async with running(server.address(lobbies)) as lobby:
        room = await lobby.open(Terms(DUEL), ANN)
        gone = await lobby.open(Terms(DUEL), ANN)
        with lobby.live.watch(room.code) as news, lobby.live.watch(gone.code) as other:
            server.run(f"ALTER DATABASE {lobbies} ALLOW_CONNECTIONS false")
            server.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                f" WHERE datname = '{lobbies}'"
            )
            with pytest.raises(errors.StoreError):
                await lobby.look(room.code)
            server.run(f"ALTER DATABASE {lobbies} ALLOW_CONNECTIONS true")
            await lobby.sit(room.code, BEN)
            await lobby.delete(gone.code, ANN)
            assert await heard(news) == 2
            assert await heard(other) == GONE


@on_loop
async def test_a_lobby_that_cannot_start_is_closed(tmp_path: Path) -> None:
    (tmp_path / "rooms.sqlite3").write_text("a shopping list\n" * 100)
    with pytest.raises(errors.StoreError):
        async with running(str(tmp_path / "rooms.sqlite3")):
            pass
    lobby = Lobby(str(tmp_path / "other.sqlite3"), Thinkers())
    for use in (lobby.look("a" * 10), lobby.sit("a" * 10, ANN)):
        with pytest.raises(errors.StoreError):
            await use
    await lobby.close()


@on_loop
async def test_a_database_that_is_away_is_waited_for(server: Server, tmp_path: Path) -> None:
    place, here = server.new_history(), tmp_path / "socket"
    failures: list[errors.StoreError] = []
    hidden = place.replace(str(server.folder), str(here))
    there = Lobby(hidden, cast("Thinkers", Thinking()), failed=failures.append)
    await there.start()
    for use in (there.look("a" * 10), there.open(Terms(DUEL), ANN)):
        with refused("unreachable", errors.StoreError):
            await use
    assert len(failures) == 3
    here.symlink_to(server.folder)
    room = None
    while room is None:
        with suppress(errors.StoreError):
            room = await there.open(Terms(DUEL), ANN)
        await asyncio.sleep(0.01)
    assert (await there.look(room.code)).code == room.code
    await there.close()


@on_loop
async def test_nobody_waits_in_line_for_longer_than_the_deadline(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = server.new_history()
    async with running(place) as there:
        room = await there.open(Terms(DUEL), ANN)
        monkeypatch.setattr("numduel.rooms.desk._DEADLINE", 0.05)
        with psycopg.connect(place) as other:
            other.execute("LOCK TABLE rooms IN ACCESS EXCLUSIVE MODE")
            uses = [there.look(room.code), there.sit(room.code, BEN)]
            for use in [*uses, *(there.look(room.code) for _ in range(20))]:
                with refused("slow", errors.StoreError):
                    await use
        monkeypatch.setattr("numduel.rooms.desk._DEADLINE", PATIENT)
        assert (await there.look(room.code)).code == room.code


@on_loop
async def test_who_waits_for_own_reads_is_no_failure_of_the_database(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that asks for much could fill the log with it."""
    failures: list[errors.StoreError] = []
    going_on = threading.Event()
    lobby = Lobby(file, cast("Thinkers", Thinking()), failed=failures.append)
    await lobby.start()
    reading = [asyncio.create_task(lobby.read(lambda _: going_on.wait())) for _ in range(2)]
    await asyncio.sleep(0)
    monkeypatch.setattr("numduel.rooms.desk._DEADLINE", 0.05)
    with refused("slow", errors.StoreError):
        await lobby.look("a" * 10)
    going_on.set()
    await asyncio.gather(*reading)
    await lobby.close()
    assert not failures
