"""Matches kept: rows inside a transaction, for rooms too; and the store, a history of its own."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple, Self, TypeGuard

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from numduel.board import Board, Move
from numduel.errors import NumduelError, StoreError, UnknownMatch
from numduel.match import Ending, Record, Series, Setup
from numduel.store.database import Database, Prepared
from numduel.store.place import history_place
from numduel.store.schema import ANSWERS, MATCHES, ROUNDS, TURNS, check_row

# Made once: building a statement costs as much as running it.
_ADD_MATCH = insert(MATCHES).returning(MATCHES.c.id)
_ADD_TURN = Prepared(insert(TURNS), TURNS.c.keys())
_CHANGE_MATCH = update(MATCHES).where(MATCHES.c.id == bindparam("match"))
_COUNT_CHANGE = (
    update(MATCHES)
    .where(MATCHES.c.id == bindparam("match"), MATCHES.c.changes == bindparam("known"))
    .values(changes=MATCHES.c.changes + 1)
)
_DROP_TURNS = delete(TURNS).where(
    TURNS.c.match_id == bindparam("match"), TURNS.c.turn > bindparam("kept")
)
_OWN = MATCHES.c.id.not_in(select(ROUNDS.c.match_id))  # a room's matches come and go with it


class Kept(NamedTuple):
    id: int
    record: Record
    series: Series | None = None  # as it stood before this match
    changes: int = 0  # how often the match was changed since it was added


class Damaged(NamedTuple):
    """A match whose rows cannot be read: its number."""

    id: int


def add_match(connection: Connection, record: Record, series: Series | None = None) -> int:
    setup = record.setup
    row = {
        "began": record.date.isoformat(),
        "board": str(setup.board),
        "name_1": setup.names[0],
        "name_2": setup.names[1],
        "player_1": record.players[0],
        "player_2": record.players[1],
        "first": setup.first,
        "overshoot": setup.overshoot,
        "penalty": setup.penalty,
        **_result(record),
    }
    if series is not None:
        row |= {"best_of": series.length, "wins_1": series.wins[0], "wins_2": series.wins[1]}
    match_id = int(connection.execute(_ADD_MATCH, row).scalar_one())
    save_match(connection, match_id, replace(record, turns=()), record)
    return match_id


def save_match(connection: Connection, match_id: int, before: Record, after: Record) -> None:
    """Write the turns that were added or taken back, and the result."""
    known = len(before.turns)
    if len(after.turns) < known:
        connection.execute(_DROP_TURNS, {"match": match_id, "kept": len(after.turns)})
    for turn, move in enumerate(after.turns[known:], known + 1):
        written = None if move is None else after.setup.board.write_move(move)
        _ADD_TURN.run(connection, {"match_id": match_id, "turn": turn, "move": written})
    if after.winner != before.winner:
        connection.execute(_CHANGE_MATCH, {"match": match_id, **_result(after)})


def read_matches(connection: Connection, query: Any) -> list[Kept]:
    """The matches whose rows the query selects. Raises `StoreError` for damaged ones."""
    found = list_matches(connection, query)
    whole = [match for match in found if isinstance(match, Kept)]
    if len(whole) < len(found):
        raise StoreError(problem="damaged")
    return whole


def list_matches(connection: Connection, query: Any) -> list[Kept | Damaged]:
    """The matches whose rows the query selects, damaged ones among them."""
    rows = connection.execute(query).mappings().all()
    turns: dict[int, dict[int, str | None]] = {row["id"]: {} for row in rows}
    query = select(TURNS).where(TURNS.c.match_id.in_(turns)).order_by(TURNS.c.turn)
    for match_id, turn, move in connection.execute(query):
        if match_id not in turns:  # a damaged index finds what was not asked for
            return [Damaged(row["id"]) for row in rows]
        turns[match_id][turn] = move
    return [_match(row, turns[row["id"]]) for row in rows]


def is_whole(match: Kept | Damaged) -> TypeGuard[Kept]:
    """Can the match be read, and does it keep the rules? It is replayed."""
    try:
        return isinstance(match, Kept) and match.record.replay() is not None
    except NumduelError:
        return False


def _match(row: Any, turns: dict[int, str | None]) -> Kept | Damaged:
    if list(turns) != list(range(1, len(turns) + 1)):
        return Damaged(row["id"])
    try:
        return Kept(row["id"], _record(row, list(turns.values())), _series(row), row["changes"])
    except (NumduelError, ValueError):
        return Damaged(row["id"])


def _result(record: Record) -> dict[str, Any]:
    overshot = record.overshot
    return {
        "winner": record.winner,
        "ending": None if record.ending is None else str(record.ending),
        "overshot": None if overshot is None else record.setup.board.write_move(overshot),
    }


def _series(row: Any) -> Series | None:
    if row["best_of"] is None:
        return None
    if row["wins_1"] is None or row["wins_2"] is None:
        raise StoreError(problem="damaged")
    return Series(row["best_of"], row["first"], (row["wins_1"], row["wins_2"]))


def _record(row: Any, moves: Sequence[str | None]) -> Record:
    """The record of a row. Raises what a damaged row breaks."""
    check_row(row, MATCHES)
    board = Board.parse(row["board"])
    names = (row["name_1"], row["name_2"])
    setup = Setup(board, names, row["first"], row["overshoot"], row["penalty"])

    def read(text: str | None) -> Move | None:
        if not isinstance(text, str | None):
            raise StoreError(problem="damaged")
        return None if text is None else board.parse_move(text)

    return Record(
        date=datetime.fromisoformat(row["began"]),
        setup=setup,
        players=(row["player_1"], row["player_2"]),
        turns=tuple(map(read, moves)),
        winner=row["winner"],
        ending=None if row["ending"] is None else Ending(row["ending"]),
        overshot=read(row["overshot"]),
    )


class PuzzleAnswer(NamedTuple):
    """One answer to a puzzle. `day` is the date of a daily puzzle, as 2026-11-15; else None."""

    answered: datetime
    puzzle: str
    game: str
    rating: int
    solved: bool
    day: str | None = None


_ASKED = PuzzleAnswer._fields[1:]


class Store:
    """A history. What a method has written is durable when it returns.

    Several processes may use one history at once. Raises `StoreError` for a
    database that cannot be used, and `UnknownMatch` for a match that is not there.
    Matches of rooms in the same database are not part of the history.
    """

    def __init__(self, place: str) -> None:
        self._database = Database(place)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def place(self) -> str:
        """Where the history is, for people to read."""
        return self._database.shown

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """What this thread writes in the block is kept as a whole, or not at all."""
        with self._database.writing():
            yield

    def add(self, record: Record, series: Series | None = None) -> Kept:
        with self._database.writing() as connection:
            return Kept(add_match(connection, record, series), record, series)

    def save(self, kept: Kept, record: Record) -> Kept:
        """Keep what the record has more than the kept one, or less; the match as it is kept then.
        Raises `StoreError` when somebody else has changed the match meanwhile.
        """
        with self._database.writing() as connection:
            known = {"match": kept.id, "known": kept.changes}
            if not connection.execute(_COUNT_CHANGE, known).rowcount:
                if connection.scalar(select(MATCHES.c.id).where(MATCHES.c.id == kept.id)) is None:
                    raise UnknownMatch(id=kept.id)
                raise StoreError(problem="changed match", id=kept.id)
            save_match(connection, kept.id, kept.record, record)
        return kept._replace(record=record, changes=kept.changes + 1)

    def load(self, match_id: int) -> Kept:
        """One match, replayed to be sure that it keeps the rules."""
        query = select(MATCHES).where(MATCHES.c.id == match_id, _OWN)
        with self._database.reading() as connection:
            found = list_matches(connection, query)
        if not found:
            raise UnknownMatch(id=match_id)
        if not is_whole(found[0]):
            raise StoreError(place=self.place, problem="damaged match", id=match_id)
        return found[0]

    def matches(self, limit: int | None = None, unfinished: bool = False) -> list[Kept | Damaged]:
        """The matches, the latest first; with `unfinished`, only those that go on."""
        query = select(MATCHES).where(_OWN).order_by(MATCHES.c.id.desc()).limit(limit)
        if unfinished:
            query = query.where(MATCHES.c.winner.is_(None))
        with self._database.reading() as connection:
            return list_matches(connection, query)

    def delete(self, match_ids: Iterable[int]) -> None:
        """Forget matches: all of these, or none when one is not there."""
        with self._database.writing() as connection:
            for match_id in match_ids:
                gone = connection.execute(delete(MATCHES).where(MATCHES.c.id == match_id, _OWN))
                if not gone.rowcount:
                    raise UnknownMatch(id=match_id)

    def add_answer(self, answer: PuzzleAnswer) -> None:
        row = {**answer._asdict(), "answered": answer.answered.isoformat()}
        with self._database.writing() as connection:
            connection.execute(insert(ANSWERS), row)

    def answers(self) -> list[PuzzleAnswer]:
        with self._database.reading() as connection:
            rows = connection.execute(select(ANSWERS).order_by(ANSWERS.c.id)).mappings().all()
            for row in rows:
                check_row(row, ANSWERS)
        return [
            PuzzleAnswer(datetime.fromisoformat(row["answered"]), *map(row.__getitem__, _ASKED))
            for row in rows
        ]


def open_store(place: str | None = None) -> Store:
    """The history at the place, or else where `history_place` says."""
    return Store(place or history_place())
