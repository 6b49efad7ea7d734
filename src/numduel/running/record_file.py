"""The file that records are added to."""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from numduel.errors import FileError, InvalidRecord
from numduel.match import Record, read_records
from numduel.match.record import HEADING

_BLOCK = 1 << 14
"""How many bytes are read at once to find where the last record begins."""


class RecordFile:
    """A text file of records. New ones are added at its end; what was there stays.

    However long the file is, only its beginning and its last record are looked at. A last record
    that was cut short, as a kill leaves it, is dropped. Raises `FileError` at once when the path
    cannot be written to, or holds something other than records.
    """

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._end: int | None = None
        """Where the file ended when it was last looked at; None before."""
        if self._is_device():
            return
        with self._translated():
            if self._path.exists():
                with self._path.open("r+b") as file:
                    self._find_end(file)
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
                self._append(file, f"{record}".encode())

    def _append(self, file: BinaryIO, text: bytes) -> None:
        """Write the text after the last whole record, or leave nothing of it behind."""
        end = self._find_end(file)
        file.truncate(end)
        rest = memoryview(b"\n" + text if end else text)
        try:
            while rest:
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except BaseException:
            file.truncate(end)
            raise
        self._end = file.tell()

    def _is_device(self) -> bool:
        """A terminal or a pipe, say: written to, never read or replaced."""
        return self._path.exists() and not self._path.is_file() and not self._path.is_dir()

    def _find_end(self, file: BinaryIO) -> int:
        """Where the next record goes. Raises `InvalidRecord` where there are no records."""
        size = file.seek(0, os.SEEK_END)
        if size != self._end:
            _check_beginning(file)
            start, tail = _last_record(file, size)
            self._end = start + _whole_length(tail)
        return self._end

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise FileError(
                what="record file", path=self._path, problem=error.strerror or str(error)
            ) from error
        except InvalidRecord as error:
            problem = "it exists and holds something other than records"
            raise FileError(what="record file", path=self._path, problem=problem) from error


def _check_beginning(file: BinaryIO) -> None:
    """Raise `InvalidRecord` unless the file is empty or begins like a record."""
    file.seek(0)
    begins = file.read(_BLOCK).decode(errors="replace").removeprefix("\ufeff").lstrip()
    if begins and not begins.startswith(HEADING):
        raise InvalidRecord(line=1, problem="no heading", text=begins[:80])


def _last_record(file: BinaryIO, size: int) -> tuple[int, bytes]:
    """Where the last record begins, and its bytes; the whole file where no record begins."""
    tail = b""
    start = size
    while start > 0:
        step = min(_BLOCK, start)
        start -= step
        file.seek(start)
        tail = file.read(step) + tail
        found = tail.rfind(f"\n{HEADING}".encode())
        if found >= 0:
            return start + found + 1, tail[found + 1 :]
    return 0, tail


def _whole_length(tail: bytes) -> int:
    """How much of the last record stays: all of it, or nothing where it was cut short."""
    problem = _problem_with(tail)
    if problem is None:
        return len(tail)
    end = tail.rfind(b"\n") + 1
    lines, unfinished = tail[:end], tail[end:]
    without = _problem_with(lines) if unfinished else problem
    if without is not None and without.problem == "cut short":
        return 0
    if without is None and HEADING.encode().startswith(unfinished):
        return len(lines)
    raise problem


def _problem_with(text: bytes) -> InvalidRecord | None:
    try:
        read_records(text.decode(errors="replace"))
    except InvalidRecord as error:
        return error
    return None
