"""Keeps a match in the history while it is played; and the file that records are added to."""

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, BinaryIO

from numduel.errors import FileError, InvalidRecord, StoreError, UnknownMatch
from numduel.json_lines import usable
from numduel.match import Ending, Event, Moved, Over, Passed, Record, Series, Undone, read_records
from numduel.match.record import HEADING

if TYPE_CHECKING:
    from numduel.store import Kept, Store

_READY_AFTER = 0.03  # seconds until the store is loaded in the background: the prompt first
_BLOCK = 1 << 13  # how many bytes are read first to find where the last record begins


class Keeper:
    """Writes each turn into the history before it is announced.

    A match is kept from its first move on; the next match of a series together with the end of
    the last one, so that the series can be continued. If somebody else has changed the match,
    what is played here becomes a match of its own. If the history cannot be used, the match goes
    on unkept. `warn` is called in both cases; then `match_id` tells them apart.
    """

    def __init__(self, warn: Callable[[StoreError | UnknownMatch], None]) -> None:
        self._warn = warn
        self._store: Store | None = None
        self._failed = self._readied = False
        self._kept: Kept | None = None
        self._series: Series | None = None
        self._next: Kept | None = None

    @property
    def match_id(self) -> int | None:
        """The match's number in the history; None where it is not there."""
        return self._kept and self._kept.id

    def begin(self, series: Series | None = None, kept: "Kept | None" = None) -> None:
        """A new match begins, perhaps of a series; or one that is kept goes on."""
        self._series = series
        self._kept, self._next = kept or self._next, None

    def get_ready(self) -> None:
        if not self._readied:
            self._readied = True
            timer = Timer(_READY_AFTER, import_module, ["numduel.store"])
            timer.daemon = True
            timer.start()

    def keep(self, events: Sequence[Event], record: Record) -> None:
        """Make durable what these events of one action changed; the record is as after them."""
        changed = any(isinstance(event, Moved | Passed | Undone | Over) for event in events)
        unplayed = record.ending is Ending.NO_MOVE and not record.turns
        if self._failed or unplayed or not changed:
            return
        try:
            try:
                self._write(record)
            except (StoreError, UnknownMatch) as error:
                elsewhere = isinstance(error, UnknownMatch) or error.problem == "changed match"
                if self._kept is None or not elsewhere:
                    raise
                self._part(error, record)
        except (StoreError, UnknownMatch) as error:
            self._failed = True
            self._kept = None
            self._warn(error)

    def left(self, record: Record) -> "Kept | None":
        """Somebody leaves the match: as it is kept, with all that was played here, or None."""
        if self._kept is None:
            return None
        try:
            kept = self._open().load(self._kept.id)
            if kept.record.turns[: len(record.turns)] == record.turns:
                return kept
            self._part(StoreError(problem="changed match", id=kept.id), record)  # some taken back
        except (StoreError, UnknownMatch) as error:
            self._kept = None
            self._warn(error)
        finally:
            self.close()
        return self._kept

    def _part(self, error: StoreError | UnknownMatch, record: Record) -> None:
        """Keep the match as one of its own from now on, and say so."""
        self._kept = None
        self._write(record)
        self._warn(error)

    def _open(self) -> "Store":
        if self._store is None:
            from numduel.store import open_store

            self._store = open_store()
        return self._store

    def _write(self, record: Record) -> None:
        store = self._open()
        with store.together():
            kept = self._kept
            self._kept = store.save(kept, record) if kept else store.add(record, self._series)
            if self._series is None or record.winner is None:
                return
            series = self._series.count(record.winner)
            if series.winner is None:
                date = datetime.now(UTC).replace(microsecond=0)
                setup = record.setup.beginning_with(series.first)
                self._next = store.add(Record(date, setup, record.players), series)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None


class RecordFile:
    """A text file of records. New ones are added at its end; what was there stays.

    However long the file is, only its beginning and its last record are looked at. A last record
    that was cut short, as a kill leaves it, is dropped. Raises `FileError` at once when the path
    cannot be written to, or holds something other than records.
    """

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        if self._is_device():
            return
        with self._translated():
            if self._path.exists():
                with self._path.open("r+b") as file:
                    _end_of_records(file)
            else:
                with tempfile.TemporaryFile(dir=self._path.parent):
                    pass

    def add(self, record: Record) -> None:
        with self._translated():
            if self._is_device():
                self._path.write_text(str(record), encoding="utf-8")
                return
            with self._path.open("a+b", buffering=0) as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                end = _end_of_records(file)
                file.truncate(end)
                rest = memoryview((f"\n{record}" if end else str(record)).encode())
                try:
                    while rest:
                        rest = rest[file.write(rest) :]
                    os.fsync(file.fileno())
                except BaseException:  # leave nothing of it behind
                    file.truncate(end)
                    raise

    def _is_device(self) -> bool:
        """A terminal or a pipe, say: written to, never read or replaced."""
        return self._path.exists() and not self._path.is_file() and not self._path.is_dir()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        with usable("record file", self._path):
            try:
                yield
            except InvalidRecord as error:
                problem = "it exists and holds something other than records"
                raise FileError(what="record file", path=self._path, problem=problem) from error


def _end_of_records(file: BinaryIO) -> int:
    """Where the next record goes. Raises `InvalidRecord` where there are no records."""
    file.seek(0)
    begins = file.read(_BLOCK).decode(errors="replace").removeprefix("\ufeff").lstrip()
    if begins and not begins.startswith(HEADING):
        raise InvalidRecord(line=1, problem="no heading", text=begins[:80])
    size, block = file.seek(0, os.SEEK_END), _BLOCK
    while True:
        start = file.seek(max(0, size - block))
        tail = file.read()
        found = tail.rfind(f"\n{HEADING}".encode())
        if found >= 0 or not start:
            return start + found + 1 + _whole_length(tail[found + 1 :])
        block *= 2


def _whole_length(tail: bytes) -> int:
    """How much of the last record stays: all of it, or nothing where it was cut short."""
    end = tail.rfind(b"\n") + 1
    try:
        read_records(tail.decode(errors="replace"))
    except InvalidRecord:
        try:
            read_records(tail[:end].decode(errors="replace"))
        except InvalidRecord as without:
            if without.problem == "cut short":
                return 0
        else:
            if HEADING.encode().startswith(tail[end:]):
                return end
        raise
    return len(tail)
