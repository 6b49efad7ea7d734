"""Runs of `numduel verify --device gpu`, on an emulated GPU: rows, certificates and refusals."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpu.emulated import COMPILER, SMALL, Emulated
from numduel.cli.app import run
from numduel.errors import CheckpointError, ClaimFails, InvalidCertificate, NoDevice
from numduel.gpu.machine import Settled
from numduel.research import blocks, claim_certificate, claims, gpu_blocks, plain
from numduel.research.claims import CLAIMS, ClaimRange
from numduel.research.recheck import recheck
from numduel.research.verify import verify

PLAN = ClaimRange.of("even-losses", None, 3_000_000, 700_000, device="gpu")


@pytest.fixture(scope="module")
def emulated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    if COMPILER is None:
        pytest.skip("there is no g++ here to compile the kernels with")
    folder = tmp_path_factory.mktemp("kernels")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gpu_blocks, "Cuda", lambda: Emulated(folder))
        patch.setattr(gpu_blocks, "_workers", {})
        patch.setattr(claims, "PART", 10_000)
        yield


@pytest.fixture(scope="module")
def whole(emulated: None, tmp_path_factory: pytest.TempPathFactory) -> str:
    return verify(PLAN, tmp_path_factory.mktemp("whole") / "run")


@pytest.fixture
def certificate(whole: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(whole)
    return data


def test_a_certificate(certificate: dict[str, Any]) -> None:
    assert (certificate["version"], certificate["device"]) == (2, "gpu")
    (machine,) = certificate["machines"]
    assert machine["device"] == "emulated"
    assert set(machine["versions"]) == {"numduel", "python", "numpy", "cupy"}
    plan, rows = claim_certificate.read(certificate)
    assert plan == PLAN
    counted = [blocks.even_losses(start, stop)["losses"] for start, stop in PLAN.blocks()]
    assert [row["losses"] for row in rows] == counted
    assert claim_certificate.totals(rows) == {"losses": sum(counted)}
    for row in rows:
        assert plain.losses_fingerprint(row["from"], row["to"])["fingerprint"] == row["fingerprint"]


def test_check_recomputes_the_parts(certificate: dict[str, Any]) -> None:
    found = recheck(certificate, 100).recomputed
    assert found == [claims.part_of(start, stop) for start, stop in PLAN.blocks()]
    assert all(stop - start == 10_000 for start, stop in found)


def test_a_part_that_is_wrong_is_noticed(certificate: dict[str, Any]) -> None:
    certificate["blocks"][2]["part"]["losses"] += 1
    certificate["hash"] = claim_certificate.blocks_hash(certificate["blocks"])
    with pytest.raises(InvalidCertificate, match="finds another losses"):
        recheck(certificate, 5)


DAMAGES: list[tuple[str, Any]] = [
    ("another part", lambda d: d["blocks"][1].pop("part")),
    ("another part", lambda d: d["blocks"][1].update(part=7)),
    ("another part", lambda d: d["blocks"][1]["part"].update({"from": 700_001})),
    ("no fingerprint", lambda d: d["blocks"][1].update(fingerprint="x")),
    ("no fingerprint", lambda d: d["blocks"][1]["part"].pop("fingerprint")),
    ("not listed", lambda d: d["blocks"][1].update(machine=1)),
    ("not listed", lambda d: d.update(machines=7)),
    ("do not have the hash", lambda d: d["blocks"][1]["part"].update(losses=5)),
    ("device is unknown", lambda d: d.update(device="cpu")),
    ("device is unknown", lambda d: d.update(device=[])),
    ("fields", lambda d: d.update(version=1)),
    ("fields", lambda d: d.update(version=[])),
    ("range is none", lambda d: d.update(claim="max-grundy")),
]


def test_damaged_certificates(whole: str) -> None:
    for problem, damage in DAMAGES:
        data = json.loads(whole)
        damage(data)
        with pytest.raises(InvalidCertificate, match=problem):
            recheck(data, 0)


def test_a_run_goes_on_where_it_was_stopped(
    certificate: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(start: int, stop: int) -> Settled:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        settle = gpu_blocks._settle
        patch.setattr(
            gpu_blocks,
            "_settle",
            lambda worker, start, stop: (
                settle(worker, start, stop) if stop <= 1_400_000 else stopped(start, stop)
            ),
        )
        with pytest.raises(KeyboardInterrupt):
            verify(PLAN, tmp_path / "run")
    told: list[tuple[int, int]] = []
    text = verify(PLAN, tmp_path / "run", progress=lambda before, now: told.append((before, now)))
    assert told[0] == (1_400_000, 1_400_000)
    assert json.loads(text) == certificate
    with pytest.raises(CheckpointError):
        verify(ClaimRange.of("even-losses", None, 3_000_000, 700_000), tmp_path / "run")


def test_an_open_number_is_looked_at_again(emulated: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """310 is lost; from 10^12 + 2 some prime wins, whatever the device says."""
    gpu_blocks._look_again(10**12 + 2)
    with pytest.raises(ClaimFails) as caught:
        gpu_blocks._look_again(310)
    assert caught.value.number == 310
    few = gpu_blocks.even_losses(2_000_000, 2_100_000)
    monkeypatch.setattr(gpu_blocks, "_workers", {})
    weak = replace(SMALL, reserve=47, cover=[(3,)] * 105)
    monkeypatch.setattr(Emulated, "shape", weak)
    looked: list[int] = []
    monkeypatch.setattr(gpu_blocks, "_look_again", looked.append)
    assert gpu_blocks.even_losses(2_000_000, 2_100_000) == few
    assert looked


@pytest.mark.parametrize(
    ("error", "problem"), [(MemoryError(), "memory"), (RuntimeError("lost"), "failed")]
)
def test_a_gpu_that_fails(
    emulated: None, monkeypatch: pytest.MonkeyPatch, error: Exception, problem: str
) -> None:
    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr(gpu_blocks, "_workers", {})
    monkeypatch.setattr(Emulated, "array", failing)
    with pytest.raises(NoDevice) as caught:
        gpu_blocks.even_losses(2_000_000, 2_100_000)
    assert caught.value.problem == problem


def test_the_usual_blocks() -> None:
    plan = ClaimRange.of("even-losses", 10**12, 10**15, device="gpu")
    assert plan.block == 5 * 10**11
    assert ClaimRange.of("even-losses", None, 10**9, device="gpu").count == 1


@pytest.mark.parametrize("claim", sorted(set(CLAIMS) - {"even-losses"}))
def test_other_claims_are_refused(claim: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NoDevice):
        ClaimRange.of(claim, None, 10**9, device="gpu")
    assert run(["verify", claim, "--to", "1000", "--device", "gpu"]) == 1
    error = capsys.readouterr().err
    assert error == f"numduel: {claim} cannot be verified on a GPU yet; even-losses can.\n"


@pytest.mark.parametrize("more", [["--kernel", "a:b"], ["--workers", "2"]])
def test_options_that_do_not_go_together(more: list[str]) -> None:
    assert run(["verify", "even-losses", "--to", "1000", "--device", "gpu", *more]) == 2


def test_without_numba_or_cupy(tmp_path: Path) -> None:
    """What a GPU needs is imported without numba; without CuPy there is one sentence."""
    code = """if True:
        import sys
        sys.modules["numba"] = None
        import numduel.research.gpu_blocks, numduel.research.verify
        assert "numduel.ranges" not in sys.modules and "cupy" not in sys.modules
        sys.modules.pop("numba")
        sys.modules["cupy"] = None
        from numduel.gpu.cuda import Cuda
        from numduel.errors import NoDevice
        try:
            Cuda()
        except NoDevice as error:
            assert error.problem == "import"
    """
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
