"""Who comes in and who does not: the door, ghosts, another device, other teachers."""

import asyncio

import pytest

from classes.taught import BOARD, PLAN, Taught, class_of
from numduel import errors
from numduel.classes import Classes, classes
from numduel.classes.actions import Ask, CastVote, EndRound, NextRound, Pause, Resume, StartRound
from numduel.classes.learned import never_played
from numduel.classes.roster import (
    MOST_TEACHERS,
    Admit,
    Arrange,
    Dismiss,
    Invite,
    Join,
    LetIn,
    Relieve,
    Remove,
    Seat,
)
from numduel.rooms import Play, new_token
from rooms.opened import refused


async def knock(taught: Taught, *names: str, again: bool = False) -> list[int]:
    """They come, and are not let in; their numbers."""
    numbers = []
    for name in names:
        taught.tokens[name] = new_token()
        (waits,) = (await taught.do(name, Join(name, again))).door
        numbers.append(waits.number)
    return numbers


@class_of("Ann", "Ben")
async def test_the_first_round_locks_the_door(taught: Taught) -> None:
    assert not (await taught.look()).locked
    await taught.teach(StartRound(PLAN))
    assert (await taught.look()).locked
    cleo, dan, eve = await knock(taught, "Cleo", "Dan", "Eve")
    seen = await taught.look()
    assert [one.name for one in seen.pupils] == ["Ann", "Ben"]
    assert [one.name for one in seen.door] == ["Cleo", "Dan", "Eve"]
    mine = await taught.look("Dan")
    assert ([one.name for one in mine.door], mine.me, mine.tables) == (["Dan"], None, ())
    assert await taught.do("Dan", Join("Another name")) == mine, "who waits, waits"
    with pytest.raises(errors.NotSeated):
        await taught.do("Dan", CastVote(1, "30"))
    seen = await taught.teach(Admit(dan))
    assert [one.name for one in seen.pupils] == ["Ann", "Ben", "Dan"]
    assert (await taught.look("Dan")).tables, "seated at once"
    await taught.teach(Remove((eve,)))
    with refused("removed"):
        await taught.do("Eve", Join("Eva"))
    await knock(taught, "Finn")
    seen = await taught.teach(Admit())
    assert [one.name for one in seen.pupils] == ["Ann", "Ben", "Dan", "Cleo", "Finn"]
    assert seen.door == ()
    with refused("no such pupil"):
        await taught.teach(Admit(cleo))
    await taught.teach(Arrange(locked=False, made_up=False))
    await taught.teach(NextRound())
    assert not (await taught.look()).locked, "only the first one does"


@class_of("Ann", "Ben", "Rude")
async def test_who_is_removed_cannot_come_back(taught: Taught) -> None:
    await taught.teach(StartRound(PLAN))
    room = await taught.room("Rude")
    await taught.teach(Remove((3,)))
    for _ in range(2):
        with refused("removed"):
            await taught.do("Rude", Join("Kind"))
    assert (await taught.look("Rude")).removed
    assert not (await taught.look("Ann")).removed, "and nobody else hears of it"
    with pytest.raises(errors.NotSeated):
        await taught.lobby.act(room.code, taught.tokens["Rude"], room.version, Play("30"))
    with refused("no such name"):
        await knock(taught, "Rude", again=True)  # nor is there a seat to ask for


@class_of("Ann", "Ben")
async def test_ghosts_are_removed_in_one_go_and_nobody_else(
    taught: Taught,
) -> None:
    await taught.join(*(f"Ghost {name}" for name in "ABCDEF"))
    await taught.teach(StartRound(PLAN._replace(pairing="hand", pairs=((1, 2),))))
    first = await taught.to_move(await taught.room("Ann"))
    await taught.play(first, "30")

    async def ghosts() -> list[int]:
        """Where all are away."""
        wall = await taught.classes.wall(taught.code, taught.teacher)
        figures = await taught.classes.figures(taught.code, taught.teacher)
        return never_played(wall._replace(away=frozenset(range(1, 9))), figures)

    others = sorted({*range(1, 9)} - {await taught.number(first)})
    assert await ghosts() == [], "a seat that is played for is kept"
    await taught.teach(EndRound())
    assert await ghosts() == others
    await taught.classes.learned(taught.code, taught.teacher)
    await taught.teach(NextRound())
    await taught.teach(EndRound())
    assert await ghosts() == others, "in any round"
    await taught.teach(NextRound())
    rooms = await taught.rooms()
    seen = await taught.teach(Remove(tuple(range(3, 9))))
    assert [one.name for one in seen.pupils] == ["Ann", "Ben"]
    assert await taught.names() in ([("Ann", "Ben")], [("Ben", "Ann")])
    held = [(await taught.lobby.look(room.code)).held for room in rooms]
    assert sorted(map(str, held)) == ["None"] + ["round over"] * 3, "no computers play on"


