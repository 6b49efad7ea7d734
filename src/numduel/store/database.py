"""Opening a history: an SQLite file or a PostgreSQL database, set so that a commit is durable."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import local
from typing import Any, cast
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    IntegrityError,
    InterfaceError,
    SQLAlchemyError,
)

from numduel.errors import MissingExtra, StoreError
from numduel.store.place import file_of, hidden, is_address, is_postgres
from numduel.store.postgres import lift_limits, postgres_engine
from numduel.store.schema import VERSION, migrate, version_of

BUSY_SECONDS = 5
"""How long a write waits for another process."""

_PLAIN = re.compile(r"[\w.:%-]*")
"""Names of people, machines and databases as they are usual: nothing else hides in them."""

_READS = "numduel_reads"
_HEADING, _LEAST = b"SQLite format 3\0", 512
"""How an SQLite file begins, and the smallest that there is."""

_PROBLEMS = {
    "SQLITE_NOTADB": "foreign",
    "SQLITE_CORRUPT": "damaged",
    "SQLITE_READONLY": "read-only",
    "SQLITE_CANTOPEN": "unopened",
    "SQLITE_PERM": "unopened",
    "SQLITE_FULL": "full",
    "SQLITE_IOERR": "unwritten",
    "SQLITE_BUSY": "busy",
    "SQLITE_LOCKED": "busy",
}
"""What SQLite's error codes mean here, by the beginning of their names."""

_STATES = {
    "57014": "slow",  # the statement took too long
    "55P03": "busy",  # a lock was not to be had
    "40": "busy",  # others came first, or waited crosswise
    "25P03": "slow",  # this process stopped in the middle
    "25006": "read-only",
    "53": "full",
    "08": "unreachable",
    "28": "unreachable",
    "3D": "unreachable",
    "57": "unreachable",
}
"""What PostgreSQL's states mean here, by how they begin; without one it did not answer."""


