"""The tables of a history, what a row may hold, and how an older history becomes a current one.

A history says its version in `schema_version`. A new one is made as the tables stand here;
an older one goes through `steps`, all that are due in one transaction.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any

import sqlalchemy as sql
from sqlalchemy import Boolean, Column, Connection, Double, Integer, Table, Text, text

from numduel.errors import StoreError
from numduel.store.steps import STEPS, VERSION

TABLES = sql.MetaData()

_LARGEST = 2**53
_LAST_YEAR = 9000  # time is counted on from moments, and has an end


class Moment(Text):
    """A moment with its zone, as ISO 8601 writes it."""


class Player(Integer):
    """0 or 1: a player, or a seat."""


_Kind = type[sql.types.TypeEngine[Any]]
_Columns = list[Column[Any]]


def _may_have(kind: _Kind, names: str, **values: Any) -> _Columns:
    return [Column(name, kind, **values) for name in names.split()]


_have, _keys = partial(_may_have, nullable=False), partial(_may_have, primary_key=True)


def _part_of(place: str, name: str, kind: _Kind, key: bool = True) -> _Columns:
    """It goes when that goes."""
    goes_with = sql.ForeignKey(place, ondelete="CASCADE")
    return [Column(name, kind, goes_with, primary_key=key, nullable=False)]


def _table(name: str, *columns: _Columns) -> Table:
    return Table(name, TABLES, *chain(*columns), sqlite_autoincrement=True)


def _number() -> _Columns:
    """Rows have numbers that are never used again."""
    return [Column("id", Integer, sql.Identity(), primary_key=True)]


SCHEMA_VERSION = _table("schema_version", _have(Integer, "version"))

MATCHES = _table(
    "matches",
    _number(),
    _have(Moment, "began"),
    _have(Text, "board name_1 name_2 player_1 player_2 overshoot"),
    _have(Player, "first"),
    _may_have(Integer, "penalty best_of wins_1 wins_2"),
    _may_have(Player, "winner"),
    _may_have(Text, "ending overshot"),
    [Column("changes", Integer, nullable=False, server_default="0")],
)
"""One row a match. `winner` is null while a match goes on. In a series, `best_of` is its length,
`wins_1` and `wins_2` its tally before this match; else null. `changes` counts what was written
after the match was added, so that nobody builds on an older state."""

_of_match = partial(_part_of, "matches.id", "match_id", Integer)
TURNS = _table("turns", _of_match(), _keys(Integer, "turn"), _may_have(Text, "move"))
"""One row a turn, counted from 1: the move as the board writes it; null for a pass."""

ANSWERS = _table(
    "answers",
    _number(),
    _have(Moment, "answered"),
    _have(Text, "puzzle game"),
    _have(Integer, "rating"),
    _have(Boolean, "solved"),
    _may_have(Text, "day"),
)  # one row an answered puzzle; `day` is the date of a daily one

ROOMS = _table(
    "rooms",
    _number(),
    [Column("code", Text, nullable=False, unique=True)],
    _have(Text, "host said_1 said_2"),
    _have(Moment, "opened changed"),
    _have(Integer, "version match_id round wins_1 wins_2 bad_inputs position done_1 done_2"),
    _have(Boolean, "takeback hints"),
    _may_have(Player, "asked offered"),
    _may_have(Integer, "seconds"),
    _may_have(Double, "left_1 left_2 since"),
    _have(Double, "used"),
    [Column("class_code", Text, sql.ForeignKey("classes.code", ondelete="CASCADE"))],
    _may_have(Text, "held"),
)
"""One row a room. With a clock, `left_1` and `left_2` are the seconds left when the running turn
began, at the time `since`. `done_1` is the version that the last change of seat 1 made, `said_1` a
hash of that change, by which it is known when it is sent again. `used` is the time of the last
change. What else there is, `rooms.room` explains."""

_of_room = partial(_part_of, "rooms.id", "room_id", Integer)
SEATS = _table("seats", _of_room(), _keys(Integer, "seat"), _may_have(Text, "token"))
"""Two rows a room: the hash of who sits there; null while the seat is free, and for a computer."""

ROUNDS = _table(
    "rounds",
    _of_match(),
    _of_room(key=False),
    _have(Integer, "round"),
    [Column("code", Text, nullable=False, unique=True)],
    _may_have(Text, "judged"),
)
"""One row a match that is played in a room, with the code of its replay. `judged` is how
far a class's match is counted: null while it is not, "" until it was looked at, too."""

CLASSES = _table(
    "classes",
    _keys(Text, "code"),
    _have(Integer, "version changes joined"),
    _have(Moment, "opened"),
    _have(Double, "used"),
    _have(Text, "stage"),
    _may_have(Text, "invite map_game key"),
    _have(Boolean, "unveiled locked made_up"),
    [Column("counted", Integer, nullable=False, server_default="0")],
    _may_have(Text, "projector"),
    _have(Text, "shows"),
    _have(Boolean, "names"),
)  # one row a class (`classes.school_class`); `counted`: how often matches were counted or judged


def _of_class(name: str, *columns: _Columns) -> Table:
    """What belongs to a class: its code comes first, then what names a row."""
    return _table(name, _part_of("classes.code", "class_code", Text), *columns)


