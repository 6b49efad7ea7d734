"""Rounds of a class: seated, paused, joined late, left, and played again."""

import pytest

from classes.taught import BOARD, PLAN, Taught, class_of, teaching
from loops import on_loop
from numduel import Board
from numduel.classes import Classes, RoundPlan, Stage
from numduel.classes.actions import (
    Ask,
    Close,
    EndRound,
    NextRound,
    Pause,
    Resume,
    ShowMap,
    ShowNext,
    StartRound,
    Unveil,
)
from numduel.classes.roster import Join, Relieve
from numduel.errors import InvalidSetup, NotAllowed, TooBusy, TooManyRequests
from numduel.rooms import AskTakeback, Bounds, Play, Rematch, Resign, Terms, new_token
from numduel.rooms.kept_rooms import Rooms
from numduel.rooms.steady_time import now
from patience import PATIENT
from rooms.lobbies import Thinking, do_in
from rooms.opened import refused


@class_of("Ann", "Ben", "Iris")
async def test_the_odd_one_out_meets_the_computer(taught: Taught) -> None:
    seen = await taught.teach(StartRound(PLAN))
    assert (seen.stage, seen.is_playing) == (Stage.ROUND, True)
    assert [name for pair in await taught.names() for name in pair].count(None) == 1
    for room in await taught.rooms():
        assert (room.board, room.is_open, room.class_code) == (BOARD, False, taught.code)
        assert room.seats[0].name != room.seats[1].name, "even if Iris meets Iris"
        with pytest.raises(NotAllowed, match="seats are taken"):
            await taught.lobby.sit(room.code, new_token())


@class_of("Ann", "Ben")
async def test_everybody_meets_the_computer(taught: Taught) -> None:
    await taught.teach(StartRound(PLAN._replace(opponent="perfect")))
    assert await taught.names() == [("Ann", None), ("Ben", None)]
    room = await taught.lobby.settled(await taught.play("Ann", "30"), PATIENT)
    assert (room.ply, room.record.players) == (2, ("person", "perfect"))
    await taught.join("Cleo")
    assert (await taught.room("Cleo")).record.players == ("person", "perfect")
    await taught.teach(NextRound())
    room = await taught.lobby.settled(await taught.room("Ann"), PATIENT)
    assert (room.setup.first, room.ply) == (1, 1), "now the computer begins"
    assert (await taught.room("Cleo")).setup.first == 1


@class_of("Ann", "Ben", "Cleo")
async def test_whoever_met_the_computer_can_win_the_last_round_too(taught: Taught) -> None:
    """All begin against the perfect player: who sat out, met it before, or comes late as well."""
    await taught.teach(StartRound(PLAN))
    await taught.teach(NextRound())
    await taught.join("Dan")
    await taught.teach(StartRound(PLAN._replace(opponent="perfect")))
    await taught.join("Eve")
    rooms = {name: await taught.room(name) for name in taught.tokens}
    assert [room.seat_of(taught.tokens[name]) for name, room in rooms.items()] == [
        room.setup.first for room in rooms.values()
    ]


@on_loop
async def test_what_a_round_may_be(place: str) -> None:
    async with teaching(place) as taught:
        for problem, action in (
            ("no pupils", StartRound(PLAN)),
            ("no round", NextRound()),
            ("no round", EndRound()),
            ("no question", ShowNext()),
            ("no map", Unveil()),
        ):
            with refused(problem):
                await taught.teach(action)
        await taught.join("Ann")
        plans: dict[str, RoundPlan] = {
            "pairing": PLAN._replace(pairing="friends"),
            "minutes": PLAN._replace(seconds=1),
            "over": PLAN._replace(board=Board.parse("divisor-duel:1")),
            "no such pupil": PLAN._replace(pairing="hand", pairs=((1, 7),)),
        }
        for problem, plan in plans.items():
            with refused(problem):
                await taught.teach(StartRound(plan))
        with pytest.raises(InvalidSetup, match="no player called"):
            await taught.teach(StartRound(PLAN._replace(opponent="engine:rm")))
        assert not (await taught.look()).rounds
    async with teaching(place, "Ann", "Ben", "Cleo", bounds=Bounds(rooms=1)) as taught:
        with pytest.raises(TooBusy, match="rooms are in use"):
            await taught.teach(StartRound(PLAN))
        assert (await taught.look()).stage == Stage.GATHERING


