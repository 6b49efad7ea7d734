"""Classes in rows, beside the rooms in which they play. Whoever changes a class locks its row.

Locks are taken in one order: the class, then its rooms. A move locks its room alone, and
never waits for a class.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Table,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from numduel.board import Board
from numduel.classes import parts as values
from numduel.classes.parts import Round, RoundPlan, Stage
from numduel.classes.school_class import SchoolClass
from numduel.errors import NumduelError, StoreError, UnknownClass
from numduel.rooms.rows import delete_rooms
from numduel.store import schema
from numduel.store.news import GONE, MORE, tell, wall_of
from numduel.store.schema import CLASSES, ROOMS, check_row

_CLASS = select(CLASSES).where(CLASSES.c.code == bindparam("code"))
_CHANGES = select(CLASSES.c.changes).where(CLASSES.c.code == bindparam("code"))
LOCK = _CHANGES.with_for_update()
_SAVE = update(CLASSES).where(CLASSES.c.code == bindparam("class"))
_PLAYED = select(func.sum(ROOMS.c.version)).where(ROOMS.c.class_code == bindparam("code"))
_COUNTED = select(CLASSES.c.counted).where(CLASSES.c.code == bindparam("code"))
_LOCK_ROOMS = (
    select(ROOMS.c.id, ROOMS.c.code)
    .where(ROOMS.c.class_code == bindparam("code"))
    .with_for_update()
)
_SAME = ("version", "changes", "stage", "invite", "key", "joined", "map_game", "unveiled", "locked",
         "made_up", "projector", "shows", "names")  # fmt: skip
"""Columns that hold what the class has under the same name."""


class _Part(NamedTuple):
    """What belongs to a class: its field, and its table, whose columns follow the class's code."""

    field: str
    table: Table
    read: Callable[..., Any]
    row: Callable[[Any], tuple[Any, ...]] = tuple


_PARTS = (
    _Part("teachers", schema.TEACHERS, values.Teacher),
    _Part("pupils", schema.PUPILS, values.Pupil, lambda one: one[:-1]),
    _Part("door", schema.DOOR, values.Pupil),
    _Part("removed", schema.REMOVED, str, lambda token: (token,)),
    _Part(
        "rounds",
        schema.CLASS_ROUNDS,
        lambda *row: Round(row[0], RoundPlan(Board.parse(row[1]), *row[2:-1]), row[-1]),
        lambda one: (one.number, str(one.plan.board), *one.plan[1:-1], one.ended),
    ),
    _Part(
        "all_tables",
        schema.CLASS_TABLES,
        lambda room, number, *pupils: values.Table(room, number, pupils),
        lambda one: (one.room, one.round, *one.pupils),
    ),
    _Part(
        "questions",
        schema.QUESTIONS,
        lambda number, board, *rest: values.Question(number, Board.parse(board), *rest),
        lambda one: (one.number, str(one.board), one.shown, one.winning),
    ),
    _Part("all_votes", schema.VOTES, values.Vote),
    _Part("all_guesses", schema.GUESSES, values.Guess),
    _Part(
        "all_puzzles",
        schema.CLASS_PUZZLES,
        lambda at, number, board, *rest: values.Posed(at, number, Board.parse(board), *rest),
        lambda one: (one.set, one.number, str(one.board), one.asks, one.solution),
    ),
    _Part("all_answers", schema.CLASS_ANSWERS, values.Answer),
)


def read_class(
    connection: Connection, code: str, known: SchoolClass | None, lock: bool
) -> SchoolClass:
    """The class; `known` itself where it stands so; `lock` for a change. Raises `UnknownClass`."""
    changes = connection.scalar(LOCK if lock else _CHANGES, {"code": code})
    if changes is None:
        raise UnknownClass(code=code)
    if known is not None and known.changes == changes:
        return known
    row = connection.execute(_CLASS, {"code": code}).mappings().one()
    check_row(row, CLASSES)

    def read(part: _Part) -> tuple[Any, ...]:
        rows = checked(connection, part.table, code, order=tuple(part.table.columns)[1:])
        return tuple(part.read(*tuple(row.values())[1:]) for row in rows)

    try:
        found: dict[str, Any] = {part.field: read(part) for part in _PARTS}
        found |= {name: row[name] for name in _SAME} | {"stage": Stage(row["stage"])}
        found["removed"] = frozenset(found["removed"])
        return SchoolClass(code, datetime.fromisoformat(row["opened"]), **found)
    except (NumduelError, ValueError) as error:
        raise StoreError(problem="damaged") from error


