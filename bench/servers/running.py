"""Starting a server on one core, while the client has the other."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CORES = sorted(os.sched_getaffinity(0))
"""Before anybody has a core: a process begins with those of its parent."""


@contextmanager
def client_on_its_core() -> Iterator[None]:
    """Run this process on the last core, while servers run on the first."""
    os.sched_setaffinity(0, {_CORES[-1]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, _CORES)


@contextmanager
def ours(database: str) -> Iterator[tuple[int, int]]:
    """Our server: its port and its process."""
    command = [sys.executable, "-m", "bench.servers.ours", database]
    with _started(command, {}) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline()), process.pid


@contextmanager
def bare(database: str) -> Iterator[tuple[int, int]]:
    """The bare server: its port and its process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "bench.servers.bare:app", "--port", str(port)]
    command += ["--no-access-log", "--log-level", "error"]
    with _started(command, {"NUMDUEL_BENCH_DATABASE": database}) as process:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield port, process.pid


@contextmanager
def _started(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    def on_one_core() -> None:
        os.sched_setaffinity(0, {_CORES[0]})

    with subprocess.Popen(
        command, env={**os.environ, **environment}, stdout=subprocess.PIPE, preexec_fn=on_one_core
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)


def memory(pid: int) -> int:
    """Bytes of memory that the process holds."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
