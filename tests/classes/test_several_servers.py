"""Several servers teach the same class, and start again: nothing that was answered is lost."""

import asyncio
import json
import subprocess
import sys
from contextlib import closing
from functools import partial
from threading import Thread

import pytest

from classes.taught import BOARD, PLAN, Taught, class_of, teaching
from loops import on_loop
from numduel.classes import Stage, wall_of
from numduel.classes.actions import (
    Ask,
    CastVote,
    GuessTrap,
    Pause,
    Resume,
    ShowMap,
    ShowNext,
    StartRound,
    Unveil,
)
from numduel.classes.kept_classes import KeptClasses
from numduel.classes.roster import Arrange, Join, LetIn, Remove
from numduel.errors import NumduelError, UnknownClass, UnknownRoom
from numduel.rooms import GONE, Play, new_token
from numduel.rooms.kept_rooms import Rooms
from numduel.store.news import MORE
from patience import PATIENT
from rooms.lobbies import heard, running
from rooms.opened import Servers, act, at_once
from soaking import SOAK


@class_of("Ann", "Ben")
async def test_pupils_hear_of_the_class_and_the_teacher_of_everything(taught: Taught) -> None:
    live, classes, code = taught.lobby.live, taught.classes, taught.code
    await taught.teach(StartRound(PLAN))
    await taught.teach(Arrange(locked=False, made_up=False))
    with live.watch(code) as pupils, live.watch(wall_of(code)) as wall:
        pupils.tell((await taught.look()).version)
        seen = await classes.wall_version(code, taught.teacher)
        wall.tell(1)
        assert await heard(pupils) == (await taught.look()).version
        await heard(wall)

        async def grows(change: object) -> None:
            nonlocal seen
            await heard(wall)
            before, seen = seen, await classes.wall_version(code, taught.teacher)
            assert seen > before, change

        await grows(await taught.play(await taught.to_move(await taught.room("Ann")), "30"))
        await grows(await taught.join("Cleo"))
        quiet = asyncio.create_task(heard(pupils))
        await asyncio.sleep(0)
        assert not quiet.done(), "moves and joins are no news to all pupils"
        await grows(await taught.teach(Ask(BOARD)))
        assert await quiet == (await taught.look()).version
        await grows(await classes.act(code, taught.tokens["Ann"], 0, CastVote(1, "30")))
        await classes.end(code, taught.teacher)
        assert await heard(pupils) == GONE
        while await heard(wall) != GONE:
            pass  # that the question was solved is news, too
        with pytest.raises(UnknownClass):
            await classes.wall_version(code, taught.teacher)


@on_loop
async def test_a_class_goes_on_after_a_restart(place: str) -> None:
    async with teaching(place, "Ann", "Ben", "Cleo") as taught:
        secret = await taught.invite()
        await taught.teach(StartRound(PLAN._replace(seconds=300, takebacks=False)))
        await taught.teach(Ask(BOARD))
        await taught.do("Ben", CastVote(1, "30"))
        await taught.teach(ShowNext())
        await taught.teach(ShowMap("divisor-duel"))
        await taught.do("Ann", GuessTrap(7, True))
        await taught.teach(Unveil())
        await taught.lobby.tasks.wait(("judging", taught.code), PATIENT)
        before, rooms = await taught.look(), await taught.rooms()
    async with running(place) as lobby:
        again = Taught(lobby, taught.code, taught.teacher)
        again.tokens = taught.tokens
        assert await again.look() == before
        assert await again.rooms() == rooms
        assert (await again.room("Ann")).held == "paused"
        teacher = new_token()
        await again.classes.act(again.code, teacher, 0, LetIn(secret))
        again.teacher = teacher
        assert (await again.teach(Resume())).stage == Stage.ROUND
        assert {room.clock_runs for room in await again.rooms()} == {True}


def test_what_is_told_after_news_were_missed(servers: Servers) -> None:
    rooms = servers()
    classes, teacher = KeptClasses(rooms), new_token()
    code = classes.open(teacher).code
    assert (rooms.version_of(code), rooms.version_of(wall_of(code))) == (1, MORE)
    classes.act(code, new_token(), 0, Join("Ann"))
    classes.act(code, teacher, 1, StartRound(PLAN))
    (room,) = classes.wall(code, teacher).rooms.values()
    assert rooms.version_of(code) == 2
    assert rooms.version_of(room.code) == room.version
    classes.end(code, teacher)
    gone = [rooms.version_of(topic) for topic in (code, wall_of(code), room.code)]
    assert gone == [GONE, GONE, GONE]


def test_thirty_join_two_servers_at_once(servers: Servers) -> None:
    both = [KeptClasses(servers()), KeptClasses(servers())]
    teacher = new_token()
    code = both[0].open(teacher).code
    joined = at_once(
        *(partial(both[n % 2].act, code, new_token(), 0, Join(f"Mia {n % 30}")) for n in range(60))
    )
    assert sum(isinstance(each, tuple) for each in joined) == 30, joined
    pupils = both[0].look(code, teacher).pupils
    assert [pupil.number for pupil in pupils] == list(range(1, 31))
    assert len({pupil.name for pupil in pupils}) == 30


