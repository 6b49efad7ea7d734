"""Classes in rows, beside the rooms in which they play. Whoever changes a class locks its row, then
its rooms, in this order. A move locks its room alone, and never waits for a class.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sql
from sqlalchemy import Connection, Integer, Table, bindparam, select, update

from numduel.board import Board
from numduel.classes import parts as values
from numduel.classes.learned import CommonMistake, Count, Figures, Seen
from numduel.classes.parts import Played, Round, RoundPlan, Stage
from numduel.classes.school_class import SchoolClass
from numduel.errors import NumduelError, StoreError, UnknownClass
from numduel.rooms.rows import delete_rooms
from numduel.store import schema
from numduel.store.matches import read_matches
from numduel.store.news import GONE, wall_of
from numduel.store.schema import CLASS_TABLES, CLASSES, MATCHES, ROOMS, ROUNDS, check_rows

_CLASS = select(CLASSES).where(CLASSES.c.code == bindparam("code"))
_CHANGES = select(CLASSES.c.changes).where(CLASSES.c.code == bindparam("code"))
LOCK = _CHANGES.with_for_update()
_SAVE = update(CLASSES).where(CLASSES.c.code == bindparam("class"))
_PLAYED = select(sql.func.sum(ROOMS.c.version)).where(ROOMS.c.class_code == bindparam("code"))
_WALL = select(
    CLASSES.c.changes + CLASSES.c.counted + sql.func.coalesce(_PLAYED.scalar_subquery(), 0)
).where(CLASSES.c.code == bindparam("code"))
_LOCK_ROOMS = (
    select(ROOMS.c.id, ROOMS.c.code)
    .where(ROOMS.c.class_code == bindparam("code"))
    .order_by(ROOMS.c.id)
    .with_for_update()
)
_SAME = ("version", "changes", "stage", "invite", "key", "joined", "map_game", "unveiled", "locked",
         "made_up", "projector", "shows", "names")  # fmt: skip
"""Columns that hold what the class has under the same name."""
_CHANGED = _SAVE.values(changes=CLASSES.c.changes + 1)
_COUNT = update(CLASSES).where(CLASSES.c.code == bindparam("class"))
_COUNT = _COUNT.values(counted=CLASSES.c.counted + 1)
_MATCHES = (
    select(MATCHES, *CLASS_TABLES.c["round", "pupil_1", "pupil_2"])
    .join(ROUNDS, ROUNDS.c.match_id == MATCHES.c.id)
    .join(ROOMS, ROOMS.c.id == ROUNDS.c.room_id)
    .join(CLASS_TABLES, CLASS_TABLES.c.room_code == ROOMS.c.code)
    .where(ROOMS.c.class_code == bindparam("code"))
)
_NEW, _COUNTED_ONLY = ROUNDS.c.judged.is_(None), ROUNDS.c.judged == ""
_OVER = sql.or_(
    MATCHES.c.winner.is_not(None),
    CLASS_TABLES.c.round.in_(bindparam("ended", expanding=True)),
)
_MARK = update(ROUNDS).where(ROUNDS.c.match_id == bindparam("match"))


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
        CLASS_TABLES,
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
    row = connection.execute(_CLASS, {"code": code}).one()
    check_rows([row], CLASSES)

    def read(part: _Part) -> tuple[Any, ...]:
        rows = checked(connection, part.table, code, order=tuple(part.table.columns)[1:])
        return tuple(part.read(*row[1:]) for row in rows)

    try:
        found: dict[str, Any] = {part.field: read(part) for part in _PARTS}
        found |= {name: getattr(row, name) for name in _SAME} | {"stage": Stage(row.stage)}
        found["removed"] = frozenset(found["removed"])
        return SchoolClass(code, datetime.fromisoformat(row.opened), **found)
    except (NumduelError, ValueError) as error:
        raise StoreError(problem="damaged") from error


def save_class(
    connection: Connection, before: SchoolClass | None, after: SchoolClass, now: float
) -> SchoolClass:
    """Write what differs; None before: a new class. A code that is taken is a `StoreError`."""
    row = {"used": now, **{name: getattr(after, name) for name in _SAME}}
    if before is None:
        opened = {"code": after.code, "opened": after.opened.isoformat()}
        connection.execute(sql.insert(CLASSES), row | opened)
    else:
        # In the order in which they are read.
        fields = ("teachers", "all_tables", "all_votes", "all_guesses", "all_answers")
        ordered: dict[str, Any] = {
            name: tuple(sorted(getattr(after, name)))
            for name in fields
            if getattr(after, name) is not getattr(before, name)
        }
        after = replace(after, changes=before.changes + 1, **ordered)
        connection.execute(_SAVE, row | {"class": after.code, "changes": after.changes})
    for field, table, _, as_row in _PARTS:
        old, new = (getattr(one, field, ()) for one in (before, after))
        if old is new:
            continue
        names = table.columns.keys()
        named = (key == bindparam(key.name) for key in table.primary_key)
        # One statement for all rows: a pupil may leave behind a thousand.
        for statement, rows in (
            (sql.delete(table).where(*named), {*old} - {*new}),
            (sql.insert(table), {*new} - {*old}),
        ):
            given = [(after.code, *row) for row in sorted(map(as_row, rows))]
            if given:
                connection.execute(statement, [dict(zip(names, row, strict=True)) for row in given])
    return after


def delete_class(connection: Connection, code: str, most: int) -> list[str]:
    """Forget so many rooms of the class, of the first rounds first; with the last of them the class
    and all that belongs to it. What is gone, by topic.
    """
    # Rooms before their matches, as a move locks them.
    rooms = delete_rooms(connection, _LOCK_ROOMS.limit(most).params(code=code))
    if len(rooms) == most:  # there may be more
        connection.execute(_CHANGED, {"class": code})
        return rooms
    connection.execute(sql.delete(CLASSES).where(CLASSES.c.code == code))
    return [*rooms, code, wall_of(code)]


def unused_class(connection: Connection, oldest: float) -> str | None:
    """The class in which nothing has been done for longest, if not since then; locked."""
    lately = select(ROOMS.c.id).where(ROOMS.c.class_code == CLASSES.c.code, ROOMS.c.used >= oldest)
    query = select(CLASSES.c.code).where(CLASSES.c.used < oldest, ~lately.exists())
    query = query.order_by(CLASSES.c.used).limit(1).with_for_update(skip_locked=True)
    return connection.scalar(query)


def read_wall_version(connection: Connection, code: str) -> int:
    """What a teacher's page goes by: it grows with every change, move and counted match."""
    return int(connection.scalar(_WALL, {"code": code}) or GONE)