@on_loop
async def test_late_ones_open_no_more_rooms_than_are_kept(place: str) -> None:
    async with teaching(place, "Ann", "Ben", "Cleo", bounds=Bounds(rooms=3)) as taught:
        await taught.teach(StartRound(PLAN))
        await taught.lobby.open(Terms(BOARD), new_token())
        pairs = [table.pupils for table in (await taught.look()).tables]
        ((left, _),) = (pair for pair in pairs if None not in pair)
        (lone,) = {1, 2, 3}.intersection(*(pair for pair in pairs if None in pair))
        assert left is not None
        # Dan may take the computer's seat; then Eve needs a room.
        for late in (taught.teach(Relieve(left, lone)), taught.join("Dan", "Eve")):
            with pytest.raises(TooBusy, match="rooms are in use"):
                await late
        assert await taught.lobby.change(Rooms.count) == 3


@class_of("Ann", "Ben")
async def test_rounds_take_so_many_rooms_an_hour(taught: Taught) -> None:
    taught.classes = Classes(taught.lobby, tables_per_hour=4)
    for _ in range(6):  # what is refused opens none
        with pytest.raises(NotAllowed):
            await taught.join("Ann")
    await taught.teach(StartRound(PLAN))
    await taught.join("Late")
    await taught.teach(NextRound())
    for one_more in (taught.teach(NextRound()), taught.teach(StartRound(PLAN)), taught.join("Zoe")):
        with pytest.raises(TooManyRequests):
            await one_more
    assert len((await taught.look()).rounds) == 2


@class_of("Ann", "Ben", "Cleo", "Dan")
async def test_by_hand_then_winners_with_winners(taught: Taught) -> None:
    await taught.teach(StartRound(PLAN._replace(pairing="hand", pairs=((4, 1), (2, 3)))))
    assert set(await taught.names()) == {("Dan", "Ann"), ("Ben", "Cleo")}
    await taught.resign("Ann")
    await taught.resign("Cleo")
    await taught.teach(StartRound(PLAN._replace(pairing="winners")))
    met = {*map(frozenset, await taught.names())}
    assert met == {frozenset({"Dan", "Ben"}), frozenset({"Ann", "Cleo"})}


@class_of("Ann", "Ben", "Cleo", "Dan", "Eve")
async def test_next_round_the_other_begins_whatever_rematches_there_were(taught: Taught) -> None:
    await taught.teach(StartRound(PLAN))
    for _ in range(3):
        before = {room.setup.names: room.setup.first for room in await taught.rooms()}
        for rematches, names in enumerate(before, 1):
            for _ in range(rematches if {*names} <= {*taught.tokens} else 0):
                await taught.resign(names[0])
                for name in names:
                    code = (await taught.room(name)).code
                    await do_in(taught.lobby, code, taught.tokens[name], Rematch())
        await taught.teach(NextRound())
        after = {room.setup.names: 1 - room.setup.first for room in await taught.rooms()}
        assert after == before


@class_of("Ann", "Ben")
async def test_a_pause_stops_moves_and_clocks_and_so_does_the_end(taught: Taught) -> None:
    await taught.teach(StartRound(PLAN._replace(seconds=10)))
    before = await taught.room("Ann")
    token = taught.tokens[await taught.to_move(before)]
    seen = await taught.teach(Pause())
    assert (seen.stage, (await taught.look("Ben")).stage) == (Stage.PAUSED, Stage.PAUSED)
    paused = await taught.room("Ann")
    assert paused.clock is not None
    assert (paused.held, paused.clock_runs) == ("paused", False)
    left = paused.clock.left
    assert paused.clock.remaining(0, paused.player, now() + 99) == left[0]
    for action in (Play("30"), Resign(), AskTakeback(), Rematch()):
        with refused("paused"):
            await do_in(taught.lobby, paused.code, token, action)
    await taught.teach(Resume())
    resumed = await taught.room("Ann")
    assert resumed.clock is not None
    assert (resumed.clock.left, resumed.held, resumed.clock_runs) == (left, None, True)
    after = await taught.lobby.act(before.code, token, before.version, Play("30"))
    assert after.ply == 1, "a move that was chosen before the pause is still good"
    seen = await taught.teach(EndRound())
    assert (seen.stage, seen.is_playing) == (Stage.GATHERING, False)
    room = await taught.room("Ann")
    assert (room.held, room.over, room.clock_runs) == ("round over", None, False)
    with refused("round over"):
        await taught.resign("Ann")
    await taught.teach(Pause())
    await taught.teach(Resume())
    assert (await taught.look()).stage == Stage.GATHERING
    assert (await taught.room("Ann")).held == "round over"
    await taught.join("Late")
    assert not (await taught.look("Late")).tables, "there is nothing to come late for"


