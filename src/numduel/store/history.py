"""The store: matches and answers, added, read and deleted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, NamedTuple, Self

from sqlalchemy import bindparam, delete, insert, select, update

from numduel.board import Board, Move
from numduel.errors import NumduelError, StoreError, UnknownMatch
from numduel.match import Ending, Record, Setup
from numduel.store.answers import Answer
from numduel.store.database import Database
from numduel.store.place import history_place
from numduel.store.schema import ANSWERS, MATCHES, TURNS

# Made once: building a statement costs as much as running it.
_ADD_MATCH = insert(MATCHES).returning(MATCHES.c.id)
_ADD_TURN = insert(TURNS)
_SET_RESULT = update(MATCHES).where(MATCHES.c.id == bindparam("match"))


class Kept(NamedTuple):
    """A match of the history: its number there, and its record."""

    id: int
    record: Record


class Store:
    """A history. What a method has written is durable when it returns.

    Several processes may use one history at once. Raises `StoreError` for a
    database that cannot be used, and `UnknownMatch` for a match that is not there.
    """

    def __init__(self, place: str) -> None:
        self._database = Database(place)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def place(self) -> str:
        """Where the history is, for people to read."""
        return self._database.shown

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def add(self, record: Record) -> int:
        """Keep a match with its turns so far; its number comes back."""
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
        with self._database.writing() as connection:
            made = connection.execute(_ADD_MATCH, row)
            match_id = int(made.scalar_one())
            turns = [_turn(match_id, record, turn) for turn in range(1, len(record.turns) + 1)]
            if turns:
                connection.execute(_ADD_TURN, turns)
        return match_id

    def append(self, match_id: int, record: Record) -> None:
        """Keep the last turn of the record, and the result where it ended the match.

        Raises `StoreError` when another process has kept that turn already.
        """
        with self._database.writing() as connection:
            connection.execute(_ADD_TURN, _turn(match_id, record, len(record.turns)))
            if record.winner is not None:
                self._write_result(connection, match_id, record)

    def finish(self, match_id: int, record: Record) -> None:
        """Keep how the match ended."""
        with self._database.writing() as connection:
            self._write_result(connection, match_id, record)

    def undo(self, match_id: int, kept: int) -> None:
        """Take turns back, so that the first `kept` are left."""
        with self._database.writing() as connection:
            connection.execute(
                delete(TURNS).where(TURNS.c.match_id == match_id, TURNS.c.turn > kept)
            )

    def load(self, match_id: int) -> Kept:
        """One match, replayed to be sure that it keeps the rules."""
        found = self._read(select(MATCHES).where(MATCHES.c.id == match_id))
        if not found:
            raise UnknownMatch(id=match_id)
        try:
            found[0].record.replay()
        except NumduelError as error:
            raise StoreError(place=self.place, problem="damaged") from error
        return found[0]

    def matches(self, limit: int | None = None, unfinished: bool = False) -> list[Kept]:
        """The matches, the latest first; with `unfinished`, only those that go on."""
        query = select(MATCHES).order_by(MATCHES.c.id.desc()).limit(limit)
        return self._read(query.where(MATCHES.c.winner.is_(None)) if unfinished else query)

    def delete(self, match_ids: Iterable[int]) -> None:
        """Forget matches: all of these, or none when one is not there."""
        with self._database.writing() as connection:
            for match_id in match_ids:
                gone = connection.execute(delete(MATCHES).where(MATCHES.c.id == match_id))
                if not gone.rowcount:
                    raise UnknownMatch(id=match_id)

    def add_answer(self, answer: Answer) -> None:
        """Keep an answer to a puzzle."""
        row = {**answer._asdict(), "answered": answer.answered.isoformat()}
        with self._database.writing() as connection:
            connection.execute(insert(ANSWERS), row)

    def answers(self) -> list[Answer]:
        """All answers to puzzles, in order."""
        with self._database.reading() as connection:
            rows = connection.execute(select(ANSWERS).order_by(ANSWERS.c.id)).mappings().all()
        return [
            Answer(
                datetime.fromisoformat(row["answered"]),
                row["puzzle"],
                row["game"],
                row["rating"],
                bool(row["solved"]),
                row["day"],
            )
            for row in rows
        ]

    def _write_result(self, connection: Any, match_id: int, record: Record) -> None:
        changed = connection.execute(_SET_RESULT, {"match": match_id, **_result(record)})
        if not changed.rowcount:
            raise UnknownMatch(id=match_id)

    def _read(self, query: Any) -> list[Kept]:
        with self._database.reading() as connection:
            rows = connection.execute(query).mappings().all()
            moves: dict[int, list[str | None]] = {row["id"]: [] for row in rows}
            turns = select(TURNS).where(TURNS.c.match_id.in_(moves)).order_by(TURNS.c.turn)
            for match_id, turn, move in connection.execute(turns):
                moves[match_id].append(move)
                if turn != len(moves[match_id]):
                    raise StoreError(problem="damaged")
        try:
            return [Kept(row["id"], _record(row, moves[row["id"]])) for row in rows]
        except (NumduelError, ValueError) as error:
            raise StoreError(place=self.place, problem="damaged") from error


def open_store(place: str | None = None) -> Store:
    """The history at the place, or else where `history_place` says."""
    return Store(place or history_place())


def _turn(match_id: int, record: Record, turn: int) -> dict[str, Any]:
    move = record.turns[turn - 1]
    written = None if move is None else record.setup.board.write_move(move)
    return {"match_id": match_id, "turn": turn, "move": written}


def _result(record: Record) -> dict[str, Any]:
    overshot = record.overshot
    return {
        "winner": record.winner,
        "ending": None if record.ending is None else str(record.ending),
        "overshot": None if overshot is None else record.setup.board.write_move(overshot),
    }


def _record(row: Any, moves: Sequence[str | None]) -> Record:
    """The record of a row. Raises what a damaged row breaks."""
    board = Board.parse(row["board"])
    names = (row["name_1"], row["name_2"])
    setup = Setup(board, names, row["first"], row["overshoot"], row["penalty"])

    def read(text: str | None) -> Move | None:
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
