"""SQLite and PostgreSQL: how each is opened, so that a commit is durable, and its complaints."""

import os
import re
import sqlite3
from pathlib import Path
from random import random
from threading import Lock
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from numduel.errors import MissingExtra, StoreError
from numduel.store.place import file_of, hidden, is_address, is_postgres

BUSY_SECONDS = 5  # that a write waits for another process; on PostgreSQL, a statement or connection

SET_UP = "; ".join(
    (
        "SET synchronous_commit TO on",
        f"SET statement_timeout TO '{BUSY_SECONDS}s'",
        f"SET lock_timeout TO '{BUSY_SECONDS - 1}s'",
        # A process that stops in the middle does not keep a room locked for all others.
        f"SET idle_in_transaction_session_timeout TO '{2 * BUSY_SECONDS}s'",
    )
)  # a lock that is not to be had from PostgreSQL is an error in seconds
_PLAIN = re.compile(r"[\w.:%-]*")
"""Names of people, machines and databases as they are usual: nothing else hides in them."""
_READING, _looked_at = Lock(), dict[tuple[int, int], int]()  # files of which the start was read
_MOST_LOOKED_AT = 32
_LOOK_AGAIN = 0.01  # seconds, at most, between two looks at SQLite's lock
READS = "numduel_reads"  # the option of a connection that only reads
_HEADING, _LEAST = b"SQLite format 3\0", 512  # how an SQLite file begins, and the smallest one

_PROBLEMS = {
    "SQLITE_NOTADB": "foreign",
    "SQLITE_CONSTRAINT": "taken",
    "SQLITE_CORRUPT": "damaged",
    "SQLITE_READONLY": "read-only",
    "SQLITE_CANTOPEN": "unopened",
    "SQLITE_PERM": "unopened",
    "SQLITE_FULL": "full",
    "SQLITE_IOERR": "unwritten",
    "SQLITE_BUSY": "busy",
    "SQLITE_LOCKED": "busy",
    "23": "taken",
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
}  # what SQLite's error codes and PostgreSQL's states mean here, by how their names begin


def engine_at(place: str) -> Engine:
    """An engine for the place. Raises `StoreError` without naming it; `MissingExtra`."""
    if is_postgres(place):
        return _postgres(place)
    if is_address(place):
        raise StoreError(problem="address")
    return _sqlite(file_of(place))


def _sqlite(file: Path) -> Engine:
    try:
        # Nobody else's business. SQLite gives the files that it adds the same mode.
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not file.exists():
            file.touch(mode=0o600)
        start = _start_of(file)
    except OSError as error:
        raise StoreError(problem="unopened") from error
    if start and not start.startswith(_HEADING):
        raise StoreError(problem="foreign")
    if 0 < len(start) < _LEAST:  # SQLite would take it for an empty one, and overwrite it
        raise StoreError(problem="damaged")
    # "rw": a file that somebody takes away is not made again, empty.
    engine = create_engine(
        f"sqlite:///file:{quote(str(file.absolute()))}?mode=rw&uri=true",
        paramstyle="named",
        connect_args={"timeout": BUSY_SECONDS, "isolation_level": None},
    )

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: object) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        cursor = connection.connection.cursor()
        if READS in connection.get_execution_options():
            cursor.execute("BEGIN")
            return
        # Asked for at once, the lock is waited for instead of missing half way. SQLite by itself
        # looks ten times a second whether it is free, and beside others who write all the time it
        # misses each such moment for seconds: so we look more often.
        until = monotonic() + BUSY_SECONDS
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    cursor.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.OperationalError as error:
                    if problem_of(error) != "busy" or monotonic() > until:
                        raise
                    sleep(random() * _LOOK_AGAIN)
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")

    return engine


def _start_of(file: Path) -> bytes:
    """How the file begins. It stays open, once for each file: to close it would take away the locks
    that SQLite has on it anywhere in this process. Few are kept: the oldest are not used any more.
    """
    found = file.stat()
    with _READING:
        key = (found.st_dev, found.st_ino)
        if key not in _looked_at:
            while len(_looked_at) >= _MOST_LOOKED_AT:
                os.close(_looked_at.pop(next(iter(_looked_at))))
            _looked_at[key] = os.open(file, os.O_RDONLY)
        return os.pread(_looked_at[key], _LEAST, 0)


def _postgres(place: str) -> Engine:
    try:
        url = make_url(place).set(drivername="postgresql+psycopg")
        limit = {"connect_timeout": BUSY_SECONDS}
        engine = create_engine(url, connect_args=limit, pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise MissingExtra(extra="postgres", package="psycopg") from error
    except (ArgumentError, ValueError) as error:
        raise StoreError(problem="address") from error

    from psycopg import Connection as Driver
    from psycopg import OperationalError

    class Bounded(Driver[Any]):
        """Hangs up when the server says nothing: a server that is stopped counts no time."""

        patience: float | None = BUSY_SECONDS + 1

        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
            try:
                return super().wait(gen, interval, self.patience if timeout is None else timeout)
            except OperationalError as error:
                if timeout is None and error.sqlstate is None:
                    self.pgconn.finish()
                raise

    @event.listens_for(engine, "do_connect")
    def connect(_dialect: object, _record: object, given: Any, named: Any) -> Any:
        return Bounded.connect(*given, **named)

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(SET_UP)
        connection.commit()

    return engine


def problem_of(error: Exception) -> str:
    """What an error of SQLAlchemy, a driver or the system means, as a problem of `StoreError`."""
    error = getattr(error, "orig", None) or error
    if isinstance(error, SQLAlchemyError | OSError):
        return "unwritten"
    name = getattr(error, "sqlite_errorname", None)
    if name is None and isinstance(error, UnicodeDecodeError | sqlite3.OperationalError):
        return "damaged"  # text of the file, or SQLite's complaint that quotes it, is no UTF-8
    name = name or getattr(error, "sqlstate", None)
    if name is None:
        return "unreachable"  # the server did not answer
    return next((what for begin, what in _PROBLEMS.items() if name.startswith(begin)), "sql")


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