@on_loop
async def test_a_pause_stops_computers_and_goes_on_after_a_question_or_the_map(place: str) -> None:
    thinking = Thinking()
    async with teaching(place, "Ann", thinking=thinking) as taught:
        await taught.teach(Ask(BOARD))
        assert (await taught.teach(Close())).stage == Stage.GATHERING, "nothing is played yet"
        await taught.teach(StartRound(PLAN))
        thinking.allowed.clear()
        room = await taught.play("Ann", "30")
        await taught.teach(Pause())
        thinking.allowed.set()
        paused = await taught.lobby.settled(room, PATIENT)
        assert (paused.ply, paused.held) == (1, "paused"), "what it thought of is not played"
        for action in (Ask(BOARD), ShowMap("divisor-duel")):
            await taught.teach(action)
            assert (await taught.teach(Close())).stage == Stage.GATHERING
            room = await taught.room("Ann")
            assert (room.ply, room.held) == (1, "paused")
        await taught.teach(Resume())
        room = await taught.lobby.settled(await taught.room("Ann"), PATIENT)
        assert (room.ply, (await taught.look()).stage) == (2, Stage.ROUND)


@class_of("Ann")
async def test_late_comers(taught: Taught) -> None:
    await taught.teach(StartRound(PLAN._replace(seconds=20)))
    alone = await taught.room("Ann")
    await taught.join("Ben")
    assert await taught.names() == [("Ann", "Ben")], "before a move, Ben takes the seat"
    room = await taught.play("Ann", "30")
    assert (await taught.classes.wall(taught.code, taught.teacher)).rooms[room.code] == room
    assert (room.code, room.seats[1].name) == (alone.code, "Ben")
    assert room.record.players == ("person", "person")
    before = await taught.look("Ann")
    again = await taught.do("Ann", Join("Somebody else"))
    assert (again.me, again.tables) == (before.me, before.tables), "she comes back"
    await taught.join("Cleo")
    assert (await taught.room("Cleo")).seats[1].player == "level:3"
    await taught.teach(Pause())
    await taught.join("Dan", "Eve")
    assert set(await taught.names()) == {("Ann", "Ben"), ("Cleo", "Dan"), ("Eve", None)}
    room = await taught.room("Eve")
    assert (room.held, room.clock_runs) == ("paused", False)
    await taught.teach(Resume())
    assert {room.clock_runs for room in await taught.rooms()} == {True}
    await taught.play("Eve", "30")
    await taught.join("Flo")
    assert ("Flo", None) in await taught.names(), "Eve has begun"


@class_of("Ann")
async def test_hints_and_takebacks_are_the_teachers_to_allow(taught: Taught) -> None:
    plan = RoundPlan(BOARD, "perfect", hints=False, takebacks=False)
    await taught.teach(StartRound(plan))
    room = await taught.lobby.settled(await taught.play("Ann", "30"), PATIENT)
    assert (room.hints, room.may_have_hint(room.player)) == (False, False)
    with pytest.raises(NotAllowed) as caught:
        await do_in(taught.lobby, room.code, taught.tokens["Ann"], AskTakeback())
    assert room.over or caught.value.problem == "no takeback"
    await taught.teach(StartRound(plan._replace(hints=True)))
    room = await taught.lobby.settled(await taught.room("Ann"), PATIENT)
    assert [room.may_have_hint(seat) for seat in (None, 0, 1)] == [False, True, False]
    await taught.teach(Pause())
    assert not (await taught.room("Ann")).may_have_hint(0)
