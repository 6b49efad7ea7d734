"""Clocks: whose time runs, when it is up, and a flag that falls by itself."""

import asyncio
import gc
import json
import time
from dataclasses import asdict

import pytest

from loops import on_loop
from numduel.errors import NotAllowed
from numduel.match import Ending
from numduel.rooms import Room, Terms, changes, steady_time
from numduel.rooms.actions import AnswerTakeback, AskTakeback, Play, Rematch, Resign, call_time
from numduel.web.serving import VARIABLE, app_of_worker
from numduel.web.settings import Settings
from patience import until as waiting_until
from rooms.lobbies import DUEL, do_in, running, until, write
from rooms.opened import (
    ANN,
    BEN,
    NOW,
    Servers,
    acted,
    after,
    do,
    friends,
    full,
    played,
    run,
    sat,
    terms_of,
    with_computer,
)


def left_of(room: Room) -> tuple[float, float]:
    assert room.clock is not None
    return room.clock.left


def test_clocks_run_on_the_own_turn_alone() -> None:
    room = changes.opened(terms_of("divisor-duel:60", seconds=60), ("Ann", "Ben"), ANN, 0, NOW)
    assert not room.clock_runs, "a seat is free"
    room = sat(room, BEN, NOW + 100)
    assert room.clock is not None
    assert (room.clock.left, room.clock.since, room.clock_runs) == ((60, 60), NOW + 100, True)
    assert room.clock.remaining(0, 0, NOW + 110) == 50
    assert room.clock.remaining(1, 0, NOW + 110) == 60
    assert room.clock.remaining(0, 0, NOW) == 60, "a clock that was set back gives nothing"
    assert room.clock.remaining(0, 0, NOW + 999) == 0
    room = played(room, "15", now=NOW + 110)
    assert left_of(room) == (50, 60)
    room = played(room, "15", now=NOW + 115)
    assert left_of(room) == (50, 55)
    room = after(after(room, 1, AskTakeback()), 0, AnswerTakeback(True), NOW + 120)
    assert (left_of(room), room.player) == ((45, 55), 1), "a takeback gives no time back"
    room = after(room, 1, Resign(), NOW + 130)
    assert (left_of(room), room.clock_runs) == ((45, 45), False)
    assert room.clock is not None
    assert room.clock.remaining(1, 1, NOW + 999) == 45, "after the end, no time passes"
    offer = acted(room, 0, Rematch(), NOW + 140).room
    again = offer and acted(offer, 1, Rematch(), NOW + 150).room
    assert again is not None
    assert (left_of(again), again.clock.since) == ((60, 60), NOW + 150)


def test_who_has_no_time_left_forfeits() -> None:
    room = played(friends(seconds=60), "15", now=NOW + 10)
    assert not changes.time_is_up(room, NOW + 69.9)
    assert changes.time_is_up(room, NOW + 70)
    after, wrong = acted(room, 1, Play("15"), NOW + 71)
    assert isinstance(wrong, NotAllowed)
    assert wrong.problem == "time is up", "it is told that the move does not count"
    assert after is not None
    assert after.over is not None
    assert (after.over.ending, after.over.winner, after.ply) == (Ending.FORFEITED, 0, 1)
    assert (left_of(after), after.wins) == ((50, 0), (1, 0))
    assert not changes.time_is_up(after, NOW + 999)
    assert not changes.time_is_up(friends(), NOW + 999), "without a clock, there is time"
    assert with_computer(seconds=60).clock_runs, "at once"
    assert not with_computer().clock_runs


def test_time_does_not_run_while_no_server_does(servers: Servers) -> None:
    rooms = servers()
    room = full(rooms, seconds=60)
    run(rooms, "UPDATE rooms SET since = since - 3600, version = version + 1")
    time.sleep(0.1)
    began = time.time()
    again = servers()
    for seen in (again.look(room.code), again.look(room.code), again.change(room.code, call_time)):
        assert seen.over is None
        assert seen.clock is not None
        assert (seen.clock.since or 0) >= began, "also in what is shown"
    left = left_of(do(again, room.code, ANN, Play("15")))
    assert 30 < left[0] <= 60, "an hour ago does not count"


@pytest.mark.parametrize("jump", [3600, -3600])
def test_a_clock_that_is_set_costs_no_time(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, jump: int
) -> None:
    rooms, real = servers(), time.time
    room = full(rooms, seconds=60)
    monkeypatch.setattr("time.time", lambda: real() + jump)
    assert rooms.change(room.code, call_time).over is None
    left = left_of(do(rooms, room.code, ANN, Play("15")))
    assert 30 < left[0] < 60, "what passed counts, and nothing else"
    # A server that starts now goes by the other time; the first one runs on.
    monkeypatch.setattr(steady_time, "_anchor", time.time() - time.monotonic())
    other = servers()
    for seen in (other.look(room.code), other.change(room.code, call_time), other.look(room.code)):
        assert seen.over is None
    run(rooms, "UPDATE rooms SET left_2 = 0.05, version = version + 1")
    waiting_until(lambda: other.change(room.code, call_time).over)


def test_workers_go_by_the_time_of_their_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steady_time, "_anchor", 0.0)
    settings = {**asdict(Settings("nowhere.sqlite3")), "anchor": 1234.5}
    monkeypatch.setenv(VARIABLE, json.dumps(settings))
    thresholds = gc.get_threshold()
    app_of_worker()
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    assert steady_time.anchor() == 1234.5


@on_loop
async def test_a_flag_falls_by_itself(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever watches the clock does not sleep through the first player's long time."""
    monkeypatch.setattr("numduel.rooms.room.CLOCK", (1, 60))
    async with running(place) as lobby:
        room = await lobby.open(Terms(DUEL, seconds=1), ANN)
        await lobby.sit(room.code, BEN)
        await asyncio.to_thread(write, place, "UPDATE rooms SET left_1 = 60, version = version + 1")
        began = time.monotonic()
        room = await do_in(lobby, room.code, ANN, Play("15"))
        over = await until(lobby, room.code, room.version + 1)
        assert time.monotonic() - began > 0.9
        assert over.over is not None
        assert (over.over.ending, over.over.winner) == (Ending.FORFEITED, 0)
        await do_in(lobby, room.code, ANN, Rematch())
        again = await do_in(lobby, room.code, BEN, Rematch())
        over = await until(lobby, room.code, again.version + 1)
        assert over.wins == (2, 0), "Ben began, and did not move"


@on_loop
async def test_clocks_are_watched_without_asking_all_the_time(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    monkeypatch.setattr("numduel.rooms.lobby.call_time", lambda *room: calls.append(room))
    async with running(file) as lobby:
        room = await lobby.open(Terms(DUEL, seconds=60), ANN)
        await lobby.sit(room.code, BEN)
    write(file, "UPDATE rooms SET since = since - 3600, version = version + 1")
    async with running(file) as lobby:
        assert (await lobby.look(room.code)).clock_runs
        await asyncio.sleep(0.2)
        await lobby.delete(room.code, ANN)
    assert calls == []
