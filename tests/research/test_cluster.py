"""The same blocks on a real Dask scheduler with workers of its own, one of them killed."""

import gc
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from subprocess import Popen
from threading import Thread

import pytest

from gpu.emulated import COMPILER
from later import Later
from numduel.errors import RunFailed
from numduel.research.claims import ClaimRange
from numduel.research.crews import cluster
from numduel.research.verify import recheck, verify
from numduel.wording import problem
from patience import PATIENT, until
from terminal import piped

distributed = Later("distributed")


@pytest.fixture
def address() -> Iterator[str]:
    """That of a scheduler without workers."""
    with distributed.LocalCluster(
        n_workers=0, processes=False, protocol="tcp://", host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
    ) as cluster:  # fmt: skip
        yield cluster.scheduler_address


@contextmanager
def workers(folder: Path, address: str, many: int, *more: str) -> Iterator[list[Popen[bytes]]]:
    """So many new workers, once they are there."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny",
               "--no-dashboard", *more]  # fmt: skip
    with (folder / "dask.log").open("ab") as log:
        made = [
            Popen(command, cwd=folder, env={**kept, "PYTHONPATH": str(folder)}, stderr=log)
            for _ in range(many)
        ]
    try:
        with distributed.Client(address, timeout=PATIENT, set_as_default=False) as client:
            client.wait_for_workers(many, timeout=PATIENT)
        yield made
    finally:
        for process in made:
            process.kill()
            process.wait()


def test_a_worker_killed_in_mid_run(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And those that are left have a GPU: here an emulated one, which their threads share."""
    (tmp_path / "waiting_kernel.py").write_text(
        "import time\nfrom pathlib import Path\n\n"
        "def block(start, stop):\n"
        f"    while start >= 500_000 and not Path({str(tmp_path)!r}, 'go').exists():\n"
        "        time.sleep(0.02)\n"
        "    return dict(losses=(stop - start) // 6, hash='0' * 32)\n"
    )
    (tmp_path / "emulated_gpu.py").write_text(
        f"import sys\nsys.path.append({str(Path(__file__).parents[1])!r})\n"
        "from gpu.emulated import Emulated\nfrom numduel.research import gpu_blocks\n"
        "gpu_blocks.Cuda = Emulated\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    plan = ClaimRange.of("even-losses", None, 10**6, 50_000, kernel="waiting_kernel:block")
    checkpoint, found = tmp_path / "run", []
    more = ("--nthreads", "2", "--preload", "emulated_gpu.py")
    with workers(tmp_path, address, 2, *more) as (_, second):
        run = Thread(
            target=lambda: found.append(verify(plan, checkpoint, partial(cluster, address)))
        )
        run.start()
        until(lambda: checkpoint.exists() and checkpoint.read_bytes().count(b"\n") >= 6)
        second.kill()
        (tmp_path / "go").touch()  # no block of the second half was done before
        run.join(PATIENT)
        assert found == [verify(plan, tmp_path / "alone")]
        if COMPILER is not None:
            plan = ClaimRange.of("even-losses", 10**6, 1_200_000, 50_000, device="gpu")
            data = json.loads(verify(plan, tmp_path / "gpu", partial(cluster, address)))
            assert [machine["device"] for machine in data["machines"]] == ["emulated"]
            assert len(recheck(data, 4).recomputed) == 4


@pytest.mark.soak
def test_a_worker_without_a_gpu(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with workers(tmp_path, address, 1):
        _, err, code = piped(
            ["verify", "even-losses", "--to", "1000000", "--device", "gpu", "--scheduler", address,
             "--resume", str(tmp_path / "run")]
        )  # fmt: skip
    assert code == 1
    assert "GPU here" in err or "CuPy cannot be used" in err
    assert "Traceback" not in err


def test_a_scheduler_without_workers(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait = distributed.Client.wait_for_workers
    monkeypatch.setattr("distributed.Client.wait_for_workers", lambda *one, **_: wait(*one, 0.2))
    with pytest.raises(RunFailed, match="Dask") as caught:
        verify(
            ClaimRange.of("even-losses", None, 1_000), tmp_path / "run", partial(cluster, address)
        )
    assert "has no workers" in problem(caught.value)


def test_a_scheduler_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails to connect is closed at once: when its garbage is collected, with that lock
    held, it never would be."""
    from distributed.utils import LoopRunner

    monkeypatch.setattr("numduel.research.crews.SECONDS", 1)
    plan = ClaimRange.of("even-losses", None, 1_000)
    for address in ("nowhere", "tcp://", "http://x:1", "", "tcp://127.0.0.1:1"):
        with pytest.raises(RunFailed, match="Dask") as caught:
            verify(plan, tmp_path / "run", partial(cluster, address))
    assert "No Dask scheduler answers" in problem(caught.value)
    with LoopRunner._lock:
        gc.collect()