class Database:
    """Short transactions on one history. Every failure is a `StoreError` that names the place."""

    def __init__(self, place: str) -> None:
        self._place = place
        self.shown = shown_place(place)
        self._engine = self._make_engine()
        self._shared = local()
        self._identity: tuple[int, int] | None = None
        self._reader = self._engine.execution_options(**{_READS: True})
        if self.carries_news:
            # As on SQLite: all statements of a reading see the same state, or a room that
            # changes meanwhile is read half before and half after.
            self._reader = self._reader.execution_options(isolation_level="REPEATABLE READ")
        try:
            self._prepare()
            self._identity = self._identify()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that only reads."""
        with self._translated(), self._reader.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is durable when the block ends, or leaves nothing behind.

        Inside `together` it is a part of that one.
        """
        shared = getattr(self._shared, "connection", None)
        with self._translated():
            if shared is not None:
                yield shared
                return
            with self._engine.begin() as connection:
                yield connection
            self._check_there()

    @contextmanager
    def together(self) -> Iterator[None]:
        """What this thread writes in the block is one transaction: all of it, or nothing."""
        with self.writing() as connection:
            self._shared.connection = connection
            try:
                yield
            finally:
                del self._shared.connection

    def tidy(self) -> None:
        """Have what was deleted leave the files of an SQLite database, unless somebody reads."""
        if not self.carries_news:
            with self.own_connection() as connection:
                connection.execute("PRAGMA busy_timeout = 0")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @property
    def carries_news(self) -> bool:
        """Do other processes hear of a change? PostgreSQL tells them, SQLite does not."""
        return self._engine.dialect.name == "postgresql"

    @contextmanager
    def own_connection(self) -> Iterator[Any]:
        """A connection of the driver's, for the caller alone and outside any transaction."""
        failures = self._engine.dialect.loaded_dbapi.Error
        try:
            fresh = self._engine.raw_connection()
            driver = cast("Any", fresh.driver_connection)  # detached, it has none
            fresh.detach()
            with closing(driver) as connection:
                yield connection
        except (failures, UnicodeDecodeError) as error:
            raise StoreError(place=self.shown, problem=_problem_of(error)) from error

    def _make_engine(self) -> Engine:
        if is_postgres(self._place):
            return self._postgres()
        if is_address(self._place):
            raise StoreError(place=self.shown, problem="address")
        return self._sqlite(file_of(self._place))

    def _sqlite(self, file: Path) -> Engine:
        try:
            # Nobody else's business. SQLite gives the files that it adds the same mode.
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not file.exists():
                file.touch(mode=0o600)
        except OSError as error:
            raise StoreError(place=self.shown, problem="unopened") from error
        self._check_heading(file)
        mode = "mode=rw"  # a file that somebody takes away is not made again, empty
        if file.exists() and not os.access(file.parent, os.W_OK):
            # Nothing can be written next to the file, so nobody else writes it either.
            log = Path(f"{file}-wal")
            mode = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
        name = f"file:{quote(str(file.absolute()))}?{mode}&uri=true"
        engine = create_engine(
            f"sqlite:///{name}",
            connect_args={"timeout": BUSY_SECONDS, "isolation_level": None},
        )

        @event.listens_for(engine, "connect")
        def set_up(connection: Any, _: object) -> None:
            if mode == "mode=rw":
                connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA secure_delete = ON")

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            # A write asks for its lock at once, so that it waits instead of failing half way.
            reads = _READS in connection.get_execution_options()
            connection.connection.cursor().execute("BEGIN" if reads else "BEGIN IMMEDIATE")

        return engine

    def _check_heading(self, file: Path) -> None:
        """Refuse a short file that SQLite would take for an empty one and overwrite."""
        try:
            with file.open("rb") as opened:
                start = opened.read(_LEAST)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreError(place=self.shown, problem="unopened") from error
        if start and not start.startswith(_HEADING):
            raise StoreError(place=self.shown, problem="foreign")
        if 0 < len(start) < _LEAST:
            raise StoreError(place=self.shown, problem="damaged")

    def _identify(self) -> tuple[int, int] | None:
        """Which file it is; None for PostgreSQL, and for a file that is gone."""
        try:
            found = None if self.carries_news else file_of(self._place).stat()
        except OSError:
            found = None
        return found and (found.st_dev, found.st_ino)

    def _check_there(self) -> None:
        """What was written went into a file that others find. Raises `StoreError`."""
        if self._identity is not None and self._identify() != self._identity:
            raise StoreError(problem="gone")

    def _postgres(self) -> Engine:
        try:
            return postgres_engine(self._place)
        except ModuleNotFoundError as error:
            raise MissingExtra(extra="postgres", package="psycopg") from error
        except (ArgumentError, ValueError) as error:
            raise StoreError(place=self.shown, problem="address") from error

    def _prepare(self) -> None:
        """Look at the version of the history, and bring an older one up to date."""
        with self.reading() as connection:
            version = version_of(connection)
        if version > VERSION:
            raise StoreError(place=self.shown, problem="newer")
        if version < VERSION:
            with self.writing() as connection:
                lift_limits(connection)
                migrate(connection)
            self._engine.dispose()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except StoreError as error:
            error.fields.setdefault("place", self.shown)
            raise
        except IntegrityError as error:
            raise StoreError(place=self.shown, problem="taken") from error
        except (DatabaseError, InterfaceError) as error:
            raise StoreError(place=self.shown, problem=_problem_of(error.orig)) from error
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise StoreError(place=self.shown, problem=_problem_of(error)) from error
        except (SQLAlchemyError, OSError) as error:
            raise StoreError(place=self.shown, problem="unwritten") from error


def _problem_of(error: BaseException | None) -> str:
    name = getattr(error, "sqlite_errorname", None)
    if name is None and isinstance(error, UnicodeDecodeError | sqlite3.OperationalError):
        return "damaged"  # text of the file, or SQLite's complaint that quotes it, is no UTF-8
    if name is None:
        state = getattr(error, "sqlstate", None) or ""
        found = [problem for begin, problem in _STATES.items() if state.startswith(begin)]
        return found[0] if found else "sql" if state else "unreachable"
    found = [problem for begin, problem in _PROBLEMS.items() if name.startswith(begin)]
    return found[0] if found else "sql"


def shown_place(place: str) -> str:
    """The place as people may see it: without a password, wherever one may stand."""
    if not is_address(place):
        return str(file_of(place))
    try:
        url = make_url(place)
    except (ArgumentError, ValueError):
        return hidden(place)
    parts = (url.username, url.host, url.database)
    if not is_postgres(place) or not all(_PLAIN.fullmatch(part or "") for part in parts):
        return hidden(place)
    shown = url.set(query={name: url.query[name] for name in ("host",) if name in url.query})
    return shown.render_as_string(hide_password=True)
