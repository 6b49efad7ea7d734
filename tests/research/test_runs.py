"""Runs of `numduel verify`: checkpoints, kills, workers, certificates, and bad input."""

import json
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from zlib import crc32

import pytest

from numduel.errors import FileError
from numduel.research import claim_certificate
from numduel.research.claims import ClaimRange
from numduel.research.crews import alone, processes, run_block
from numduel.research.verify import Checkpoint, recheck, verify, write_line
from patience import until
from raised import raised
from research.conftest import Command
from terminal import COMMAND, Terminal

PLAN = ClaimRange.of("even-losses", None, 1_000_000, 100_000)
SLOW = "slow_kernel:block"
SLOW_KERNEL = """\
import time
from pathlib import Path
from numduel.research.claims import digest

def block(start, stop):
    time.sleep({seconds})
    with Path({log!r}).open("a") as log:
        log.write(f"{{start}}\\n")
    return dict(losses=(stop - start) // 6 + start % 7, hash=digest(f"{{start}}".encode()))
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    return verify(PLAN, tmp_path_factory.mktemp("whole") / "run")


def slow_kernel(folder: Path, seconds: float) -> tuple[Path, ClaimRange]:
    """A block kernel of one's own that takes its time and no compiler, with a log of its blocks."""
    log = folder / "done.txt"
    log.touch()
    (folder / "slow_kernel.py").write_text(SLOW_KERNEL.format(seconds=seconds, log=str(log)))
    return log, ClaimRange.of("even-losses", None, 1_000_000, 100_000, kernel=SLOW)


@pytest.fixture
def importable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The test's folder, from which modules are imported, here and in other processes."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.delitem(sys.modules, "slow_kernel", raising=False)
    return tmp_path


def test_a_certificate_and_a_forged_one(whole: str, tmp_path: Path, command: Command) -> None:
    data = json.loads(whole)
    assert data["format"] == "numduel-claim"
    assert (data["claim"], data["from"], data["to"]) == ("even-losses", 0, 1_000_000)
    assert set(data["versions"]) == {"numduel", "python", "numpy", "numba"}
    plan, rows = claim_certificate.read(data)
    assert plan == PLAN
    assert claim_certificate.totals(rows) == {"losses": sum(row["losses"] for row in rows)}
    told: list[tuple[int, int]] = []
    assert len(recheck(data, 100, progress=lambda *now: told.append(now)).recomputed) == 10
    assert told == [(0, done) for done in range(1, 11)], "what was done makes the rate"
    assert recheck(data, 2, seed=5).recomputed == recheck(data, 2, seed=5).recomputed
    path = tmp_path / "claim.json"
    path.write_text(whole)
    out, err, code = command(["check", str(path), "--sample", "2"])
    assert (err, code) == ("", 0)
    assert out.count("Recomputed by plain search, and agrees") == 2
    fields = json.loads(command(["check", str(path), "--json"])[0])
    assert (fields["claim"], fields["blocks"]) == ("even-losses", 10)
    assert len(fields["recomputed"]) == 1
    for row in data["blocks"]:
        row["losses"] += 1
    data["hash"] = claim_certificate.blocks_hash(data["blocks"])
    path.write_text(json.dumps(data))
    assert command(["check", str(path), "--sample", "0"])[2] == 0
    out, err, code = command(["check", str(path)])
    assert (out, code) == ("", 1)
    assert "finds another losses" in err


def test_values_make_a_chain_of_blocks() -> None:
    plan = ClaimRange.of("max-grundy", None, 1_260_000, 630_000)
    rows = list(alone(plan.kernel, plan.blocks()))
    claim_certificate.check_rows(plan, rows)


def test_killed_and_resumed_nothing_is_done_twice(importable: Path) -> None:
    log, plan = slow_kernel(importable, 0.1)
    arguments = [*COMMAND, "verify", "even-losses", "--to", "1000000", "--block", "100000",
                 "--kernel", SLOW, "--resume", "run.checkpoint"]  # fmt: skip
    first = subprocess.Popen(arguments, cwd=importable, stdout=subprocess.PIPE)
    until(lambda: len(log.read_text().split()) >= 4)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    kept = (importable / "run.checkpoint").read_bytes()
    done = kept.count(b"\n") - 1
    assert 3 <= done < 10
    told: list[tuple[int, int]] = []
    again = verify(plan, importable / "run.checkpoint", progress=lambda *now: told.append(now))
    assert told[0] == (done * 100_000, done * 100_000)
    assert (importable / "run.checkpoint").read_bytes().startswith(kept)
    starts = log.read_text().split()
    twice = [start for start in set(starts) if starts.count(start) > 1]
    assert len(twice) <= 1, "only the block under way may be done again"
    slow_kernel(importable, 0)
    assert again == verify(plan, importable / "whole")
    assert again == verify(plan, importable / "apart", partial(processes, 2)), (
        "whoever does the work"
    )


