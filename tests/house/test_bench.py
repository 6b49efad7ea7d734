"""The benches run: each in its short form, and to the end whatever fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[2]


def test_every_bench_has_a_short_form_and_one_that_fails_is_a_row_like_the_others() -> None:
    names = {path.stem for path in _ROOT.glob("bench/[a-z]*.py")} - {"measure"}
    command = [sys.executable, "-m", "bench", "--short", "nothing", *sorted(names)]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True)
    failed = [line.partition(": ")[0] for line in done.stdout.splitlines() if " failed: " in line]
    assert (done.returncode, failed) == (1, ["bench.nothing failed"]), done.stdout + done.stderr
    assert "\nsaved move / bare durable insert into SQLite  " in done.stdout
