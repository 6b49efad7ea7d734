"""What is counted of a class, in rows: added to as its matches end, and read as a page shows it."""

from typing import Any

from sqlalchemy import Connection, Integer, Table, bindparam, or_, select, text, update

from numduel.board import Board
from numduel.classes.learned import CommonMistake, Count, Figures, Seen
from numduel.classes.parts import Played
from numduel.classes.rows import LOCK, checked
from numduel.classes.school_class import SchoolClass
from numduel.errors import NumduelError, StoreError, UnknownClass
from numduel.store import schema
from numduel.store.matches import read_matches
from numduel.store.news import MORE, tell, wall_of
from numduel.store.schema import CLASSES, MATCHES, ROOMS, ROUNDS

_COUNT = update(CLASSES).where(CLASSES.c.code == bindparam("class"))
_COUNT = _COUNT.values(counted=CLASSES.c.counted + 1)
_MATCHES = (
    select(MATCHES, *schema.CLASS_TABLES.c["round", "pupil_1", "pupil_2"])
    .join(ROUNDS, ROUNDS.c.match_id == MATCHES.c.id)
    .join(ROOMS, ROOMS.c.id == ROUNDS.c.room_id)
    .join(schema.CLASS_TABLES, schema.CLASS_TABLES.c.room_code == ROOMS.c.code)
    .where(ROOMS.c.class_code == bindparam("code"))
)
_NEW, _COUNTED_ONLY = ROUNDS.c.judged.is_(None), ROUNDS.c.judged == ""
_OVER = or_(
    MATCHES.c.winner.is_not(None),
    schema.CLASS_TABLES.c.round.in_(bindparam("ended", expanding=True)),
)
_MARK = update(ROUNDS).where(ROUNDS.c.match_id == bindparam("match"))


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
    """Add what was found in these matches, each once: `judged` is what says so then.

    Raises `UnknownClass`.
    """
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
    tell(connection, wall_of(code), MORE)


def read_seen(connection: Connection, code: str, rules: str) -> dict[int, Seen]:
    """What the class has seen of a game: how often who was to move at a number won and lost."""
    rows = checked(connection, schema.SEEN, code, rules)
    return {row["value"]: Seen(row["won"], row["lost"]) for row in rows}


def read_figures(connection: Connection, code: str) -> dict[tuple[int, int], Figures]:
    """What was counted of each pupil in each round, and of everybody."""
    rows = map(tuple, map(dict.values, checked(connection, schema.FIGURES, code)))
    return {(row[1], row[2]): Figures(*row[3:]) for row in rows}


def read_mistakes(connection: Connection, whole: SchoolClass) -> list[CommonMistake | None]:
    """The commonest mistake of each round; of equally common ones, the first by its text."""
    columns = schema.MISTAKES.c
    order = (columns.times.desc(), columns.board, columns.move)

    def commonest(number: int) -> CommonMistake | None:
        found = checked(connection, schema.MISTAKES, whole.code, number, order=order, most=1)
        for _, _, written, move, best, times in map(dict.values, found):
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
    return text(
        f"INSERT INTO {table.name} ({', '.join(names)}) VALUES (:{', :'.join(names)}) "
        f"ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {', '.join(sums)}"
    )


_ADD = {table: _adding(table) for table in (schema.SEEN, schema.FIGURES, schema.MISTAKES)}