def checked(
    connection: Connection,
    table: Table,
    *keys: object,
    order: tuple[Any, ...] = (),
    most: int | None = None,
) -> Sequence[Any]:
    """The rows whose first columns are these. Raises `StoreError` for a damaged one."""
    these = (column == key for column, key in zip(table.columns, keys, strict=False))
    query = select(table).where(*these).order_by(*order).limit(most)
    found = connection.execute(query).all()
    check_rows(found, table)
    return found


def read_over(connection: Connection, whole: SchoolClass, most: int, counted: bool) -> list[Played]:
    """Some matches that are over, or whose round is: not counted yet, or that and not judged."""
    ended = [one.number for one in whole.rounds if one.ended] or [0]
    query = _MATCHES.where(_COUNTED_ONLY if counted else _NEW, _OVER).limit(most)
    query = query.params(code=whole.code, ended=ended)
    return [
        Played(row.round, (row.pupil_1, row.pupil_2), kept.record, kept.id)
        for row, kept in zip(
            connection.execute(query), read_matches(connection, query), strict=True
        )
    ]


def add_counts(connection: Connection, code: str, found: dict[int, Count], judged: str) -> None:
    """Add what was found in these matches, each once: `judged` is what says so then."""
    if connection.scalar(LOCK, {"code": code}) is None:
        raise UnknownClass(code=code)
    mark = _MARK.where(_COUNTED_ONLY if judged else _NEW).values(judged=judged)
    # Another server may have been quicker.
    mine = [one for one in found if connection.execute(mark, {"match": one}).rowcount]
    for count in map(found.__getitem__, mine):
        for table, rows in (
            (schema.SEEN, [(*where, *seen) for where, seen in count.seen.items()]),
            (schema.FIGURES, [(*whose, *one) for whose, one in count.figures.items()]),
            (schema.MISTAKES, [(*mistake, 1) for mistake in count.mistakes]),
        ):
            names = table.columns.keys()
            if given := [dict(zip(names, (code, *row), strict=True)) for row in rows]:
                connection.execute(_ADD[table], given)
    connection.execute(_COUNT, {"class": code})


def read_seen(connection: Connection, code: str, rules: str) -> dict[int, Seen]:
    """What the class has seen of a game: how often who was to move at a number won and lost."""
    rows = checked(connection, schema.SEEN, code, rules)
    return {row.value: Seen(row.won, row.lost) for row in rows}


def read_figures(connection: Connection, code: str) -> dict[tuple[int, int], Figures]:
    rows = checked(connection, schema.FIGURES, code)
    return {(row[1], row[2]): Figures(*row[3:]) for row in rows}


def read_mistakes(connection: Connection, whole: SchoolClass) -> list[CommonMistake | None]:
    """The commonest mistake of each round; of equally common ones, the first by its text."""
    columns = schema.MISTAKES.c
    order = (columns.times.desc(), columns.board, columns.move)

    def commonest(number: int) -> CommonMistake | None:
        found = checked(connection, schema.MISTAKES, whole.code, number, order=order, most=1)
        for _, _, written, move, best, times in found:
            board = Board.parse(written)
            better = None if best is None else board.parse_move(best)
            return CommonMistake(board, board.parse_move(move), times, better)
        return None

    try:
        return [commonest(one.number) for one in whole.rounds]
    except NumduelError as error:
        raise StoreError(problem="damaged") from error


def _adding(table: Table) -> Any:
    """Adds a row, or its figures to those that are there."""
    names, keys = table.columns.keys(), table.primary_key.columns.keys()
    sums = [
        f"{name} = {table.name}.{name} + excluded.{name}"
        for name, column in table.columns.items()
        if isinstance(column.type, Integer) and name not in keys
    ]
    return sql.text(
        f"INSERT INTO {table.name} ({', '.join(names)}) VALUES (:{', :'.join(names)}) "
        f"ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {', '.join(sums)}"
    )


_ADD = {table: _adding(table) for table in (schema.SEEN, schema.FIGURES, schema.MISTAKES)}
