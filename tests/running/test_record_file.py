"""Files of records and of JSON lines: added to, never torn, and what was cut off is not read."""

import io
import random
import subprocess
from pathlib import Path

import pytest

from match.test_record import DATE, played
from numduel.errors import FileError
from numduel.json_lines import append, read_head, read_line, whole_lines, write_anew, write_line
from numduel.match import Record, read_records
from numduel.running import RecordFile
from patience import PATIENT
from raised import raised
from soaking import SOAK
from terminal import COMMAND, run

FIRST = Record.of(played("divisor-duel:60", "15", "resign", names=("Zoë", "Bob")), DATE)
SECOND = Record.of(played("prime-subtractor:23", "13", "13", overshoot="loses"), DATE)
THIRD = Record.of(played("power-play:30", "2"), DATE)


def test_a_file_cut_short_anywhere_keeps_its_whole_records(tmp_path: Path) -> None:
    path = tmp_path / "matches.txt"
    for record in (FIRST, SECOND):
        RecordFile(str(path)).add(record)
    whole = path.read_bytes()
    assert read_records(whole.decode()) == [FIRST, SECOND]
    first = len(str(FIRST).encode())
    edges = {0, 1, 15, 16, 17, first - 2, first - 1, first, first + 1, *range(5, len(whole), 7)}
    for cut in sorted(edges | {len(whole) - 2, len(whole) - 1, len(whole)}):
        path.write_bytes(whole[:cut])
        if 0 < cut < len("numduel record 1"):
            raised(FileError, RecordFile, str(path), match="record file")
            assert path.read_bytes() == whole[:cut], "who knows what this was"
            continue
        RecordFile(str(path)).add(THIRD)
        kept = [FIRST] * (cut >= first - 1) + [SECOND] * (cut >= len(whole) - 1)
        assert read_records(path.read_text()) == [*kept, THIRD], f"cut after {whole[:cut]!r}"


OTHER = {
    "a list": b"a shopping list\n",
    "pictures": bytes(range(256)) * 400,
    "a list after a record": str(FIRST).encode() + b"\nmilk\n",
    "a list without end after a record": str(FIRST).encode() + b"\nmilk",
    "a broken record": str(FIRST).replace("15 -> 45", "15 -> 46").encode(),
    "a record of the future": str(FIRST).replace("record 1", "record 2").encode(),
    "a record that mentions one": b"This is a\nnumduel record 1\n",
}


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other"
    for name, content in OTHER.items():
        path.write_bytes(content)
        raised(FileError, RecordFile, str(path), match="record file")
        assert path.read_bytes() == content, name
    for before in ("", "\n\n", "\ufeff", "\ufeff\n"):  # but blanks and a mark are nothing
        path.write_text(before)
        RecordFile(str(path)).add(FIRST)
        RecordFile(str(path)).add(SECOND)
        assert read_records(path.read_text()) == [FIRST, SECOND]


def bytes_so_far() -> int:
    found = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(found["rchar"]) + int(found["wchar"])


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="the system does not count bytes")
def test_adding_a_record_reads_no_more_of_a_long_file(tmp_path: Path) -> None:
    path = tmp_path / "matches.txt"
    costs = []
    for count in (100, 10_000):
        path.write_text("\n".join([str(FIRST)] * count))
        before = bytes_so_far()
        RecordFile(str(path)).add(FIRST)
        costs.append(bytes_so_far() - before)
    assert path.stat().st_size > 2_000_000
    assert costs[1] <= costs[0] + 100
    assert costs[0] < 60_000


SERIES = ["play", "divisor-duel:60", "--p1", "random", "--p2", "random", "--no-save", "--best-of"]


def test_two_processes_add_to_one_file(tmp_path: Path) -> None:
    path = str(tmp_path / "matches.txt")
    series = [*COMMAND, *SERIES, "11", "--record", path]
    both = [subprocess.Popen(series, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait(timeout=PATIENT) for process in both] == [0, 0]
    assert 12 <= len(read_records(Path(path).read_text())) <= 22


@pytest.mark.soak("kills", short=True)
def test_a_kill_leaves_a_file_that_can_be_added_to(tmp_path: Path) -> None:
    chance = random.Random(8)
    path = tmp_path / "matches.txt"
    series = [*COMMAND, *SERIES, "999", "--record", str(path)]
    for _ in range(30 if SOAK else 2):
        with subprocess.Popen(series, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.read(chance.randint(2_000, 20_000))
            process.kill()
    run("play", "divisor-duel", "--record", str(path), typed="resign\n")
    assert len(read_records(path.read_text())) > 5


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
