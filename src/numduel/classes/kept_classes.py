"""The classes of a database: each change is one transaction, with what it does to rooms."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import Connection, func, select

from numduel.board import Board
from numduel.classes import roster, rows
from numduel.classes.actions import Action
from numduel.classes.learned import EVERYBODY, Count, Figures, Learned, Seen
from numduel.classes.parts import Played, Round, Stage, Table
from numduel.classes.rounds import Rounds
from numduel.classes.school_class import SchoolClass, Wall
from numduel.errors import NotAllowed, TooBusy, UnknownClass
from numduel.rooms.kept_rooms import Beside, Rooms
from numduel.rooms.room import Room
from numduel.rooms.steady_time import now
from numduel.store.news import GONE, MORE, wall_of
from numduel.store.schema import CLASSES

CLASS_KEPT = timedelta(hours=2)  # after the last action; then it is forgotten
MOST_CLASSES = 1_000
_MOST_KNOWN = 1_000
_ROOMS_AT_ONCE = 1_000  # rooms of a class that are deleted in one transaction: it has up to 6,000


class KeptClasses(Beside):
    """Opens, changes and forgets classes, whose rooms are these. For any thread. One in memory may
    be old: how often it was changed is compared before it is used. Raises `NotAllowed` and
    `StoreError`; then nothing has changed.
    """

    def __init__(self, rooms: Rooms) -> None:
        self._rooms, self._database = rooms, rooms.database
        self._known: dict[str, SchoolClass] = {}
        rooms.beside = self

    def open(self, token: str) -> SchoolClass:
        with self._database.writing() as connection:
            count = connection.scalar(select(func.count()).select_from(CLASSES))
            if count is not None and count >= MOST_CLASSES:
                raise TooBusy("classes", limit=MOST_CLASSES)
            opened = rows.save_class(connection, None, roster.opened(token, now()), now())
        return opened.seen_by(token)

    def look(self, code: str, token: str | None) -> SchoolClass:
        return self._whole(code).seen_by(token)

    def wall(self, code: str, token: str | None, boards: bool = True) -> Wall:
        with self._database.reading() as connection:
            # First: what is shown may be newer, never older.
            version = rows.read_wall_version(connection, code)
            whole = self._whole(code)
            whole.check_looks(token)
            codes = [table.room for table in whole.tables] if boards else []
            return Wall(version, whole.seen_by(token), self._rooms.look_at_all(codes))

    def seen(self, code: str, token: str | None, rules: str) -> dict[int, Seen]:
        with self._database.reading() as connection:
            whole = self._whole(code)
            if not (whole.is_teacher(token) or whole.is_projector(token)):
                whole.check("pupil", token)
                if whole.stage != Stage.MAP or whole.map_game != rules:
                    raise NotAllowed(problem="no map")
            return rows.read_seen(connection, code, rules)

    def learned(self, code: str, token: str | None) -> list[tuple[Round, Learned]]:
        """Of each round, once what is over in it is counted."""
        with self._database.reading() as connection:
            whole = self._whole(code)
            whole.check_looks(token)
            figures = rows.read_figures(connection, code)
            mistakes = rows.read_mistakes(connection, whole)
            moved = {whose for whose, one in figures.items() if one.moved}
            going = self._rooms_of(whole.tables if whole.is_playing else ())
            for table, room in going.items():
                seats = {turn.player for turn in room.turns if turn.move is not None}
                moved |= {(table.round, table.pupils[seat] or EVERYBODY) for seat in seats}
            still = [
                one
                for one in whole.all_tables
                if None not in one.pupils and moved.isdisjoint((one.round, n) for n in one.pupils)
            ]
            waited = {
                (table.round, table.pupils[1 - room.setup.first])
                for table, room in self._rooms_of(still).items()
            }
        seated = {(one.round, number) for one in whole.all_tables for number in one.pupils}
        playing = sum(room.over is None for room in going.values())
        found = []
        for each, mistake in zip(whole.rounds, mistakes, strict=True):
            idle, waits = (
                tuple(one.name for one in whole.pupils if (each.number, one.number) in those)
                for those in (seated - moved - waited, waited - moved)
            )
            everybody = figures.get((each.number, EVERYBODY), Figures())
            now = 0 if each.ended else playing
            found.append((each, Learned(everybody, mistake, idle, waits, now)))
        return found

    def act(
        self, code: str, token: str | None, version: int, action: Action
    ) -> tuple[SchoolClass, list[Room]]:
        """The class once it is done, and the rooms that changed with it."""
        with self._database.writing(all_or_nothing=True) as connection:
            before, rounds = self._whole(code, lock=True), Rounds(self._rooms)
            if action.by:
                before.check(action.by, token)
            if action.answers and before.version != version:
                raise NotAllowed(problem="class moved on")
            after = action.apply(before, rounds, token)
            if after is not before:
                after = self._save(connection, before, after)
        return after.seen_by(token), rounds.touched

    def end(self, code: str, token: str | None) -> bool:
        """Delete some of its rooms, or all that is left: has the class gone?"""
        with self._database.writing() as connection:
            self._whole(code, lock=True).check("first teacher", token)
            if done := code in self._delete(connection, code):
                self._database.when_durable(self._database.tidy)
        return done

    def figures(self, code: str, token: str | None) -> dict[tuple[int, int], Figures]:
        with self._database.reading() as connection:
            self._whole(code).check("teacher", token)
            return rows.read_figures(connection, code)

    def to_solve(self, code: str) -> dict[int, Board]:
        """Questions whose winning moves are not known yet."""
        return {one.number: one.board for one in self._whole(code).questions if one.winning is None}

    def keep_solved(self, code: str, number: int, winning: str) -> None:
        with self._database.writing() as connection:
            before = self._whole(code, lock=True)
            solved = (one._replace(winning=winning) if one.number == number else one
                      for one in before.questions)  # fmt: skip
            self._save(connection, before, replace(before, questions=tuple(solved)))

    def over(self, code: str, most: int, counted: bool = False) -> list[Played]:
        """Some matches that are over: not counted yet; or `counted`, and not judged yet."""
        with self._database.reading() as connection:
            return rows.read_over(connection, self._whole(code), most, counted)

    def add(self, code: str, found: dict[int, Count], judged: str) -> None:
        """Count them, each once; `judged` as `rows.add_counts` has it."""
        with self._database.writing() as connection:
            rows.add_counts(connection, code, found, judged)
            self._database.tell(wall_of(code), MORE)

    def version_of(self, topic: str) -> int:
        code = topic.removesuffix(wall_of(""))
        try:
            version = self._whole(code).version
        except UnknownClass:
            return GONE
        return version if code == topic else MORE

    def expire(self) -> int:
        with self._database.writing() as connection:
            code = rows.unused_class(connection, now() - CLASS_KEPT.total_seconds())
            return 0 if code is None else len(self._delete(connection, code))

    def drop(self, topic: str) -> None:
        self._known.pop(topic, None)

    def _delete(self, connection: Connection, code: str) -> list[str]:
        """What is gone then: some of its rooms; with the last of them the class and its wall."""
        gone = rows.delete_class(connection, code, _ROOMS_AT_ONCE)
        self._rooms.forget(gone)
        return gone

    def _save(self, connection: Connection, before: SchoolClass, after: SchoolClass) -> SchoolClass:
        after = rows.save_class(connection, before, after, now())
        self._database.remember(after.code, after, self._remember)
        if after.version != before.version:
            self._database.tell(after.code, after.version)
        self._database.tell(wall_of(after.code), MORE)
        return after

    def _whole(self, code: str, lock: bool = False) -> SchoolClass:
        """All of the class; `lock` for a change."""
        known: SchoolClass | None = self._database.as_of_now(code) or self._known.get(code)
        try:
            with self._database.reading() as connection:
                whole = rows.read_class(connection, code, known, lock)
        except UnknownClass:
            self.drop(code)
            raise
        if whole is not known:
            self._database.remember(code, whole, self._remember)
        return whole

    def _rooms_of(self, tables: Iterable[Table]) -> dict[Table, Room]:
        rooms = self._rooms.look_at_all(table.room for table in tables)
        return {table: rooms[table.room] for table in tables if table.room in rooms}

    def _remember(self, whole: SchoolClass) -> None:
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[whole.code] = whole
