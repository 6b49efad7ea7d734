"""The soak and the benches run to their end whatever fails, and tell what was found."""

import os
import subprocess
import sys
from pathlib import Path

from patience import is_running

_ROOT = Path(__file__).parents[2]
_CONFTEST = f"""
import sys
sys.path.insert(0, {str(_ROOT / "tests")!r})
from soaking import pytest_collection_modifyitems, pytest_runtest_logreport
"""
_TESTS = """
import subprocess, time
import pytest
from soaking import figure

left = []

@pytest.mark.soak("kills", short=True)
def test_is_right():
    left.append(subprocess.Popen(["sleep", "1000"], start_new_session=True))
    figure("kills by nobody", left[0].pid)

@pytest.mark.soak("kills")
def test_is_wrong():
    assert False

@pytest.mark.soak("classes")
def test_never_ends():
    time.sleep(1000)


def test_is_not_of_the_soak():
    assert False
"""


def test_every_part_has_its_turn_and_make_test_runs_short_forms_alone(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(_CONFTEST)
    (tmp_path / "test_some.py").write_text(_TESTS)
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *words, str(tmp_path)]
        return subprocess.run(command, cwd=_ROOT, env=own, capture_output=True, text=True)

    done = run("tools/soak.py", "kills", "classes=0.01", "--tests")
    rows = done.stdout.partition("\npart ")[2].splitlines()[1:]
    assert done.returncode == 1, done.stdout
    told = [" ".join(row.split()) for row in rows]
    left = int(told.pop(1).rpartition(" ")[2].replace(",", ""))
    assert not is_running(left), "what a part leaves is ended"
    # Where the clone is decides how much of a test's path is told.
    assert [(row.partition(" of ")[2] or row).rpartition("/")[2] for row in told] == [
        "12 1 1 FAILED", "test_some.py::test_is_wrong: FAILED",
        "0.01 0 0 out of time",
    ]  # fmt: skip
    done = run("-m", "pytest", "--collect-only", "-q")
    found = [line.rpartition("::")[2] for line in done.stdout.splitlines() if "::" in line]
    assert found == ["test_is_right", "test_is_not_of_the_soak"]


def test_every_bench_has_a_short_form_and_one_that_fails_is_a_row_like_the_others() -> None:
    names = {path.stem for path in _ROOT.glob("bench/[a-z]*.py")} - {"measure"}
    command = [sys.executable, "-m", "bench", "--short", "nothing", *sorted(names)]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True)
    failed = [line.partition(": ")[0] for line in done.stdout.splitlines() if " failed: " in line]
    assert (done.returncode, failed) == (1, ["bench.nothing failed"]), done.stdout + done.stderr
    assert "\nsaved move / bare durable insert into SQLite  " in done.stdout
