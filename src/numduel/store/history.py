"""The store: matches and answers, added, read and deleted."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple, Self

from sqlalchemy import delete, insert, select

from numduel.errors import StoreError, UnknownMatch
from numduel.match import Record, Series
from numduel.store import matches as rows
from numduel.store.database import Database
from numduel.store.matches import Damaged, Kept, is_whole
from numduel.store.place import history_place
from numduel.store.schema import ANSWERS, MATCHES, ROUNDS, check_row

_OWN = MATCHES.c.id.not_in(select(ROUNDS.c.match_id))
"""Matches that belong to no room: a room's come and go with it."""


class PuzzleAnswer(NamedTuple):
    """One answer to a puzzle: when, which, of which game and rating, right or wrong.

    `day` is the date of a daily puzzle, as 2026-11-15; None for any other.
    """

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
        """Keep a match with its turns so far, perhaps of a series."""
        with self._database.writing() as connection:
            return Kept(rows.add_match(connection, record, series), record, series)

    def save(self, kept: Kept, record: Record) -> Kept:
        """Keep what the record has more than the kept one, or less; the match as it is kept then.

        Raises `StoreError` when somebody else has changed the match meanwhile.
        """
        with self._database.writing() as connection:
            rows.count_change(connection, kept.id, kept.changes)
            rows.save_match(connection, kept.id, kept.record, record)
        return kept._replace(record=record, changes=kept.changes + 1)

    def load(self, match_id: int) -> Kept:
        """One match, replayed to be sure that it keeps the rules."""
        query = select(MATCHES).where(MATCHES.c.id == match_id, _OWN)
        with self._database.reading() as connection:
            found = rows.list_matches(connection, query)
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
            return rows.list_matches(connection, query)

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
