"""Runs of `numduel verify --device gpu`, on an emulated GPU: rows, certificates and refusals."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from gpu.emulated import SMALL, Emulated
from later import Later
from numduel.cli import research as cli_verify
from numduel.cli.app import run
from numduel.errors import ClaimFails, FileError, InvalidCertificate, RunFailed
from numduel.gpu.values import BEYOND, FIRST, PLACES, ValuesMachine
from numduel.known import EVEN
from numduel.research import claim_certificate, claims, gpu_blocks, low_values
from numduel.research.claims import CLAIMS, ClaimRange
from numduel.research.verify import proof_of, recheck, verify
from numduel.solver.check import check
from numduel.theory import subtract_a_prime
from raised import raised

ranges, plain = Later("numduel.ranges"), Later("numduel.research.plain")
blocks = Later("numduel.research.blocks")
PLAN = ClaimRange.of("even-losses", None, 1_500_000, 400_000, device="gpu")
VALUES = ClaimRange.of("values", 10**6, 1_300_000, 150_000, device="gpu")


def test_a_certificate(emulated: None, tmp_path: Path) -> None:
    certificate = json.loads(verify(PLAN, tmp_path / "run"))
    with pytest.raises(FileError, match="checkpoint"):
        verify(ClaimRange.of("even-losses", None, 1_500_000, 400_000), tmp_path / "run")
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
    found = recheck(certificate, 100).recomputed
    assert found == [claims.part_of(start, stop) for start, stop in PLAN.blocks()]
    assert all(stop - start == 10_000 for start, stop in found)
    certificate["blocks"][2]["part"]["losses"] += 1
    certificate["hash"] = claim_certificate.blocks_hash(certificate["blocks"])
    raised(InvalidCertificate, recheck, certificate, 5, match="finds another losses")


def test_an_open_number_is_looked_at_again(emulated: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A weak device leaves numbers open; the CPU finds a winning prime for each, not for 310."""
    row = gpu_blocks.even_losses(2_000_000, 2_100_000)
    looked, look = [], gpu_blocks._look_again
    assert raised(ClaimFails, look, 310).number == 310
    monkeypatch.setattr(gpu_blocks, "_workers", {})
    monkeypatch.setattr(Emulated, "shape", replace(SMALL, reserve=47, cover=[(3,)] * 105))
    monkeypatch.setattr(gpu_blocks, "_look_again", lambda n: looked.append(n) or look(n))
    assert gpu_blocks.even_losses(2_000_000, 2_100_000) == row
    assert looked


