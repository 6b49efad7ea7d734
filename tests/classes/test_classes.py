"""A class from the first pupil to the end, on both databases."""

from __future__ import annotations

import pytest

from classes.taught import teaching
from numduel import Board
from numduel.classes import Classes, RoundPlan, Stage, discussion, kept_classes
from numduel.errors import NotAllowed, NotSeated, StoreError, TooBusy, UnknownClass
from numduel.rooms import Lobby, Play, new_token
from rooms.lobbies import act, running, write

PLAN = RoundPlan(Board.parse("divisor-duel:60"))


def test_a_lesson(place: str) -> None:
    async def main() -> None:
        async with running(place) as lobby:
            await lesson(lobby, Classes(lobby))

    act(main())


def test_so_many_classes_and_questions(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_classes, "MOST_CLASSES", 1)
    monkeypatch.setattr(discussion, "MOST_QUESTIONS", 2)

    async def main() -> None:
        async with teaching(place) as taught:
            with pytest.raises(TooBusy, match="classes are in use"):
                await taught.classes.open(new_token())
            for _ in range(2):
                await taught.teach("ask", PLAN.board)
            with pytest.raises(NotAllowed) as caught:
                await taught.teach("ask", PLAN.board)
            assert caught.value.problem == "questions"

    act(main())


def test_damaged_rows_are_told(place: str) -> None:
    async def main() -> None:
        async with teaching(place, "Ann") as taught:
            await taught.teach("start_round", PLAN)
            for damage in (
                "UPDATE class_rounds SET board = 'nonsense'",
                "UPDATE pupils SET number = -9007199254740993"
                if "://" not in place
                else "UPDATE classes SET opened = 'once'",
            ):
                write(place, damage)
                write(place, "UPDATE classes SET changes = changes + 1")
                with pytest.raises(StoreError) as caught:
                    await taught.look()
                assert caught.value.problem == "damaged"

    act(main())


async def lesson(lobby: Lobby, classes: Classes) -> None:
    teacher, mia, mia_too, ben = (new_token() for _ in range(4))
    code = (await classes.open(teacher)).code
    assert (await classes.join(code, mia, "Mia")).me.name == "Mia"  # type: ignore[union-attr]
    assert (await classes.join(code, mia_too, "mia")).me.name == "mia 2"  # type: ignore[union-attr]
    seen = await classes.look(code, teacher)
    assert [pupil.name for pupil in seen.pupils] == ["Mia", "mia 2"]
    assert (seen.stage, seen.teaches) == (Stage.GATHERING, True)
    with pytest.raises(NotSeated):
        await classes.start_round(code, mia, seen.version, PLAN)
    seen = await classes.start_round(code, teacher, seen.version, PLAN)
    (table,) = seen.tables
    assert set(table.pupils) == {1, 2}
    room = await lobby.look(table.room)
    first = mia if room.seat_of(mia) == 0 else mia_too
    room = await lobby.act(room.code, first, room.version, Play("30"))
    assert room.ply == 1
    wall = await classes.wall(code, teacher)
    assert wall.rooms[room.code].ply == 1
    seen = await classes.pause(code, teacher, seen.version)
    room = await lobby.look(room.code)
    second = mia_too if first == mia else mia
    with pytest.raises(NotAllowed) as caught:
        await lobby.act(room.code, second, room.version, Play("15"))
    assert caught.value.problem == "paused"
    late = await classes.join(code, ben, "Ben")
    assert late.tables[0].pupils == (3, None), "a match has begun: Ben meets the computer"
    seen = await classes.ask(code, teacher, seen.version, Board.parse("divisor-duel:30"))
    await classes.vote(code, mia, 1, "15")
    await classes.vote(code, mia, 1, "10")
    await classes.vote(code, ben, 1, "10")
    assert not (await classes.look(code, mia_too)).votes
    seen = await classes.show_next(code, teacher, seen.version)
    assert (await classes.look(code, mia_too)).votes == {"10": 2}
    seen = await classes.show_map(code, teacher, seen.version, "divisor-duel")
    await classes.guess(code, ben, 7, True)
    seen = await classes.unveil(code, teacher, seen.version)
    seen = await classes.next_round(code, teacher, seen.version)
    assert len(await classes.records(code, teacher)) == 4
    await classes.end(code, teacher)
    with pytest.raises(UnknownClass):
        await classes.look(code, teacher)
