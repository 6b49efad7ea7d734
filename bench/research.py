"""`numduel verify even-losses` against primesieve; two workers and Dask against one."""

import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path

from bench.measure import SHORT, Result, sized
from bench.range_kernels import memory, sieve_seconds
from numduel.research.claims import ClaimRange
from numduel.research.crews import Crew, alone, cluster, processes
from numduel.research.verify import verify

START, STOP = 10**12, 10**12 + sized(10**10, 10**7)
ROUNDS = sized(3, 1)
PLAN = ClaimRange.of("even-losses", START, STOP)


def seconds(crew: Crew) -> float:
    """How long the blocks of the whole range take, from the first to the last row.

    A few small blocks go first, in which workers import and load the kernels;
    starting the workers and ending them (a quarter of a second) is left out.
    """
    warm = ClaimRange.of("even-losses", START, START + 4 * 10**6, 10**6)
    start = end = time.perf_counter()
    settled = 0
    for row in crew(PLAN.kernel, chain(warm.blocks(), PLAN.blocks())):
        settled += row["to"] - row["from"] > 10**6
        end = time.perf_counter()
        if not settled:
            start = end
    assert settled == PLAN.count
    return end - start


def whole_run() -> float:
    """Seconds of `verify` itself in this process, checkpoint and certificate included."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        verify(PLAN, Path(folder) / "run", alone)
        return time.perf_counter() - start


def dask_cluster(stack: ExitStack, workers: int) -> str:
    """A scheduler and workers on this machine; its address. They end with the stack."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port = server.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    scheduler = ["distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port)]
    worker = ["distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny"]
    for arguments in [scheduler, *[worker] * workers]:
        process = subprocess.Popen(
            [sys.executable, "-m", *arguments, "--no-dashboard"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tempfile.gettempdir(),
        )
        stack.callback(process.wait)
        stack.callback(process.terminate)
    from distributed import Client

    with Client(address, timeout=30, set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=60)
    return address


def run() -> Iterator[Result]:
    """Ratios, each round taking turns; the load beside this run is printed."""
    if not SHORT and not shutil.which("primesieve"):
        print("primesieve is not installed (Debian's package primesieve): verify not measured")
        return
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    list(alone(PLAN.kernel, iter([(0, 10**6), (START, START + 10**6)])))
    before = memory()
    sieve, twice, dask = [], [], []
    with ExitStack() as stack:
        both = alone if SHORT else partial(processes, 2)
        dask_crew = alone if SHORT else partial(cluster, dask_cluster(stack, 2))
        for _ in range(ROUNDS):
            theirs = sieve_seconds("1000000000000", "-d1e10")
            ours = whole_run()
            sieve.append(ours / theirs)
            twice.append(ours / seconds(both))
            dask.append(ours / seconds(dask_crew))
            print(f"primesieve {theirs:.2f} s, verify {ours:.2f} s, "
                  f"two workers {twice[-1]:.2f} times, Dask {dask[-1]:.2f} times")  # fmt: skip
    what = "verify even-losses, 10^12 + [0, 10^10)"
    yield Result(f"{what} / primesieve, one core", statistics.median(sieve), 8)
    yield Result(f"{what}: two workers against one", statistics.median(twice), 1.8, True)
    yield Result(f"{what}: Dask with two workers against one", statistics.median(dask), 1.6, True)
    yield Result("memory of a worker above the imports, MiB", memory() - before, 100)
