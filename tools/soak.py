"""Run the soak, or the parts of it that are named: `python tools/soak.py kills classes`.

The parts run one after another, each no longer than its minutes; whatever fails, all have
their turn. In the end there is one table, and exit code 1 if anything failed.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import psutil


class Part(NamedTuple):
    """Minutes, and how many processes share the tests; waits are measured by one alone."""

    minutes: float
    testers: int = 0


PARTS = {
    "kills": Part(12), "hostile": Part(28), "classes": Part(7),
    "fuzzing": Part(7, testers=2), "rest": Part(6, testers=2),
}  # fmt: skip
_TO_END = 30
"""Seconds that a part has to stop its servers, when its time is over."""


def run(name: str, minutes: float, tests: list[str]) -> list[list[str]]:
    """Run a part; its rows of the table, and whether all is well in the first of them."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "kept.jsonl"
        kept.touch()
        environment = os.environ | {
            "NUMDUEL_SOAK": name,
            "NUMDUEL_SOAK_MINUTES": str(minutes),
            "NUMDUEL_SOAK_FILE": str(kept),
        }
        command = [sys.executable, "-m", "pytest", "-q", "--timeout", "0", *tests]
        command += ["-n", str(PARTS[name].testers)]
        begun = time.monotonic()
        ended = _limited(command, environment, 60 * minutes)
        taken = (time.monotonic() - begun) / 60
        _end_what_is_left(kept)
        facts: list[dict[str, Any]] = [json.loads(line) for line in kept.read_text().splitlines()]
    outcomes = {fact["case"]: fact["outcome"] for fact in facts if "case" in fact}
    passed, failed = (list(outcomes.values()).count(one) for one in ("passed", "failed"))
    # 5: there was nothing to run.
    verdict = "out of time" if ended is None else "ok" if ended in (0, 5) else "FAILED"
    rows = [[name, f"{taken:.1f} of {minutes:g}", str(passed), str(failed), verdict]]
    rows += [["", fact["figure"], fact["value"]] for fact in facts if "figure" in fact]
    return rows + [["", case, "FAILED"] for case, one in outcomes.items() if one == "failed"]


def _limited(command: list[str], environment: dict[str, str], limit: float) -> int | None:
    """The exit code, or None where it had to be ended; what it started is ended too."""
    with subprocess.Popen(command, env=environment, start_new_session=True) as process:
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(_TO_END)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
            return None
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise


def _end_what_is_left(kept: Path) -> None:
    """End what a part has started and left: servers have sessions of their own."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get("NUMDUEL_SOAK_FILE") == str(kept):
                process.kill()


def table(rows: list[list[str]]) -> str:
    """The parts, and under each what its tests have found."""
    lines = [f"{'part':<9}{'minutes':>12}{'passed':>8}{'failed':>8}"]
    for first, *others in rows:
        if first:
            minutes, passed, failed, verdict = others
            lines.append(f"{first:<9}{minutes:>12}{passed:>8}{failed:>8}  {verdict}")
        else:
            name, value = others
            lines.append(f"    {name}: {value:,}" if isinstance(value, int) else
                         f"    {name}: {value}")  # fmt: skip
    return "\n".join(lines)


def main() -> int:
    """Run the parts and print the table; 1 if anything failed, or had too little time."""
    parser = argparse.ArgumentParser(description=__doc__)
    told = f"{', '.join(PARTS)}; kills=2 has 2 minutes instead of its own"
    parser.add_argument("parts", nargs="*", metavar="PART", help=told)
    parser.add_argument("--tests", nargs="*", default=[], help="files or folders of tests")
    asked = parser.parse_args()
    rows = []
    for part in asked.parts or PARTS:
        name, _, own = part.partition("=")
        if name not in PARTS:
            parser.error(f"There is no part {name!r}. There are {', '.join(PARTS)}.")
        minutes = float(own or PARTS[name].minutes)
        print(f"\n== {name}: at most {minutes:g} minutes", flush=True)
        rows += run(name, minutes, asked.tests)
    print(f"\n{table(rows)}")
    return int(any(row[0] and row[-1] != "ok" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