def test_moves_and_a_teachers_changes_never_wait_crosswise(servers: Servers) -> None:
    """Eight pupils play at two servers while the teacher pauses and goes on, removes and ends."""
    rooms = [servers(), servers()]
    both = [KeptClasses(each) for each in rooms]
    teacher, tokens = new_token(), [new_token() for _ in range(8)]
    code = both[0].open(teacher).code
    for number, token in enumerate(tokens):
        both[number % 2].act(code, token, 0, Join(f"P{number}"))
    plan = PLAN._replace(board=type(BOARD).parse("digit-subtraction-duel:300"))
    both[0].act(code, teacher, 1, StartRound(plan))
    failures: list[NumduelError] = []

    def play(number: int) -> None:
        own = rooms[number % 2]
        (table,) = both[number % 2].look(code, tokens[number]).tables
        while True:
            try:
                room = own.look(table.room)
                if room.over:
                    return
                move = room.board.write_move(next(room.board.moves()))
                act(own, room.code, tokens[number], room.version, Play(move))
            except UnknownRoom:
                return
            except NumduelError as error:
                failures.append(error)

    players = [Thread(target=play, args=(number,), daemon=True) for number in range(8)]
    for player in players:
        player.start()
    for turn in range(10):
        seen = both[turn % 2].look(code, teacher)
        change = Resume() if seen.stage == Stage.PAUSED else Pause()
        both[turn % 2].act(code, teacher, seen.version, change)
    both[0].act(code, teacher, 0, Remove((1,)))
    both[1].end(code, teacher)
    for player in players:
        player.join(PATIENT)
        assert not player.is_alive()
    assert {error.word for error in failures} <= {
        "NotAllowed", "NotYourTurn", "StaleChange", "NotSeated", "UnknownClass",
    }, failures  # fmt: skip


LESSON = """
import json, sys
from itertools import count
from numduel import Board
from numduel.classes import RoundPlan
from numduel.classes.actions import Resume, StartRound
from numduel.classes.actions import Ask, CastVote
from numduel.classes.kept_classes import KeptClasses
from numduel.rooms import Play
from numduel.rooms.actions import act
from numduel.rooms.kept_rooms import Rooms

def tell(**facts):
    print(json.dumps(facts), flush=True)

place, code, teacher, *tokens = sys.argv[1:]
rooms = Rooms(place, lambda code, version: None)
classes = KeptClasses(rooms)

def teach(action):
    version = classes.look(code, teacher).version
    seen, _ = classes.act(code, teacher, version, action)
    tell(version=seen.version, stage=seen.stage)
    return seen.question

for number in count(1):
    if number % 9 == 1:
        teach(StartRound(RoundPlan(Board.parse("digit-subtraction-duel:1000"))))
    elif number % 9 == 5:
        question = teach(Ask(Board.parse("divisor-duel:60"))).number
        for token in tokens:
            seen, _ = classes.act(code, token, 0, CastVote(question, "30"))
            tell(vote=[question, seen.me.number])
        teach(Resume())
    for token in tokens:
        (table,) = classes.look(code, token).tables
        room = rooms.look(table.room)
        if room.seat_of(token) == room.player:
            move = room.board.write_move(next(room.board.moves()))
            done = (token, room.version, Play(move))
            room = rooms.change(room.code, lambda found, now: act(found, now, *done))
            tell(move=[room.code, room.ply, move])
"""


@pytest.mark.soak("classes", short=True)
def test_a_server_killed_in_mid_round_loses_nothing_that_was_answered(place: str) -> None:
    teacher, tokens = new_token(), [new_token() for _ in range(4)]
    with closing(Rooms(place, lambda _code, _version: None)) as rooms:
        classes = KeptClasses(rooms)
        code = classes.open(teacher).code
        for name, token in zip("ABCD", tokens, strict=True):
            classes.act(code, token, 0, Join(name))
        moves: dict[tuple[str, int], str] = {}
        votes: set[tuple[int, int]] = set()
        for kill in range(40 if SOAK else 2):
            command = [sys.executable, "-c", LESSON, place, code, teacher, *tokens]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
                assert process.stdout is not None
                lines = [process.stdout.readline() for _ in range(5 + 7 * kill % 60)]
                process.kill()
                lines += process.stdout.read().splitlines(keepends=True)
            told = [json.loads(line) for line in lines if line.endswith("\n")]
            assert len(told) >= 5
            seen = classes.look(code, teacher)
            stages = [fact for fact in told if "stage" in fact]
            assert seen.version >= stages[-1]["version"]
            if seen.version == stages[-1]["version"]:
                assert seen.stage == stages[-1]["stage"]
            moves |= {(f["move"][0], f["move"][1]): f["move"][2] for f in told if "move" in f}
            votes |= {(*fact["vote"],) for fact in told if "vote" in fact}
            for (room, ply), move in moves.items():
                record = rooms.look(room).record
                turn = record.turns[ply - 1]
                assert turn is not None
                assert record.setup.board.write_move(turn) == move
            assert {(vote.question, vote.pupil) for vote in seen.all_votes} >= votes
            held = {rooms.look(table.room).held for table in seen.tables}
            assert held == ({None} if seen.stage == Stage.ROUND else {"paused"}), "all or none"
    assert moves
