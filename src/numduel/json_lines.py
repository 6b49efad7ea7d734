"""Files of JSON lines: a head, then a value a line. Results, transcripts and checkpoints are such.

What is added is on the disk (fsync) once `append` returns. A last line without its end, as a kill
in mid-write leaves it, is no line. Lines may be marked, so that damage shows: after its JSON such
a line has a tab, which JSON in one line never holds, and the CRC-32 of the JSON.
"""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO
from zlib import crc32

from numduel.errors import FileError

_LONGEST_HEAD = 10_000_000  # bytes of the first line that are read: whatever is longer is no head


@contextmanager
def usable(what: str, path: Path) -> Iterator[None]:
    """Raises `FileError` in place of what the system raises: of what kind the file is, and why."""
    try:
        yield
    except (OSError, UnicodeError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise FileError(what=what, path=path, problem=problem) from error


def write_line(value: Any, marked: bool = False) -> bytes:
    text = json.dumps(value).encode()
    return text + (b"\t%08x\n" % crc32(text) if marked else b"\n")


def read_line(line: bytes, marked: bool = False) -> Any:
    """The value of a line. Raises `ValueError` for one that is cut off, damaged or no JSON."""
    text, _, mark = line.rpartition(b"\t" if marked else b"\n")
    if not line.endswith(b"\n") or (marked and int(mark, 16) != crc32(text)):
        raise ValueError(line)
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError(line) from error


def read_head(file: BinaryIO, marked: bool = False) -> Any:
    """The value of the first line. Raises `ValueError`."""
    return read_line(file.readline(_LONGEST_HEAD), marked)


def whole_lines(file: BinaryIO) -> tuple[list[bytes], bytes]:
    """The lines from where the file stands, and the beginning of one that was cut off."""
    lines = file.readlines()
    return lines, lines.pop() if lines and not lines[-1].endswith(b"\n") else b""


def append(file: BinaryIO, lines: Iterable[bytes]) -> None:
    """Write lines where the file stands, through to the disk."""
    file.writelines(lines)
    file.flush()
    os.fsync(file.fileno())


def write_anew(path: Path, lines: Iterable[bytes]) -> None:
    """Put these lines in place of a file's own, all or none."""
    beside = path.with_name(f"{path.name}.new")
    with beside.open("wb") as file:
        append(file, lines)
    beside.replace(path)
