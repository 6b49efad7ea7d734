"""How many of what a class may have, damaged rows, half a round, and guessing its code."""

from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import event

from classes.taught import BOARD, PLAN, Taught, teaching
from loops import on_loop
from numduel import errors
from numduel.classes import Classes, WrongCodes, actions, kept_classes, roster
from numduel.classes.actions import Ask, Pause, StartRound
from numduel.classes.kept_classes import KeptClasses
from numduel.classes.roster import Join, LetIn, Rename
from numduel.rooms import Room, Terms, changes, new_token
from numduel.thinking.meter import VISIT, Meter
from rooms.lobbies import running, write
from rooms.opened import Servers, Told, refused

METER = Meter()


@on_loop
async def test_so_many_classes_questions_and_pupils(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_classes, "MOST_CLASSES", 1)
    monkeypatch.setattr(actions, "MOST_QUESTIONS", 2)
    monkeypatch.setattr(roster, "MOST_PUPILS", 2)
    async with teaching(place, "Mia", "Ben") as taught:
        with refused("class is full"):
            await taught.join("Cleo")
        await taught.do("Mia", Join())  # who is in, stays in
        with pytest.raises(errors.TooBusy, match="classes are in use"):
            await taught.classes.open(new_token())
        for _ in range(2):
            await taught.teach(Ask(BOARD))
        with refused("questions"):
            await taught.teach(Ask(BOARD))


def test_what_is_known_is_not_read_again(servers: Servers) -> None:
    """Not the class when somebody joins, nor boards that a page does not show, or that stand."""
    rooms = servers()
    classes, teacher, ann = KeptClasses(rooms), new_token(), new_token()
    code = classes.open(teacher).code
    classes.act(code, ann, 0, Join("Ann"))
    classes.act(code, teacher, 1, StartRound(PLAN))
    asked: list[str] = []
    event.listen(
        rooms.database._engine, "before_cursor_execute", lambda *given: asked.append(str(given[2]))
    )

    def read(table: str) -> int:
        selects = (f"{one} ".replace("\n", " ") for one in asked if one.startswith("SELECT"))
        return sum(f"FROM {table} " in one for one in selects)

    classes.act(code, new_token(), 0, Join("Ben"))
    classes.look(code, ann)
    assert (read("pupils"), read("classes")) == (0, 2), "how often it was changed, and no more"
    asked.clear()
    with rooms.database.writing():  # as changes that wait together are made
        for name in ("Cleo", "Dora", "Emil"):
            classes.act(code, teacher, 0, Rename(1, name))
    assert (read("pupils"), read("turns")) == (0, 0), "what the change before has saved"
    assert classes.look(code, teacher).pupils[0].name == "Emil"
    asked.clear()
    assert classes.wall(code, teacher, boards=False).rooms == {}
    assert read("turns") == 0
    (room,) = classes.wall(code, teacher).rooms.values()
    asked.clear()
    assert [*classes.wall(code, teacher).rooms.values()] == [room]
    assert (read("matches"), read("seats")) == (0, 0)


@on_loop
async def test_damaged_rows_are_told(place: str) -> None:
    async with teaching(place, "Ann") as taught:
        await taught.teach(StartRound(PLAN))
        for damage in (
            "UPDATE class_rounds SET board = 'nonsense'",
            "UPDATE pupils SET number = -9007199254740993"
            if "://" not in place
            else "UPDATE classes SET opened = 'once'",
        ):
            write(place, damage)
            write(place, "UPDATE classes SET changes = changes + 1")
            with refused("damaged", errors.StoreError):
                await taught.look()


