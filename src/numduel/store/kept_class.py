"""A class as its rows have it: who is in it, its rounds and their rooms, questions and guesses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, TableClause, bindparam, delete, insert, select

from numduel.board import Board
from numduel.errors import NumduelError, StoreError, UnknownClass
from numduel.store.rows import check_row
from numduel.store.schema import (
    CLASS_ROUNDS,
    CLASS_TABLES,
    CLASSES,
    GUESSES,
    PUPILS,
    QUESTIONS,
    TEACHERS,
    VOTES,
)

_STANDING = ("version", "changes", "stage", "invite", "joined", "map_game", "unveiled")
_CLASS = select(CLASSES).where(CLASSES.c.code == bindparam("code"))


class Pupil(NamedTuple):
    """Somebody in a class. Numbers are never given twice in a class."""

    number: int
    name: str
    token: str
    """Hashed."""


class RoundPlan(NamedTuple):
    """What a round is played by."""

    board: Board
    opponent: str = "person"
    """A word of `player_words()`: "person" for pairs, or the computer whom everybody meets."""
    hints: bool = False
    takebacks: bool = True
    seconds: int | None = None
    """What the clock gives each player; None for no clock."""
    pairing: str = "random"
    """ "random", "winners", "hand", or "same" for those who met in the last round."""
    pairs: tuple[tuple[int, int], ...] = ()
    """By hand: numbers of pupils. Anybody left out is paired at random."""


class Round(NamedTuple):
    """A round of a class, counted from 1."""

    number: int
    plan: RoundPlan
    ended: bool = False


class Table(NamedTuple):
    """A room of a round, by its code, and the pupils there by number; None for a computer."""

    room: str
    round: int
    pupils: tuple[int | None, int | None]


class Question(NamedTuple):
    """A board that the class discusses."""

    number: int
    board: Board
    shown: int = 0
    """0 while pupils vote; then 1 the votes, 2 the perfect player's reply, 3 the reason."""


class Vote(NamedTuple):
    """The move that a pupil would play."""

    question: int
    pupil: int
    move: str


class Guess(NamedTuple):
    """Whether a pupil takes a number for a trap of a game."""

    game: str
    value: int
    pupil: int
    trap: bool


class KeptClass(NamedTuple):
    """A class as it stands. Teachers and the invitation are hashes."""

    code: str
    opened: datetime
    teachers: frozenset[str]
    version: int = 1
    changes: int = 1
    stage: str = "gathering"
    invite: str | None = None
    joined: int = 0
    map_game: str | None = None
    unveiled: bool = False
    pupils: tuple[Pupil, ...] = ()
    rounds: tuple[Round, ...] = ()
    tables: tuple[Table, ...] = ()
    questions: tuple[Question, ...] = ()
    votes: tuple[Vote, ...] = ()
    guesses: tuple[Guess, ...] = ()


class _Part(NamedTuple):
    """A table of what belongs to a class; `keys` columns after the code name a row."""

    table: TableClause
    keys: int
    rows: Callable[[KeptClass], Iterable[tuple[Any, ...]]]


_PARTS = (
    _Part(TEACHERS, 1, lambda kept: ((token,) for token in kept.teachers)),
    _Part(PUPILS, 1, lambda kept: kept.pupils),
    _Part(CLASS_ROUNDS, 1, lambda kept: map(_round_row, kept.rounds)),
    _Part(CLASS_TABLES, 1, lambda kept: ((t.room, t.round, *t.pupils) for t in kept.tables)),
    _Part(QUESTIONS, 1, lambda kept: ((q.number, str(q.board), q.shown) for q in kept.questions)),
    _Part(VOTES, 2, lambda kept: kept.votes),
    _Part(GUESSES, 3, lambda kept: kept.guesses),
)


def standing_class(kept: KeptClass) -> dict[str, Any]:
    """The columns of the class's own row that change."""
    return {name: getattr(kept, name) for name in _STANDING}


def write_parts(connection: Connection, before: KeptClass | None, after: KeptClass) -> None:
    """Write what differs in what belongs to the class."""
    for table, keys, rows in _PARTS:
        old = set() if before is None else set(map(tuple, rows(before)))
        new = set(map(tuple, rows(after)))
        names = [column.name for column in table.columns]
        for row in old - new:
            named = zip(names, (after.code, *row[:keys]), strict=False)
            where = (table.c[name] == value for name, value in named)
            connection.execute(delete(table).where(*where))
        added = [dict(zip(names, (after.code, *row), strict=True)) for row in sorted(new - old)]
        if added:
            connection.execute(insert(table), added)


def read_class(
    connection: Connection, code: str, changes: int | None, known: KeptClass | None = None
) -> KeptClass:
    """The class after so many changes; `known` itself where that is the same.

    Raises `UnknownClass`.
    """
    if changes is None:
        raise UnknownClass(code=code)
    if known is not None and known.changes == changes:
        return known
    row = connection.execute(_CLASS, {"code": code}).mappings().one()
    check_row(row, CLASSES)
    try:
        return KeptClass(
            code=code,
            opened=datetime.fromisoformat(row["opened"]),
            teachers=frozenset(token for (token,) in _read(connection, TEACHERS, code)),
            pupils=tuple(Pupil(*found) for found in _read(connection, PUPILS, code)),
            rounds=tuple(_round(*found) for found in _read(connection, CLASS_ROUNDS, code)),
            tables=tuple(
                Table(room, number, (one, two))
                for room, number, one, two in _read(connection, CLASS_TABLES, code)
            ),
            questions=tuple(
                Question(number, Board.parse(board), shown)
                for number, board, shown in _read(connection, QUESTIONS, code)
            ),
            votes=tuple(Vote(*found) for found in _read(connection, VOTES, code)),
            guesses=tuple(
                Guess(game, value, pupil, bool(trap))
                for game, value, pupil, trap in _read(connection, GUESSES, code)
            ),
            **{**{name: row[name] for name in _STANDING}, "unveiled": bool(row["unveiled"])},
        )
    except NumduelError as error:
        raise StoreError(problem="damaged") from error


def _read(connection: Connection, table: TableClause, code: str) -> list[tuple[Any, ...]]:
    """The rows of the class, without its code, in the order of their keys."""
    order = list(table.columns)[1:]
    query = select(table).where(table.c.class_code == code).order_by(*order)
    rows = connection.execute(query).mappings().all()
    for row in rows:
        check_row(row, table)
    return [tuple(row.values())[1:] for row in rows]


def _round_row(each: Round) -> tuple[Any, ...]:
    plan = each.plan
    return (each.number, str(plan.board), plan.opponent, plan.hints, plan.takebacks,
            plan.seconds, plan.pairing, each.ended)  # fmt: skip


def _round(
    number: int, board: str, opponent: str, hints: int, takebacks: int,
    seconds: int | None, pairing: str, ended: int,
) -> Round:  # fmt: skip
    plan = RoundPlan(Board.parse(board), opponent, bool(hints), bool(takebacks), seconds, pairing)
    return Round(number, plan, bool(ended))