TEACHERS = _of_class("teachers", _keys(Text, "token"), _have(Text, "name"))
PUPILS = _of_class("pupils", _keys(Integer, "number"), _have(Text, "name token"))
DOOR = _of_class(
    "door", _keys(Integer, "number"), _have(Text, "name token"), _have(Integer, "seat")
)  # who waits to be let in; `seat`: the number of the pupil whom they say they are, or 0
REMOVED = _of_class("removed", _keys(Text, "token"))
CLASS_ROUNDS = _of_class(
    "class_rounds",
    _keys(Integer, "number"),
    _have(Text, "board opponent"),
    _have(Boolean, "hints takebacks"),
    _may_have(Integer, "seconds"),
    _have(Text, "pairing"),
    _have(Boolean, "ended"),
)
CLASS_TABLES = _of_class(
    "class_tables",
    _part_of("rooms.code", "room_code", Text),
    _have(Integer, "round"),
    _may_have(Integer, "pupil_1 pupil_2"),
)  # one row a room of a class: its round, and the numbers of its pupils; null for a computer
QUESTIONS = _of_class(
    "questions",
    _keys(Integer, "number"),
    _have(Text, "board"),
    _have(Integer, "shown"),
    _may_have(Text, "winning"),
)
VOTES = _of_class("votes", _keys(Integer, "question pupil"), _have(Text, "move"))
GUESSES = _of_class(
    "guesses", _keys(Text, "game"), _keys(Integer, "value pupil"), _have(Boolean, "trap")
)
CLASS_PUZZLES = _of_class(
    "class_puzzles", _keys(Integer, "puzzle_set number"), _have(Text, "board asks solution")
)
CLASS_ANSWERS = _of_class(
    "class_answers",
    _keys(Integer, "puzzle_set number pupil"),
    _have(Text, "answer"),
    _have(Boolean, "is_right"),
)  # one row a pupil's first answer to a puzzle of a set
SEEN = _of_class("seen", _keys(Text, "rules"), _keys(Integer, "value"), _have(Integer, "won lost"))
"""One row a number that matches of the class went through: how often who was to move there won."""
FIGURES = _of_class(
    "figures",
    _keys(Integer, "round pupil"),
    _have(Integer, "matches finished moved won kept keepable judged too_hard"),
)  # one row a pupil in a round, and one for everybody in it, whose number is 0
MISTAKES = _of_class(
    "mistakes",
    _keys(Integer, "round"),
    _keys(Text, "board move"),
    _may_have(Text, "best"),
    _have(Integer, "times"),
)
sql.Index("mistakes_times", MISTAKES.c.class_code, MISTAKES.c.round, MISTAKES.c.times)
sql.Index("rooms_used", ROOMS.c.used)
sql.Index("rooms_class", ROOMS.c.class_code)
sql.Index("rounds_judged", ROUNDS.c.room_id, ROUNDS.c.judged)
sql.Index("class_tables_room", CLASS_TABLES.c.room_code)

_LOCK = 0x6E756D64  # keeps two processes from migrating one PostgreSQL history at once


def version_of(connection: Connection) -> int:
    """The version of the history; 0 for an empty database. Raises `StoreError` if it is foreign."""
    if connection.dialect.name == "sqlite":
        query = "SELECT name FROM sqlite_master WHERE type = 'table'"
        names = set(connection.scalars(text(query)))
        if names and "schema_version" not in names:
            raise StoreError(problem="foreign")
        there = bool(names)
    else:
        # Not to_regclass: it may still remember that the table was not there.
        query = "SELECT 1 FROM pg_tables WHERE tablename = 'schema_version'"
        query += " AND schemaname = current_schema()"
        there = connection.scalar(text(query)) is not None
    if not there:
        return 0
    version = connection.scalar(sql.select(SCHEMA_VERSION))
    if not isinstance(version, int) or version < min(STEPS) - 1:
        raise StoreError(problem="foreign")
    return version


def migrate(connection: Connection) -> None:
    """Bring the history to the current version, inside the caller's transaction."""
    if connection.dialect.name == "postgresql":
        for name in ("statement_timeout", "lock_timeout"):
            connection.execute(text(f"SET LOCAL {name} TO 0"))
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    version = version_of(connection)
    if version == 0:
        TABLES.create_all(connection, checkfirst=False)
        connection.execute(sql.insert(SCHEMA_VERSION), {"version": VERSION})
        return
    for step in range(version + 1, VERSION + 1):
        for statement in STEPS[step]:
            given = {"now": time.time()} if ":now" in statement else {}
            connection.execute(text(statement), given)
        connection.execute(SCHEMA_VERSION.update(), {"version": step})


def check_row(row: Mapping[Any, Any], table: Table) -> None:
    """Raise `StoreError` for a row that no numduel has written: a disk may have spoiled it."""
    check_rows([[row[column.name] for column in table.columns]], table)


def check_rows(rows: Sequence[Sequence[Any]], table: Table) -> None:
    """The same for whole rows of the table, of which there may be many: a column at a time."""
    for column, values in zip(table.columns, zip(*rows, strict=True), strict=False):
        is_fine = _FINE[type(column.type)]
        for value in values:
            if not (column.nullable if value is None else is_fine(value)):
                raise StoreError(problem="damaged")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and abs(value) < _LARGEST


def _is_moment(value: object) -> bool:
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        return False
    return moment.tzinfo is not None and 1 < moment.year < _LAST_YEAR


_FINE: dict[_Kind, Callable[[object], bool]] = {
    Text: lambda value: isinstance(value, str),
    Moment: _is_moment,
    Boolean: lambda value: isinstance(value, bool),
    Player: lambda value: isinstance(value, int) and value in (0, 1),
    Integer: lambda value: isinstance(value, int) and _is_number(value),
    Double: _is_number,
}