@class_of()
async def test_a_flood_does_not_fill_a_class_and_forty_come_in_within_a_minute(
    taught: Taught,
) -> None:
    """All from one address; a class at another address, or another class, does not notice."""
    time = [1000.0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classes, "monotonic", lambda: time[0])
        taught.classes = Classes(taught.lobby)
        came = 0
        for ghost in range(50):
            time[0] += 3 / 50
            try:
                await taught.join(f"Ghost {chr(65 + ghost % 26)}{ghost}")
                came += 1
            except errors.TooManyRequests as error:
                assert error.seconds <= 2
        assert came < 25
        other = Taught(taught.lobby, "", new_token())
        other.classes = taught.classes
        other.code = (await taught.classes.open(other.teacher)).code
        waiting = [f"Pupil {number}" for number in range(40)]
        began = time[0]
        while waiting:
            still = []
            for name in waiting:
                try:
                    await other.join(name)
                except errors.TooManyRequests:
                    still.append(name)
            waiting = still
            time[0] += 1
        assert time[0] - began <= 60
        assert len((await other.look()).pupils) == 40


@class_of("Anna", "Ben")
async def test_the_old_seat_on_another_device(taught: Taught) -> None:
    await taught.teach(StartRound(PLAN))
    old = taught.tokens["Anna"]
    first = await taught.to_move(await taught.room("Ben"))
    with refused("name is taken"):
        await knock(taught, "anna")
    (number,) = await knock(taught, "Anna", again=True)
    with pytest.raises(errors.NotSeated):
        await taught.do("Anna", CastVote(1, "30"))
    seen = await taught.teach(Admit())
    assert [one.seat for one in seen.door] == [1], "each of these is looked at on its own"
    seen = await taught.teach(Admit(number))
    assert [(one.number, one.name) for one in seen.pupils] == [(1, "Anna"), (2, "Ben")]
    room = await taught.room("Anna")
    await taught.play(first, "30")
    assert (await taught.look("Anna")).me is not None
    assert (await taught.classes.look(taught.code, old)).me is None
    with pytest.raises(errors.NotSeated):
        await taught.lobby.act(room.code, old, room.version + 1, Play("1"))


@class_of("Ann", "Ben", "Cleo")
async def test_the_partner_of_who_is_away_plays_on(taught: Taught) -> None:
    plan = PLAN._replace(pairing="hand", pairs=((1, 2), (3, None)))
    await taught.teach(StartRound(plan))
    code = (await taught.room("Ben")).code
    await taught.teach(Relieve(1))
    room = await taught.room("Ben")
    assert (room.code, sorted(room.record.players)) == (code, ["level:3", "person"])
    assert (await taught.look("Ann")).tables == ()
    with refused("nobody waits"):
        await taught.teach(Relieve(1))
    await taught.teach(Seat((1,)))
    assert (await taught.look("Ann")).tables, "back again"
    await taught.teach(StartRound(plan))
    with refused("not alone"):
        await taught.teach(Relieve(1, 2))
    await taught.teach(Relieve(1, 3))
    assert await taught.names() == [("Ben", "Cleo")]
    assert (await taught.room("Ben")).ply == 0
    with refused("nobody waits"):
        await taught.teach(Relieve(1))


