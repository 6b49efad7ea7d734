"""The checkpoint of a run: a file with a line for every finished block.

    {"format": "numduel-checkpoint", "version": 1, "claim": ..., "from": ..., ...}    5f2c0a91
    {"from": 0, "to": 10000000, "losses": 1741797, "hash": "2b748203..."}             0d6b21ee

Each line is JSON, a tab, and the CRC-32 of the JSON. A line is on the disk (fsync) before the
next block is counted as begun, so a kill loses only the blocks under way. A last line without
its end, as a kill in mid-write leaves it, is dropped. Anything else that is out of
place is an error, and the file is left as it is.
"""

from __future__ import annotations

import fcntl
import json
import os
from io import BufferedRandom
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from numduel.errors import FileError
from numduel.research.blocks import Row

FORMAT: Final = "numduel-checkpoint"
VERSION: Final = 1


def write_line(data: dict[str, Any]) -> bytes:
    """A line of the file."""
    text = json.dumps(data).encode()
    return text + b"\t%08x\n" % crc32(text)


def read_line(line: bytes) -> dict[str, Any] | None:
    """What a line says; None when it was damaged."""
    text, _, mark = line.rstrip(b"\n").rpartition(b"\t")
    try:
        if int(mark, 16) != crc32(text):
            return None
        data = json.loads(text)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


class Checkpoint:
    """The file, open and locked; `rows` has what it held then, `added` what came since.

    Raises `FileError` with problem "damaged" (and the line), "other run" (and what it is
    of), "in use", or what the system says.
    """

    def __init__(self, path: Path, head: dict[str, Any]) -> None:
        self.path = path
        self._head = {"format": FORMAT, "version": VERSION, **head}
        self.rows: list[Row] = []
        self.added: list[Row] = []
        try:
            self._file = self._open()
        except OSError as error:
            raise FileError(
                what="checkpoint", path=path, problem=error.strerror or str(error)
            ) from error
        try:
            end = self._read()
            self._file.seek(end)
            self._file.truncate()
            if end == 0:
                self._write(self._head)
        except BaseException:
            self._file.close()
            raise

    def _open(self) -> BufferedRandom:
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        file = os.fdopen(descriptor, "r+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise FileError(what="checkpoint", path=self.path, problem="in use") from None
        return file

    def _read(self) -> int:
        """Read all rows; where the last whole line ends."""
        end = 0
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n") and number > 1:
                break
            data = read_line(line)
            if data is None:
                raise FileError(what="checkpoint", path=self.path, problem="damaged", line=number)
            if number == 1 and data != self._head:
                raise self._other(data)
            if number > 1:
                self.rows.append(data)
            end += len(line)
        return end

    def _other(self, data: dict[str, Any]) -> FileError:
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            return FileError(what="checkpoint", path=self.path, problem="damaged", line=1)
        names = ("claim", "from", "to", "block")
        found = " ".join(f"{name} {data.get(name)}" for name in names)
        return FileError(what="checkpoint", path=self.path, problem="other run", found=found)

    def _write(self, data: dict[str, Any]) -> None:
        self._file.write(write_line(data))
        self._file.flush()
        os.fsync(self._file.fileno())

    def add(self, row: Row) -> None:
        """Keep a finished block."""
        try:
            self._write(row)
            self.added.append(row)
        except OSError as error:
            raise FileError(what="checkpoint", path=self.path, problem=error.strerror) from error

    def close(self) -> None:
        """Close the file, and give up its lock."""
        self._file.close()
