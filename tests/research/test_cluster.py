"""The same blocks on a real Dask scheduler with workers of its own, one of them killed."""

from __future__ import annotations

import gc
import importlib
import json
import os
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import pytest

from gpu.emulated import COMPILER
from later import Later
from numduel.errors import RunFailed
from numduel.research.claims import ClaimRange
from numduel.research.crews import Cluster
from numduel.research.recheck import recheck
from numduel.research.verify import verify
from numduel.wording import problem
from patience import PATIENT, until
from terminal import piped

distributed = Later("distributed")


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


def scheduler(stack: ExitStack, folder: Path) -> str:
    """The address of a new scheduler."""
    port = str(free_port())
    started(stack, folder, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port",
            port, "--no-dashboard", log="scheduler.log")  # fmt: skip
    return f"tcp://127.0.0.1:{port}"


def workers(
    stack: ExitStack, folder: Path, address: str, many: int, *more: str
) -> list[subprocess.Popen[bytes]]:
    """So many new workers, once they are there."""
    made = [
        started(stack, folder, "distributed.cli.dask_worker", address, "--no-nanny",
                "--no-dashboard", *more, log=f"worker{i}.log")
        for i in range(many)
    ]  # fmt: skip
    with distributed.Client(address, timeout=PATIENT, set_as_default=False) as client:
        client.wait_for_workers(many, timeout=PATIENT)
    return made


def test_a_worker_killed_in_mid_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And those that are left have a GPU: here an emulated one, which their threads share."""
    (tmp_path / "waiting_kernel.py").write_text(
        "import time\nfrom pathlib import Path\n"
        "from numduel.research.blocks import even_losses\n\n"
        "def block(start, stop):\n"
        "    while start >= 500_000 and not Path('go').exists():\n        time.sleep(0.02)\n"
        "    return even_losses(start, stop)\n"
    )
    (tmp_path / "emulated_gpu.py").write_text(
        f"import sys\nsys.path.append({str(Path(__file__).parents[1])!r})\n"
        "from gpu.emulated import Emulated\nfrom numduel.research import gpu_worker\n"
        "gpu_worker.Cuda = Emulated\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    alone = ClaimRange.of("even-losses", None, 1_000_000, 50_000)
    kernel = "waiting_kernel:block"
    waiting = ClaimRange.of("even-losses", None, 1_000_000, 50_000, kernel=kernel)
    checkpoint, found = tmp_path / "run", []
    with ExitStack() as stack:
        address = scheduler(stack, tmp_path)
        threads = ["--nthreads", "2", "--preload", "emulated_gpu.py"]
        _, second = workers(stack, tmp_path, address, 2, *threads)
        run = Thread(target=lambda: found.append(verify(waiting, checkpoint, Cluster(address))))
        run.start()
        until(lambda: checkpoint.exists() and checkpoint.read_bytes().count(b"\n") >= 6)
        second.kill()
        (tmp_path / "go").touch()  # no block of the second half was done before
        run.join(PATIENT)
        assert found[0].replace(kernel, alone.kernel) == verify(alone, tmp_path / "alone")
        if COMPILER is not None:
            plan = ClaimRange.of("even-losses", None, 1_400_000, 350_000, device="gpu")
            data = json.loads(verify(plan, tmp_path / "gpu", Cluster(address)))
            assert [machine["device"] for machine in data["machines"]] == ["emulated"]
            assert len(recheck(data, 4).recomputed) == 4


@pytest.mark.soak
def test_a_worker_without_a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with ExitStack() as stack:
        address = scheduler(stack, tmp_path)
        workers(stack, tmp_path, address, 1)
        _, err, code = piped(
            ["verify", "even-losses", "--to", "1000000", "--device", "gpu", "--scheduler", address,
             "--resume", str(tmp_path / "run")]
        )  # fmt: skip
    assert code == 1
    assert "GPU here" in err or "CuPy cannot be used" in err
    assert "Traceback" not in err


def test_a_scheduler_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails to connect is closed at once: when its garbage is collected, with that lock
    held, it never would be."""
    from distributed.utils import LoopRunner

    monkeypatch.setattr("numduel.research.crews.SECONDS", 1)
    plan = ClaimRange.of("even-losses", None, 1_000)
    for address in ("nowhere", "tcp://", "http://x:1", "", f"tcp://127.0.0.1:{free_port()}"):
        with pytest.raises(RunFailed, match="Dask") as caught:
            verify(plan, tmp_path / "run", Cluster(address))
    assert "No Dask scheduler answers" in problem(caught.value)
    with LoopRunner._lock:
        gc.collect()


def test_a_scheduler_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.research.crews.SECONDS", PATIENT)
    client = importlib.import_module("distributed").Client
    wait = client.wait_for_workers
    monkeypatch.setattr(
        client, "wait_for_workers", lambda self, n, timeout: wait(self, n, timeout=0.5)
    )
    with ExitStack() as stack:
        address = scheduler(stack, tmp_path)
        with pytest.raises(RunFailed, match="Dask") as caught:
            verify(ClaimRange.of("even-losses", None, 1_000), tmp_path / "run", Cluster(address))
    assert "has no workers" in problem(caught.value)
