"""Terms as text and as arrays: b-files, CSV, JSON lines and npy; and b-files read back."""

import re
from collections.abc import Iterable, Iterator
from typing import IO, Final

import numpy as np

from numduel.errors import FileError, InvalidRange
from numduel.research.sequences import Piece

_TERM = re.compile(rb"\s*(-?[0-9]+)\s+(-?[0-9]+)\s*")
_LARGEST: Final = 2**63 - 1
_LONGEST_LINE: Final = 1 << 20
"""Bytes of a line that are read; no term is longer."""


def write_text(pieces: Iterable[Piece], form: str, out: IO[bytes]) -> int:
    """Write the terms as they come; how many there were."""
    many = 0
    if form == "csv":
        out.write(b"n,a(n)\n")
    line = {"bfile": "%d %d\n", "csv": "%d,%d\n", "jsonl": '{"n": %d, "a": %d}\n'}[form]
    for index, terms in pieces:
        out.write("".join([line % pair for pair in enumerate(terms, index)]).encode())
        many += len(terms)
    return many


def write_npy(pieces: Iterable[Piece], out: IO[bytes], many: int | None) -> int:
    """Write the terms as an array of 64-bit integers.

    Its header has the number of terms: `many`, or the count once all are written, which needs a
    file that is seekable.
    """
    head = out.tell() if many is None else 0
    _header(out, many or 0)
    count = 0
    for _, terms in pieces:
        if terms and max(terms) > _LARGEST:
            raise InvalidRange(problem="npy", start=0, stop=max(terms))
        out.write(np.array(terms, dtype="<i8").tobytes())
        count += len(terms)
    if many is None:
        end = out.tell()
        out.seek(head)
        _header(out, count)
        out.seek(end)
    return count


def _header(out: IO[bytes], many: int) -> None:
    # numpy leaves room for a longer shape, so that the header keeps its length.
    fields = {"descr": "<i8", "fortran_order": False, "shape": (many,)}
    np.lib.format.write_array_header_1_0(out, fields)


def read_bfile(path: str, file: IO[bytes]) -> Iterator[tuple[int, int]]:
    """The indices and terms of a b-file; raises `FileError`."""
    expected, number = None, 0
    for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), 1):
        text = line.strip()
        if not text or text.startswith(b"#"):
            continue
        match = _TERM.fullmatch(text)
        if match is None:
            shown = text[:60].decode("utf-8", "replace")
            raise FileError(path=path, line=number, problem="not a term", text=shown)
        index = int(match[1])
        if expected is not None and index != expected:
            about = {"problem": "order", "expected": expected, "text": str(index)}
            raise FileError(path=path, line=number, **about)
        expected = index + 1
        yield index, int(match[2])
    if expected is None:
        raise FileError(path=path, line=max(number, 1), problem="empty")


def first_difference(
    ours: Iterator[Piece], theirs: Iterator[tuple[int, int]]
) -> tuple[int, tuple[int, int | None, int] | None]:
    """(terms that agree, (index, our term or None, their term) where they part or None)."""
    agree = 0
    mine = ((index + place, term) for index, found in ours for place, term in enumerate(found))
    for index, term in theirs:
        # Ours are asked for only now: a term more than needed could take long.
        current = next((pair for pair in mine if pair[0] >= index), None)
        if current is None or current[0] > index:
            return agree, (index, None, term)
        if current[1] != term:
            return agree, (index, current[1], term)
        agree += 1
    return agree, None