@on_loop
async def test_who_guesses_is_told_nothing_more(place: str) -> None:
    async with running(place) as lobby:
        taught = Taught(lobby, "", new_token())
        classes = taught.classes = Classes(lobby, WrongCodes(3, 1))
        VISIT.set(METER.visit(b"the address of the class", None, {}))
        taught.code = (await classes.open(taught.teacher)).code
        await taught.join("Ann")
        VISIT.set(METER.visit(b"another address", None, {}))
        stranger = new_token()
        for code in ("2a3b4", "x", "2a3b5"):
            with pytest.raises(errors.UnknownClass):
                await classes.look(code, stranger)
        for code in ("2a3b4", "nonsense", taught.code):
            with pytest.raises(errors.TooManyRequests) as caught:
                await classes.look(code, stranger)
            assert 0 < caught.value.seconds <= 60
            for action in (Join("Eve"), LetIn("secret"), Pause()):
                with pytest.raises(errors.TooManyRequests):
                    await classes.act(code, stranger, 1, action)
        VISIT.set(METER.visit(b"the address of the class", None, {}))
        assert (await classes.look(taught.code, stranger)).me is None
        for code in ("2a3b4", "x", "2a3b5"):
            with pytest.raises(errors.UnknownClass):
                await classes.look(code, stranger)
        with pytest.raises(errors.TooManyRequests):
            await classes.look("2a3b4", stranger)
        assert (await taught.look("Ann")).me is not None
        await taught.join("Ben")  # a classmate, whom the guesses of another do not shut out
        with pytest.raises(errors.NotSeated):
            await classes.act(taught.code, taught.tokens["Ann"], 1, Pause())
        heard = 0
        for token in [new_token() for _ in range(10)]:
            METER.remember(token)
            VISIT.set(METER.visit(b"an address with ten seats", token, {}))
            with suppress(errors.TooManyRequests):
                for code in ("2a3b4", "x", "2a3b5", "2a3b6"):
                    with pytest.raises(errors.UnknownClass):
                        await classes.look(code, token)
                    heard += 1
        assert heard == 5 * 3, "tokens gain little"


@on_loop
async def test_a_class_that_has_ended_is_no_guess(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(place) as lobby:
        classes, teacher = Classes(lobby, WrongCodes(1, 1)), new_token()
        codes = [(await classes.open(teacher)).code for _ in range(2)]
        for code in codes:
            await classes.look(code, teacher)
            await classes.end(code, teacher)
        for _ in range(40):
            with pytest.raises(errors.UnknownClass):
                await classes.look(codes[0], new_token())
        monkeypatch.setattr("numduel.classes.classes._MOST_CODES", 2)
        kept = (await classes.open(teacher)).code
        await classes.look(kept, teacher)
        with pytest.raises(errors.UnknownClass):
            await classes.look(codes[0], None)
        with pytest.raises(errors.TooManyRequests):
            await classes.look(codes[1], None)


def test_a_round_that_cannot_be_started_leaves_nothing(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even in one transaction with the changes of others, and with half of the rooms open."""
    told: Told = []
    rooms = servers(told)
    classes, teacher = KeptClasses(rooms), new_token()
    code = classes.open(teacher).code
    for name in "ABCDEF":
        classes.act(code, new_token(), 0, Join(name))
    classes.act(code, teacher, 1, StartRound(PLAN))
    before, seen = classes.look(code, teacher), classes.wall(code, teacher)
    opened, made = changes.opened_by_class, []

    def breaks(*values: Any) -> Room:
        if len(made) == 2:
            raise errors.InvalidSetup(problem="same names", name="Mia")
        made.append(opened(*values))
        return made[-1]

    monkeypatch.setattr(changes, "opened_by_class", breaks)
    with rooms.database.writing():
        with pytest.raises(errors.InvalidSetup):
            classes.act(code, teacher, 2, StartRound(PLAN))
        other = rooms.open(Terms(BOARD), new_token(), 0)
    monkeypatch.undo()
    assert len(made) == 2
    assert not {room.code for room in made} & {topic for topic, _ in told}
    assert classes.look(code, teacher) == before
    assert classes.wall(code, teacher) == seen
    assert rooms.look(other.code) == other, "the others' changes stand"
    assert rooms.count() == 4
