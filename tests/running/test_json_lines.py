"""Files of JSON lines: what is written is read again, and what was cut off or damaged is not."""

from __future__ import annotations

import io
from pathlib import Path

from numduel.json_lines import append, read_head, read_line, whole_lines, write_anew, write_line

VALUES = [{"from": 0, "hash": "ab"}, [1, "a\tb\nc\u2028"], "é", None, 7]


def test_lines_are_read_as_they_were_written(tmp_path: Path) -> None:
    for marked in (False, True):
        path = tmp_path / str(marked)
        lines = [write_line(value, marked) for value in VALUES]
        with path.open("wb") as file:
            append(file, lines[:2])
            append(file, lines[2:])
        for cut in (0, 1, len(lines[-1]) - 1, len(lines[-1])):  # as a kill leaves it
            whole = b"".join(lines)
            path.write_bytes(whole[: len(whole) - cut])
            with path.open("rb") as file:
                assert read_head(file, marked) == VALUES[0]
                found, torn = whole_lines(file)
            kept = VALUES[1:] if cut == 0 else VALUES[1:-1]
            assert [read_line(line, marked) for line in found] == kept
            assert torn == (lines[-1][:-cut] if cut else b"")
        write_anew(path, lines[3:])
        assert path.read_bytes() == b"".join(lines[3:])
    assert len([*tmp_path.iterdir()]) == 2, "nothing is left beside the files"


def refused(line: bytes, marked: bool) -> bool:
    try:
        read_head(io.BytesIO(line), marked)
    except ValueError:
        return True
    return False


def test_what_is_no_line() -> None:
    whole = write_line(VALUES[0], marked=True)
    damaged = (whole.replace(b"ab", b"ac"), whole[:-1], b"{}\n", b"{}\t0\n", b"1\t1\n")
    assert all(refused(line, marked=True) for line in (b"", b"\n", *damaged))
    broken = (b"{}", b"{\n", b"\xff\n", b"[" * 100_000 + b"\n", whole)
    assert all(refused(line, marked=False) for line in (b"", b"\n", *broken))
    assert refused(b" " * 11_000_000 + b"7\n", marked=False), "no line is so long"