@class_of("Ann")
async def test_a_second_teacher_is_named_and_can_be_dismissed(taught: Taught) -> None:
    code, helper = taught.code, new_token()

    async def come(token: str, secret: str, name: str = "") -> bool:
        return (await taught.classes.act(code, token, 0, LetIn(secret, name))).teaches

    first, secret = await taught.invite(), await taught.invite()
    for wrong in (first, "", taught.teacher, secret.lower() + "x"):
        with refused("invitation"):
            await come(helper, wrong)
    with refused("pupil teaches"):
        await come(taught.tokens["Ann"], secret)
    assert await come(helper, secret, " Ms <b>Lee")
    assert await come(helper, secret), "pressed twice"
    with refused("invitation"):
        await come(new_token(), secret)
    assert sorted(one.name for one in (await taught.look()).teachers) == ["", "Ms bLee"]
    version = (await taught.classes.look(code, helper)).version
    await taught.classes.act(code, helper, version, Pause())
    with refused("class moved on"):  # the other teacher was quicker
        await taught.classes.act(code, taught.teacher, version, Resume())
    with refused("teacher joins"):
        await taught.classes.act(code, helper, 0, Join("Me too"))
    second = next(one.token for one in (await taught.look()).teachers if one.name)
    await taught.teach(Dismiss(second))
    with pytest.raises(errors.NotSeated):
        await taught.classes.wall(code, helper)
    revoked = await taught.invite()
    await taught.teach(Invite(""))
    for wrong in (revoked, ""):
        with refused("invitation"):
            await come(helper, wrong)


@class_of()
async def test_teachers_are_few(taught: Taught) -> None:
    for _ in range(MOST_TEACHERS - 1):
        await taught.classes.act(taught.code, new_token(), 0, LetIn(await taught.invite()))
    secret = await taught.invite()
    with refused("teachers"):
        await taught.classes.act(taught.code, new_token(), 0, LetIn(secret))
    assert len((await taught.look()).teachers) == MOST_TEACHERS


@class_of("Ann")
async def test_a_class_is_taken_up_on_another_laptop(taught: Taught) -> None:
    secret, laptop = new_token(), new_token()
    await taught.teach(Invite(secret, own=True))
    await taught.invite()  # which does not void it
    seen = await taught.classes.act(taught.code, laptop, 0, LetIn(secret))
    assert seen.teaches
    with refused("invitation"):
        await taught.classes.act(taught.code, new_token(), 0, LetIn(secret))
    taught.teacher = laptop
    await taught.teach(Ask(BOARD))
    await taught.classes.end(taught.code, laptop)


@class_of("Ann", "Ben")
async def test_whoever_is_away_for_a_minute_is_shown(taught: Taught) -> None:
    """By connections and looks; the wall is told, and its version is another."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classes, "AWAY", 0.05)

        async def away() -> frozenset[int]:
            return (await taught.classes.wall(taught.code, taught.teacher)).away

        await asyncio.sleep(0.1)  # as long as the server is young, nobody is away
        before = await taught.classes.wall_version(taught.code, taught.teacher)
        assert await away() == {1, 2}
        presence = taught.lobby.presence
        with (
            presence.at(taught.code, 1, 0.05),
            taught.lobby.live.watch(f"{taught.code}-wall") as watching,
        ):
            watching.tell(1)
            await taught.look("Ben")
            assert await away() == frozenset()
            while await away() != {2}:
                await asyncio.wait_for(watching.next(), 10)
        assert await taught.classes.wall_version(taught.code, taught.teacher) != before


@class_of("Ann", "Ben", "Cleo", "Dan")
async def test_who_is_away_sits_out_and_is_seated_when_back(taught: Taught) -> None:
    presence = taught.lobby.presence
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(presence, "away", lambda *_: frozenset({2, 4}))
        await taught.teach(StartRound(PLAN))
        assert [{*pair} for pair in await taught.names()] == [{"Ann", "Cleo"}]
        await taught.teach(StartRound(PLAN._replace(pairing="hand", pairs=((1, 2),))))
        assert {*await taught.names()} == {("Ann", "Ben"), ("Cleo", None)}, "as by hand"
        await taught.teach(NextRound())
        assert [{*pair} for pair in await taught.names()] == [{"Ann", "Cleo"}]
        await taught.teach(Seat((2, 4, 1)))
        assert [{*pair} for pair in await taught.names()] == [{"Ann", "Cleo"}, {"Ben", "Dan"}]
        patch.setattr(presence, "away", lambda *_: frozenset({1, 2, 3, 4}))
        await taught.teach(StartRound(PLAN))
        assert len(await taught.names()) == 2, "where nobody is here, all are seated"
