"""Files of any size: a command that is given one says so, in little memory."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from numduel.cli.parameters import LONGEST
from numduel.errors import FileError
from numduel.match import read_notation
from numduel.research.formats import read_bfile
from patience import PATIENT
from terminal import run

MEMORY = 2 << 30
RUN = """
import sys
from numduel.cli.app import run
for line in sys.argv[1:]:
    print(f"({run(line.split())})", file=sys.stderr)
"""


def test_a_file_without_end_is_not_read_whole(tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(4 << 30)  # one line of zeros; it takes no room on the disk
    arena = "arena --player perfect --player random --board divisor-duel:60"
    commands = [f"{arena} --results /dev/zero", f"{arena} --transcript /dev/zero"]
    commands += ["arena --from /dev/zero"]
    commands += [f"{word} {large}" for word in ("analyse", "show", "share", "map", "check")]
    commands += ["analyse /dev/zero", "check /dev/zero", "check -"]
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            [sys.executable, "-c", RUN, *commands],
            stdin=endless, stderr=subprocess.PIPE, text=True, timeout=PATIENT, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        )  # fmt: skip
    *said, end = re.split(r"\([12]\)\n", done.stderr)
    assert (len(said), end) == (len(commands), ""), done.stderr
    assert all("holds something other than results" in one for one in said[:3])
    for one in said[3:]:
        assert one.endswith(f": it is longer than {LONGEST:,} characters.\n"), one
    file = tmp_path / "long"
    file.write_text(str(read_notation("divisor-duel:60/15.15")).ljust(LONGEST))
    assert "divisor-duel:60/15.15" in run("share", str(file)), "the longest that is read"
    with file.open("a") as more:
        more.write(" ")
    run("share", str(file), code=1)


def test_terms_without_end_are_refused_at_their_first_line(tmp_path: Path) -> None:
    zeros = tmp_path / "zeros"
    zeros.write_bytes(bytes(1 << 25))
    with zeros.open("rb") as file:
        with pytest.raises(FileError) as caught:
            next(read_bfile("zeros", file))
        assert file.tell() < 10_000_000, "it is not read on and on"
    assert (caught.value.problem, caught.value.line) == ("not a term", 1)
