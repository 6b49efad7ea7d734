"""A history, in short transactions: what was written is durable when the block ends."""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import partial
from threading import local
from typing import Any, cast

from sqlalchemy import Connection, Executable, text, update
from sqlalchemy.exc import SQLAlchemyError

from numduel.errors import StoreError
from numduel.store.engines import READS, engine_at, problem_of, shown_place
from numduel.store.place import file_of
from numduel.store.schema import SCHEMA_VERSION, migrate, version_of
from numduel.store.steps import VERSION

CHANNEL = "numduel_rooms"  # where PostgreSQL tells of changes, as "CODE VERSION"
_FAILURES = (SQLAlchemyError, OSError, UnicodeDecodeError)
_NOTIFY = text("SELECT pg_notify(:channel, :said)")


class _Open(local):
    """The transaction that a thread is in, and what is to be called once it is durable."""

    connection: Connection | None = None
    calls: list[Callable[[], None]] | None = None  # None in one that only reads

    def __init__(self) -> None:
        self.as_of_now: dict[str, Any] = {}  # what it has read and saved, by topic


class Prepared:
    """A statement made into text once for each kind of database: that takes longer than running."""

    def __init__(self, statement: Executable, columns: Collection[str] | None = None) -> None:
        self._statement: Any = statement
        self._columns = columns and list(columns)
        self._texts: dict[str, str] = {}

    def run(self, connection: Connection, values: Mapping[str, Any]) -> Any:
        """The driver's own cursor. `values`: exactly the columns, and what `bindparam` names."""
        dialect = connection.dialect
        text = self._texts.get(dialect.name)
        if text is None:
            text = str(self._statement.compile(dialect=dialect, column_keys=self._columns))
            self._texts[dialect.name] = text
        driver: Any = connection.connection.driver_connection
        return driver.execute(text, values)


class Database:
    """Short transactions on one history. Every failure is a `StoreError` that names the place.
    `heard` is called with what `tell` says, unless PostgreSQL carries the news.
    """

    def __init__(
        self, place: str, heard: Callable[[str, int], None] = lambda _topic, _version: None
    ) -> None:
        self.shown, self.heard = shown_place(place), heard
        self._failures: tuple[type[Exception], ...] = _FAILURES
        with self._translated():
            self._engine = engine_at(place)
        self._failures = (*_FAILURES, self._engine.dialect.loaded_dbapi.Error)
        self._file = file_of(place)
        self._open = _Open()
        self._identity: tuple[int, int] | None = None
        self._reader = self._engine.execution_options(**{READS: True})
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
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """All that is read in the block stood so at one time; in a transaction, as that has it."""
        if self._open.connection is not None:
            yield self._open.connection
            return
        with self._translated(), self._reader.begin() as connection:
            self._open.connection = connection
            try:
                yield connection
            finally:
                self._open.connection = None

    @contextmanager
    def writing(self, all_or_nothing: bool = False) -> Iterator[Connection]:
        """A transaction, durable when the block ends; inside one of this thread, a part of that.
        There `all_or_nothing` has a refusal take back what this block has changed.
        """
        with self._translated():
            if self._open.connection is not None:
                assert self._open.calls is not None, "a reading block writes"
                before = len(self._open.calls)
                try:
                    with self._open.connection.begin_nested() if all_or_nothing else nullcontext():
                        yield self._open.connection
                except BaseException:
                    if all_or_nothing:
                        del self._open.calls[before:]
                        self._open.as_of_now.clear()
                    raise
                return
            calls: list[Callable[[], None]] = []
            try:
                with self._engine.begin() as connection:
                    self._open.connection, self._open.calls = connection, calls
                    yield connection
            finally:
                self._open.connection = self._open.calls = None
                self._open.as_of_now.clear()
            if self._identity is not None and self._identify() != self._identity:
                raise StoreError(problem="gone")  # others would not find what was written
        for call in calls:
            call()

    def when_durable(self, call: Callable[[], None]) -> None:
        """Call it after this thread's commit, and not if that fails; at once where none is due."""
        if self._open.calls is None:
            call()
        else:
            self._open.calls.append(call)

    def remember(self, topic: str, value: Any, known: Callable[[Any], None]) -> None:
        """Have it known once it is durable; until then, only to this transaction (`as_of_now`)."""
        if self._open.calls is None:
            known(value)
        else:
            self._open.as_of_now[topic] = value
            self._open.calls.append(partial(known, value))

    def as_of_now(self, topic: str) -> Any:
        """What this thread's transaction has read or saved of it last; None for nothing."""
        return self._open.as_of_now.get(topic)

    def tell(self, topic: str, version: int) -> None:
        """Have whoever follows the topic hear of this version, once it is durable."""
        if self.carries_news:
            self.notify(CHANNEL, f"{topic} {version}")
        else:
            self.when_durable(partial(self.heard, topic, version))

    def notify(self, channel: str, *messages: str) -> None:
        """Have PostgreSQL say it to all processes that listen, after the commit."""
        with self.writing() as connection:
            for said in messages:
                connection.execute(_NOTIFY, {"channel": channel, "said": said})

    def try_writing(self) -> None:
        """Write something that changes nothing. Raises `StoreError` where that cannot be done."""
        with self.writing() as connection:
            connection.execute(update(SCHEMA_VERSION).values(version=SCHEMA_VERSION.c.version))

    def tidy(self) -> None:
        """Have what was deleted leave the files of an SQLite database, unless somebody reads."""
        if not self.carries_news:
            # What was deleted is durable. Where the disk is full, a later time will do.
            with suppress(StoreError), self.own_connection() as connection:
                connection.execute("PRAGMA busy_timeout = 0")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @property
    def carries_news(self) -> bool:
        """Do other processes hear of a change? PostgreSQL tells them, SQLite does not."""
        return self._engine.dialect.name == "postgresql"

    @contextmanager
    def own_connection(self) -> Iterator[Any]:
        """A connection of the driver's, for the caller alone and outside any transaction."""
        with self._translated():
            fresh = self._engine.raw_connection()
            driver = cast("Any", fresh.driver_connection)  # detached, it has none
            fresh.detach()
            with closing(driver) as connection:
                yield connection

    def _identify(self) -> tuple[int, int] | None:
        """Which file it is; None for PostgreSQL, and for a file that is gone."""
        try:
            found = None if self.carries_news else self._file.stat()
        except OSError:
            found = None
        return found and (found.st_dev, found.st_ino)

    def _prepare(self) -> None:
        with self.reading() as connection:
            version = version_of(connection)
        if version > VERSION:
            raise StoreError(place=self.shown, problem="newer")
        if version < VERSION:
            with self.writing() as connection:
                driver: Any = connection.connection.driver_connection
                if self.carries_news:
                    driver.patience = None  # it takes as long as it needs
                migrate(connection)
            self._engine.dispose()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except StoreError as error:
            error.fields.setdefault("place", self.shown)
            raise
        except self._failures as error:
            raise StoreError(place=self.shown, problem=problem_of(error)) from error
