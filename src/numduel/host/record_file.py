"""The file that records are added to."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from numduel.errors import InvalidRecord, RecordFileError
from numduel.match import Record, read_records


class RecordFile:
    """A text file of records. New ones are added at its end; what was there stays.

    The file is replaced in one step, so that it is never seen half written.
    Raises `RecordFileError` at once when the path cannot be written to, or
    holds something other than records.
    """

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._read()
        if self._is_device():
            return
        try:
            with tempfile.TemporaryFile(dir=self._path.parent):
                pass
        except OSError as error:
            raise self._unusable(error) from error

    def add(self, record: Record) -> None:
        """Add one record."""
        before = self._read()
        text = f"{before}\n{record}" if before else str(record)
        try:
            if self._is_device():
                self._path.write_text(text, encoding="utf-8")
            else:
                self._replace(text)
        except OSError as error:
            raise self._unusable(error) from error

    def _is_device(self) -> bool:
        """A terminal or a pipe, say: written to, never read or replaced."""
        return self._path.exists() and not self._path.is_file() and not self._path.is_dir()

    def _read(self) -> str:
        if self._is_device():
            return ""
        try:
            text = self._path.read_text(encoding="utf-8")
            read_records(text)
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise self._unusable(error) from error
        except InvalidRecord as error:
            problem = "it exists and holds something other than records"
            raise RecordFileError(path=self._path, problem=problem) from error
        return text

    def _replace(self, text: str) -> None:
        target = self._path.resolve()
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".numduel-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(_mode(target))
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _unusable(self, error: Exception) -> RecordFileError:
        reason = getattr(error, "strerror", None) or "it is not text"
        return RecordFileError(path=self._path, problem=reason)


def _mode(path: Path) -> int:
    """The permissions that a file has, or would be made with."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
