"""The checkpoint of a run: a file with a line for every finished block.

    {"format": "numduel-checkpoint", "version": 1, "claim": ..., "from": ..., ...}    5f2c0a91
    {"from": 0, "to": 10000000, "losses": 1741797, "hash": "2b748203..."}             0d6b21ee

The lines are marked ones of `json_lines.py`. A line is on the disk before the next block is counted
as begun, so a kill loses only the blocks under way. A last line without its end, as a kill in
mid-write leaves it, is dropped. Anything else that is out of place is an error, and the file is
left as it is.
"""

import fcntl
import os
from functools import partial
from io import BufferedRandom
from pathlib import Path
from typing import Any, Final

from numduel import json_lines
from numduel.errors import FileError
from numduel.research.blocks import Row

FORMAT: Final = "numduel-checkpoint"
VERSION: Final = 1
write_line = partial(json_lines.write_line, marked=True)


class Checkpoint:
    """The file, open and locked; `rows` has what it held then and what came since.

    Raises `FileError` with problem "damaged" (and the line), "other run" (and what it is
    of), "in use", or what the system says.
    """

    def __init__(self, path: Path, head: dict[str, Any]) -> None:
        self.path = path
        self._head = {"format": FORMAT, "version": VERSION, **head}
        self.rows: list[Row] = []
        with json_lines.usable("checkpoint", path):
            self._file = self._open()
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    def _open(self) -> BufferedRandom:
        file = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644), "r+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise self._unusable("in use") from None
        return file

    def _read(self) -> None:
        """Read all rows, and drop a line that was cut off; a new file gets its head."""
        lines, torn = json_lines.whole_lines(self._file)
        if not lines and not torn:
            json_lines.append(self._file, [write_line(self._head)])
            return
        for number, line in enumerate(lines or [torn], 1):
            try:
                data = dict(json_lines.read_line(line, marked=True))
            except (ValueError, TypeError):
                raise self._unusable("damaged", line=number) from None
            if number > 1:
                self.rows.append(data)
            elif data != self._head:
                raise self._other(data)
        self._file.seek(-len(torn), os.SEEK_END)
        self._file.truncate()

    def _other(self, data: dict[str, Any]) -> FileError:
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            return self._unusable("damaged", line=1)
        found = " ".join(f"{name} {data.get(name)}" for name in ("claim", "from", "to", "block"))
        return self._unusable("other run", found=found)

    def _unusable(self, problem: str, **fields: object) -> FileError:
        return FileError(what="checkpoint", path=self.path, problem=problem, **fields)

    def add(self, row: Row) -> None:
        with json_lines.usable("checkpoint", self.path):
            json_lines.append(self._file, [write_line(row)])
        self.rows.append(row)

    def close(self) -> None:
        self._file.close()
