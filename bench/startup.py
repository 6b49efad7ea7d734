"""How long the command takes to answer, against a bare Python."""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Result, interleaved, seconds, sized

NUMDUEL = str(Path(sys.executable).with_name("numduel"))


def first_prompt() -> float:
    """Seconds until the first prompt of a match stands on the screen."""
    taken = []
    for _ in range(sized(5, 1)):
        start = time.perf_counter()
        with subprocess.Popen(
            [NUMDUEL, "play", "divisor-duel"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            seen = b""
            while not seen.endswith(b"chosen divisor: ") and process.stdout:
                seen += process.stdout.read1()
            taken.append(time.perf_counter() - start)
            process.communicate(b"quit\n")
    return statistics.median(taken)


def run() -> Iterator[Result]:
    """Version and first prompt, in units of `python -c pass`."""
    python, version, prompt = interleaved(
        seconds([sys.executable, "-c", "pass"]), seconds([NUMDUEL, "--version"]), first_prompt
    )
    print(f"python -c pass {python * 1e3:.1f} ms, numduel --version {version * 1e3:.1f} ms,")
    print(f"first prompt of numduel play divisor-duel {prompt * 1e3:.1f} ms")
    yield Result("numduel --version / python -c pass", version / python, 4.5)
    yield Result("first prompt of numduel play divisor-duel / python -c pass", prompt / python, 15)