def add_class(connection: Connection, added: SchoolClass, now: float) -> None:
    """Keep a new class. A code that is taken is a `StoreError`."""
    row = {"code": added.code, "opened": added.opened.isoformat(), **_row(added, now)}
    connection.execute(insert(CLASSES), row)
    _write_parts(connection, None, added)


def save_class(
    connection: Connection, before: SchoolClass, after: SchoolClass, now: float
) -> SchoolClass:
    after = replace(
        after,
        changes=before.changes + 1,
        # In the order in which they are read.
        teachers=tuple(sorted(after.teachers)),
        all_tables=tuple(sorted(after.all_tables)),
        all_votes=tuple(sorted(after.all_votes)),
        all_guesses=tuple(sorted(after.all_guesses)),
        all_answers=tuple(sorted(after.all_answers)),
    )
    _write_parts(connection, before, after)
    connection.execute(_SAVE, {"class": after.code, **_row(after, now)})
    if after.version != before.version:
        tell(connection, after.code, after.version)
    tell(connection, wall_of(after.code), MORE)
    return after


def delete_class(connection: Connection, code: str) -> list[str]:
    """Forget the class and all that belongs to it; topics of what is gone."""
    # Rooms before their matches, as a move locks them.
    rooms = {row.id: row.code for row in connection.execute(_LOCK_ROOMS, {"code": code})}
    delete_rooms(connection, rooms)
    connection.execute(delete(CLASSES).where(CLASSES.c.code == code))
    gone = [code, wall_of(code)]
    for topic in gone:
        tell(connection, topic, GONE)
    return [*rooms.values(), *gone]


def delete_classes_before(connection: Connection, oldest: float) -> list[str]:
    """Forget classes in which nothing has been done since; topics of what is gone."""
    lately = select(ROOMS.c.id).where(ROOMS.c.class_code == CLASSES.c.code, ROOMS.c.used >= oldest)
    query = select(CLASSES.c.code).where(CLASSES.c.used < oldest, ~lately.exists())
    gone: list[str] = []
    for code in list(connection.scalars(query.with_for_update(skip_locked=True))):
        gone += delete_class(connection, code)
    return gone


def read_wall_version(connection: Connection, code: str) -> int:
    """What a teacher's page goes by: it grows with every change, move and counted match."""
    queries = (_CHANGES, _PLAYED, _COUNTED)
    changes, *others = (connection.scalar(query, {"code": code}) for query in queries)
    return GONE if changes is None else changes + sum(int(other or 0) for other in others)


def checked(
    connection: Connection,
    table: Table,
    *keys: object,
    order: tuple[Any, ...] = (),
    most: int | None = None,
) -> list[dict[str, Any]]:
    """The rows whose first columns are these. Raises `StoreError` for a damaged one."""
    these = (column == key for column, key in zip(table.columns, keys, strict=False))
    query = select(table).where(*these).order_by(*order).limit(most)
    found = [dict(row) for row in connection.execute(query).mappings()]
    for row in found:
        check_row(row, table)
    return found


def _row(found: SchoolClass, now: float) -> dict[str, Any]:
    return {"used": now, **{name: getattr(found, name) for name in _SAME}}


def _write_parts(connection: Connection, before: SchoolClass | None, after: SchoolClass) -> None:
    for field, table, _, as_row in _PARTS:
        old = set() if before is None else set(map(as_row, getattr(before, field)))
        new = set(map(as_row, getattr(after, field)))
        for row in old - new:
            named = zip(table.primary_key, (after.code, *row), strict=False)
            connection.execute(delete(table).where(*(key == value for key, value in named)))
        names = table.columns.keys()
        added = [dict(zip(names, (after.code, *row), strict=True)) for row in sorted(new - old)]
        if added:
            connection.execute(insert(table), added)
