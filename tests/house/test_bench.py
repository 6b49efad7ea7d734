"""The benches run: each in its short form, and to the end whatever fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[2]


def bench(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench", "--short", *words]
    return subprocess.run(command, cwd=_ROOT, capture_output=True, text=True)


def test_every_bench_has_a_short_form() -> None:
    done = bench()
    assert done.returncode == 0, done.stdout + done.stderr


def test_one_that_fails_is_a_row_like_the_others() -> None:
    done = bench("nothing", "saving")
    *_, row, failed = done.stdout.splitlines()
    assert (done.returncode, row.split("  ")[0], failed.partition(": ")[0]) == (
        1, "saved move / bare durable insert into SQLite", "bench.nothing failed",
    )  # fmt: skip
