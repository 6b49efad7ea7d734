"""What a class shows costs the same, however much it has played."""

from typing import Any

from sqlalchemy import event, insert, select, text

from classes.taught import LONG, teaching
from loops import on_loop
from numduel.classes.actions import StartRound
from numduel.classes.parts import RoundPlan, rules_of
from numduel.rooms.kept_rooms import Rooms
from numduel.store.schema import MATCHES, ROUNDS, TURNS
from patience import PATIENT


class Work:
    """Counts what SQLite does: one for about 50 of its own steps, and each statement."""

    def __init__(self, rooms: Rooms) -> None:
        self.steps = self.statements = 0
        engine = rooms.database._engine
        event.listen(engine, "before_cursor_execute", self._begin)

    def _begin(self, connection: Any, *_: object) -> None:
        self.statements += 1
        connection.connection.driver_connection.set_progress_handler(self._step, 50)

    def _step(self) -> int:
        self.steps += 1
        return 0


@on_loop
async def test_what_a_class_shows_costs_the_same_however_much_was_played(file: str) -> None:
    """After 8 matches, and after 400 rematches more with 4,000 turns."""
    async with teaching(file, *(f"Pupil {n}" for n in range(16))) as taught:
        await taught.teach(StartRound(RoundPlan(LONG)))
        for room in await taught.rooms():
            await taught.resign(await taught.to_move(room))
        work = await taught.lobby.read(Work)

        async def pages() -> tuple[int, int]:
            """What all of them take, once everything that is over was judged."""
            code, teacher = taught.code, taught.teacher
            while any(
                one.figures.waiting for _, one in await taught.classes.learned(code, teacher)
            ):
                pass
            await taught.lobby.tasks.wait(("judging", code), PATIENT)
            work.steps = work.statements = 0
            await taught.classes.learned(code, teacher)
            await taught.classes.seen(code, teacher, rules_of(LONG))
            await taught.classes.wall(code, teacher)
            await taught.classes.wall_version(code, teacher)
            return work.steps, work.statements

        few = await pages()
        await taught.lobby.change(lambda rooms: rematches(rooms, 400))
        many = await pages()
        ((_, found),) = await taught.classes.learned(taught.code, taught.teacher)
        assert found.figures.matches == found.figures.judged == 408
        assert few[0] > 10, "it is counted at all"
        assert many[1] == few[1]
        assert many[0] <= 1.5 * few[0] + 10, (few, many)


def rematches(rooms: Rooms, count: int) -> None:
    """So many finished matches of ten turns, as if they had been played at the first table."""
    turns = [{"turn": turn, "move": "1"} for turn in range(1, 11)]
    with rooms.database.writing() as connection:
        first = connection.execute(text("SELECT room_id, match_id FROM rounds")).first()
        assert first is not None
        row = dict(
            connection.execute(select(MATCHES).where(MATCHES.c.id == first[1])).mappings().one()
        )
        del row["id"]
        for number in range(2, count + 2):
            match = connection.execute(insert(MATCHES).returning(MATCHES.c.id), row).scalar_one()
            connection.execute(insert(TURNS), [{"match_id": match, **turn} for turn in turns])
            given = {"room_id": first[0], "match_id": match, "round": number, "code": f"x{number}"}
            connection.execute(insert(ROUNDS), given)