def test_an_even_loss_is_reported_with_its_proof(
    emulated: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """To a kernel that knows four even losses, 310 is the counterexample that it is."""
    monkeypatch.setattr(low_values, "EVEN", {**EVEN, 0: EVEN[0][:-1]})
    monkeypatch.setattr(cli_verify, "_require", lambda *_: None)
    monkeypatch.chdir(tmp_path)
    low_values.shown_values.cache_clear()
    assert run(["verify", "even-losses", "--to", "1000", "--device", "gpu"]) == 1
    error = capsys.readouterr().err
    assert "even-losses is false: 310 breaks it" in error
    proof = "even-losses-310.counterexample"
    report = check((tmp_path / proof).read_text())
    assert (str(report.board), report.outcome) == ("subtract-a-prime:310", "loss")
    assert report.relies_on == []
    assert run(["check", proof]) == 0


def test_what_breaks_nothing_has_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    for claim, number in (("even-losses", 312), ("even-losses", 10**16), ("values", 310)):
        assert proof_of(CLAIMS[claim], number) is None
    # 3 does not win from 10^12 + 2; where no other prime is tried, there is no proof.
    monkeypatch.setattr(subtract_a_prime, "_TRIES", 1)
    raised(ClaimFails, gpu_blocks._look_again, 10**12 + 2)
    assert proof_of(CLAIMS["even-losses"], 10**12 + 2) is None


def test_machines_are_made_as_large_as_they_are_needed(emulated: None) -> None:
    tops: list[int] = []
    worker = gpu_blocks.Worker()

    def make(_: object, top: int, shape: object) -> SimpleNamespace:
        tops.append(top)
        return SimpleNamespace(top=top)

    for stop in (5, 10**12, 10**12 + 1, 10**9, 10**13, 10**16):
        assert worker.machine(make, stop).top >= stop
    assert tops == [10**12, 10**13, 10**16]


def test_a_gpu_that_fails(emulated: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for error, problem in ((MemoryError(), "memory"), (RuntimeError("lost"), "failed")):

        def failing(*_: object, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(gpu_blocks, "_workers", {})
        monkeypatch.setattr(Emulated, "array", failing)
        error = raised(RunFailed, gpu_blocks.even_losses, 2_000_000, 2_100_000, match="GPU")
        assert error.problem == problem


def test_plans_and_what_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert ClaimRange.of("even-losses", 10**12, 10**15, device="gpu").block == 5 * 10**11
    assert ClaimRange.of("even-losses", None, 10**9, device="gpu").count == 1
    with pytest.raises(RunFailed, match="GPU"):
        ClaimRange.of("digit-first-occurrence", None, 10**9, device="gpu")
    assert run(["verify", "digit-first-occurrence", "--to", "1000", "--device", "gpu"]) == 1
    said = "digit-first-occurrence cannot be verified on a GPU. These can: even-losses, values."
    assert capsys.readouterr().err == f"numduel: {said}\n"
    for more in (["--kernel", "a:b"], ["--workers", "2"]):
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
        from numduel.errors import RunFailed
        try:
            Cuda()
        except RunFailed as error:
            assert error.problem == "import"
    """
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


def test_a_certificate_of_values(emulated: None, tmp_path: Path) -> None:
    """Rows are those of the CPU but for the fingerprint, which plain search finds too."""
    data = json.loads(verify(VALUES, tmp_path / "run"))
    assert (data["version"], data["device"]) == (2, "gpu")
    assert "bits b that are set" in data["fingerprint"]
    _, rows = claim_certificate.read(data)
    for row in rows:
        wanted = blocks.all_values(row["from"], row["to"])
        del wanted["hash"]
        assert wanted.items() <= row.items()
        assert plain.values_fingerprint_row(row["from"], row["to"]).items() <= row.items()
    assert len(recheck(data, 100).recomputed) == 2
    data["blocks"][1]["part"]["fingerprint"] = "0" * 16
    data["hash"] = claim_certificate.blocks_hash(data["blocks"])
    raised(InvalidCertificate, recheck, data, 3, match="finds another fingerprint")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (60_000, 3),  # by definition, yet foreign to even numbers
        (1_000_000, 4),  # a prime leads to 4
        (1_000_000, 11),  # no prime leads to all smaller ones
        (9_000, 4),  # not what the rule says
    ],
)
def test_low_values_are_shown(
    emulated: None, monkeypatch: pytest.MonkeyPatch, place: int, value: int
) -> None:
    wrong = low_values.low_values(FIRST).copy()
    assert wrong[place] != value
    wrong[place] = value
    monkeypatch.setattr(low_values, "low_values", lambda _: wrong)
    low_values.shown_values.cache_clear()
    assert abs(raised(ClaimFails, gpu_blocks.all_values, 0, 100).number - place) <= 30


def test_a_value_without_a_witness_is_looked_at_again(
    emulated: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With few places the device leaves values open. The CPU finds their witnesses."""
    row = gpu_blocks.all_values(1_300_000, 1_304_000)
    few = low_values.shown_values()[:PLACES].copy()
    few[6000:] = 255
    monkeypatch.setattr(gpu_blocks, "_workers", {})
    monkeypatch.setattr(gpu_blocks, "_make", lambda *about: ValuesMachine(*about, few))
    looked, look = [], gpu_blocks.has_witness
    monkeypatch.setattr(gpu_blocks, "has_witness", lambda *one: looked.append(one) or look(*one))
    assert gpu_blocks.all_values(1_300_000, 1_304_000) == row
    assert looked


@pytest.mark.parametrize("value", [4, 5, 6, BEYOND])
def test_a_value_that_no_prime_leads_to_ends_the_run(
    emulated: None, monkeypatch: pytest.MonkeyPatch, value: int
) -> None:
    """No prime leads from a number to its own value: a device that asks for one is told so."""
    show, values = ValuesMachine.show, ranges.grundy("subtract-a-prime", 2_000_000, 2_000_300)
    number = 2_000_000 + 2 * values[::2].tolist().index(4 if value == BEYOND else value)
    wrong = (number, value)
    monkeypatch.setattr(ValuesMachine, "show", lambda *args: replace(show(*args), open=(wrong,)))
    assert raised(ClaimFails, gpu_blocks.all_values, 2_000_000, 2_020_000).number == number