def test_a_killed_worker_is_a_sentence(importable: Path, command: Command) -> None:
    slow_kernel(importable, 0)
    module = importable / "slow_kernel.py"
    killing = "    import os; os.kill(os.getpid(), 9)\n    return"
    module.write_text(module.read_text().replace("    return", killing))
    checkpoint = str(importable / "run")
    _, err, code = command(
        ["verify", "even-losses", "--to", "1000000", "--kernel", SLOW, "--workers", "2",
         "--resume", checkpoint]
    )  # fmt: skip
    assert code == 1
    assert f"continue with --resume {checkpoint}" in err
    assert "Traceback" not in err


def test_progress_on_a_terminal(importable: Path) -> None:
    slow_kernel(importable, 0.3)
    with Terminal("verify", "even-losses", "--to", "1000000", "--block", "200000", "--kernel", SLOW,
                  "--resume", str(importable / "run"), "--output", str(importable / "out.json"),
                  PYTHONPATH=str(importable)) as terminal:  # fmt: skip
        terminal.wait_for("numbers/s")
        assert terminal.end() == 0, terminal.screen
        assert "holds for 0 <= n < 1000000" in terminal.screen
    assert len(json.loads((importable / "out.json").read_text())["blocks"]) == 5


def test_a_line_cut_short_is_dropped_and_a_damaged_checkpoint_left_as_it_is(
    whole: str, tmp_path: Path
) -> None:
    path = tmp_path / "run"
    checkpoint = Checkpoint(path, PLAN)
    for block in [*PLAN.blocks()][:3]:
        checkpoint.add(run_block(PLAN.kernel, *block))
    error = raised(FileError, verify, PLAN, path, match="checkpoint")
    assert error.problem == "in use"
    checkpoint.close()
    text = path.read_bytes()
    path.write_bytes(text[:-20])
    assert verify(PLAN, path) == whole
    assert path.read_bytes().count(b"\n") == 11
    for damaged, problem in (
        (text.replace(b'"losses": ', b'"losses": 1', 1), "damaged"),
        (b"x" + text, "damaged"),
        (text + text.splitlines(keepends=True)[-1], "damaged"),
        (text + write_line({"from": 7, "to": 9}), "damaged"),
        (text + b"\n", "damaged"),
        (text + b"1\t%08x\n" % crc32(b"1"), "damaged"),
        (b"not a checkpoint\n", "damaged"),
        (b"not a checkpoint", "damaged"),
        (write_line({"format": "numduel-checkpoint", "version": 1}), "other run"),
    ):
        path.write_bytes(damaged)
        error = raised(FileError, verify, PLAN, path, match="checkpoint")
        assert error.problem == problem
        assert path.read_bytes() == damaged
    raised(FileError, verify, PLAN, tmp_path / "no" / "run", match="checkpoint")


BAD = [
    ("even-losses --from 100 --to 50", 1, "The range from 100 to 50 is empty"),
    ("even-losses --to many", 2, "is not a number"),
    ("even-losses --to 10^40", 1, "too large for the method"),
    ("values --to 10^13 --block 10^12", 1, "at most 2,000,000,000 numbers"),
    ("exceptions --to 10^16", 1, "it reaches 1000000000000000"),
    ("even-losses", 2, "--to"),
    ("goldbach --to 100", 2, "goldbach"),
    ("even-losses --to 100 --kernel nothing", 1, "module:function"),
    ("even-losses --to 100 --workers 2 --scheduler x", 2, "has its own."),
    ("even-losses --to 100 --resume damaged", 1, "is damaged at line 1"),
    ("even-losses --to 100 --output damaged", 2, "already exists"),
    ("even-losses --to 100", 1, "--resume"),
]


def test_bad_input_gets_a_sentence(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "damaged").write_text("something else\n")
    (tmp_path / "even-losses-0-100.checkpoint").write_text("kept")
    for arguments, code, says in BAD:
        out, err, found = command(["verify", *arguments.split()])
        assert (out, found) == ("", code), err
        assert says in err
    assert (tmp_path / "damaged").read_text() == "something else\n"
    assert (tmp_path / "even-losses-0-100.checkpoint").read_text() == "kept"
    out, err, code = command(["verify", "digit-first-occurrence", "--to", "100000"])
    assert code == 0, err
    assert json.loads(out)["blocks"][0]["values"][0] == 10_000
    assert len(list(tmp_path.iterdir())) == 2, "a finished run leaves no checkpoint of its own"
