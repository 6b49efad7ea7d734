"""The same blocks on a real Dask scheduler with workers of its own, one of them killed."""

from __future__ import annotations

import gc
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from gpu.emulated import COMPILER
from numduel.errors import SchedulerError
from numduel.research.claims import ClaimRange
from numduel.research.crews import Cluster
from numduel.research.recheck import recheck
from numduel.research.verify import verify
from numduel.wording import problem
from patience import PATIENT, until
from terminal import COMMAND

distributed = pytest.importorskip("distributed")


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return int(server.getsockname()[1])


def started(stack: ExitStack, folder: Path, *arguments: str, log: str) -> subprocess.Popen[bytes]:
    """A Dask process that ends with the test."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("COV")},
        "PYTHONPATH": str(folder),
        "DASK_DISTRIBUTED__DASHBOARD__LINK": "",
    }
    file = stack.enter_context((folder / log).open("wb"))
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments], cwd=folder, env=environment, stdout=file, stderr=file
    )
    stack.callback(process.wait)
    stack.callback(process.kill)
    return process


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers, one thread each."""
    (tmp_path / "slow_kernel.py").write_text(
        "import time\nfrom pathlib import Path\n"
        "from numduel.research.blocks import even_losses\n\n"
        "def block(start, stop):\n"
        "    while start >= 1_000_000 and not Path('go').exists():\n        time.sleep(0.02)\n"
        "    return even_losses(start, stop)\n"
    )
    address = f"tcp://127.0.0.1:{free_port()}"
    with ExitStack() as stack:
        started(stack, tmp_path, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port",
                address.rpartition(":")[2], "--no-dashboard", log="scheduler.log")  # fmt: skip
        workers = [
            started(stack, tmp_path, "distributed.cli.dask_worker", address, "--nthreads", "1",
                    "--no-nanny", "--no-dashboard", "--name", f"w{i}", log=f"worker{i}.log")
            for i in range(2)
        ]  # fmt: skip
        yield address, workers


def test_a_worker_killed_in_mid_run(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    address, workers = cluster
    with distributed.Client(address, timeout=PATIENT, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=PATIENT)
    alone = ClaimRange.of("even-losses", None, 3_000_000, 100_000)
    run = subprocess.Popen(
        [*COMMAND, "verify", "even-losses", "--to", "3000000", "--block", "100000", "--kernel",
         "slow_kernel:block", "--scheduler", address, "--resume", "run"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    checkpoint = tmp_path / "run"
    until(lambda: checkpoint.exists() and checkpoint.read_bytes().count(b"\n") >= 6)
    workers[1].kill()
    (tmp_path / "go").touch()  # no block of the second half was done before
    out, err = run.communicate(timeout=PATIENT)
    assert run.returncode == 0, err
    expected = verify(alone, tmp_path / "alone")
    assert out.decode().replace("slow_kernel:block", alone.kernel) == expected


def test_a_scheduler_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"tcp://127.0.0.1:{free_port()}"
    monkeypatch.setattr("numduel.research.crews.SECONDS", 1)
    plan = ClaimRange.of("even-losses", None, 1_000)
    with pytest.raises(SchedulerError) as caught:
        verify(plan, tmp_path / "run", Cluster(address))
    assert "No Dask scheduler answers" in problem(caught.value)
    for nonsense in ("nowhere", "tcp://", "http://x:1", ""):
        with pytest.raises(SchedulerError):
            verify(plan, tmp_path / "run", Cluster(nonsense))


def test_what_fails_to_connect_is_closed_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it is closed when its garbage is collected: with that lock held, never."""
    from distributed.utils import LoopRunner

    monkeypatch.setattr("numduel.research.crews.SECONDS", 1)
    plan = ClaimRange.of("even-losses", None, 1_000)
    for address in (f"tcp://127.0.0.1:{free_port()}", "nowhere", "tcp://", "http://x:1", ""):
        with pytest.raises(SchedulerError):
            verify(plan, tmp_path / "run", Cluster(address))
    with LoopRunner._lock:
        gc.collect()


def test_a_scheduler_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.research.crews.SECONDS", PATIENT)
    wait = distributed.Client.wait_for_workers
    monkeypatch.setattr(
        distributed.Client, "wait_for_workers", lambda self, n, timeout: wait(self, n, timeout=0.5)
    )
    address = f"tcp://127.0.0.1:{free_port()}"
    with ExitStack() as stack:
        started(stack, tmp_path, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port",
                address.rpartition(":")[2], "--no-dashboard", log="scheduler.log")  # fmt: skip
        with pytest.raises(SchedulerError) as caught:
            verify(ClaimRange.of("even-losses", None, 1_000), tmp_path / "run", Cluster(address))
    assert "has no workers" in problem(caught.value)


def on_gpus(folder: Path, preload: list[str]) -> subprocess.CompletedProcess[str]:
    """`numduel verify --device gpu` on a worker of two threads."""
    address = f"tcp://127.0.0.1:{free_port()}"
    with ExitStack() as stack:
        started(stack, folder, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port",
                address.rpartition(":")[2], "--no-dashboard", log="scheduler.log")  # fmt: skip
        started(stack, folder, "distributed.cli.dask_worker", address, "--nthreads", "2",
                "--no-nanny", "--no-dashboard", *preload, log="worker.log")  # fmt: skip
        with distributed.Client(address, timeout=PATIENT, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=PATIENT)
        return subprocess.run(
            [*COMMAND, "verify", "even-losses", "--to", "3000000", "--block", "500000", "--device",
             "gpu", "--scheduler", address, "--output", "certificate.json"],
            cwd=folder, capture_output=True, text=True, timeout=PATIENT,
        )  # fmt: skip


def test_the_gpu_of_a_worker(tmp_path: Path) -> None:
    """The option reaches the workers, whose threads share their GPU: here an emulated one."""
    if COMPILER is None:
        pytest.skip("there is no g++ here to compile the kernels with")
    (tmp_path / "emulated_gpu.py").write_text(
        f"import sys\nsys.path.append({str(Path(__file__).parents[1])!r})\n"
        "from gpu.emulated import Emulated\nfrom numduel.research import gpu_worker\n"
        "gpu_worker.Cuda = Emulated\n"
    )
    done = on_gpus(tmp_path, ["--preload", "emulated_gpu.py"])
    assert done.returncode == 0, done.stderr
    data = json.loads((tmp_path / "certificate.json").read_text())
    assert [machine["device"] for machine in data["machines"]] == ["emulated"]
    assert len(recheck(data, 6).recomputed) == 6


def test_a_worker_without_a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    done = on_gpus(tmp_path, [])
    assert done.returncode == 1
    assert "GPU here" in done.stderr or "CuPy cannot be used" in done.stderr
    assert "Traceback" not in done.stderr
