"""Runs of the claims on values with `--device gpu`, on an emulated GPU."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from later import Later
from numduel.errors import ClaimFails, InvalidCertificate
from numduel.gpu.values import BEYOND, FIRST, PLACES, ValuesMachine
from numduel.research import claim_certificate, gpu_blocks, low_values
from numduel.research.claims import ClaimRange
from numduel.research.recheck import recheck
from numduel.research.verify import verify

ranges, plain = Later("numduel.ranges"), Later("numduel.research.plain")
value_blocks = Later("numduel.research.value_blocks")
VALUES = ClaimRange.of("values", 10**6, 1_300_000, 150_000, device="gpu")


def test_a_certificate_of_values(emulated: None, tmp_path: Path) -> None:
    """Rows are those of the CPU but for the fingerprint, which plain search finds too."""
    data = json.loads(verify(VALUES, tmp_path / "run"))
    assert (data["version"], data["device"]) == (2, "gpu")
    assert "bits b that are set" in data["fingerprint"]
    _, rows = claim_certificate.read(data)
    for row in rows:
        wanted = value_blocks.all_values(row["from"], row["to"])
        del wanted["hash"]
        assert wanted.items() <= row.items()
        assert plain.values_fingerprint_row(row["from"], row["to"]).items() <= row.items()
    assert len(recheck(data, 100).recomputed) == 2
    data["blocks"][1]["part"]["fingerprint"] = "0" * 16
    data["hash"] = claim_certificate.blocks_hash(data["blocks"])
    with pytest.raises(InvalidCertificate, match="finds another fingerprint"):
        recheck(data, 3)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (60_000, 3),  # by definition, yet foreign to even numbers
        (1_000_000, 4),  # a prime leads to 4
        (1_000_000, 11),  # no prime leads to all smaller ones
        (9_000, 4),  # not what the rule says
    ],
)
def test_low_values_are_shown(monkeypatch: pytest.MonkeyPatch, place: int, value: int) -> None:
    wrong = low_values.low_values(FIRST).copy()
    assert wrong[place] != value
    wrong[place] = value
    monkeypatch.setattr(low_values, "low_values", lambda _: wrong)
    low_values.shown_values.cache_clear()
    with pytest.raises(ClaimFails) as caught:
        gpu_blocks.all_values(0, 100)
    assert abs(caught.value.number - place) <= 30


def test_a_value_without_a_witness_is_looked_at_again(
    emulated: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With few places the device leaves values open. The CPU finds their witnesses."""
    span = 1_300_000, 1_304_000
    row = gpu_blocks.all_values(*span)
    few = low_values.shown_values()[:PLACES].copy()
    few[6000:] = 255
    monkeypatch.setattr(gpu_blocks, "_workers", {})
    with monkeypatch.context() as patch:
        patch.setattr(gpu_blocks, "_make", lambda *about: ValuesMachine(*about, few))
        looked: list[tuple[int, int]] = []
        found = gpu_blocks.has_witness
        patch.setattr(
            gpu_blocks, "has_witness", lambda *open_: looked.append(open_) or found(*open_)
        )
        assert gpu_blocks.all_values(*span) == row
    assert looked


@pytest.mark.parametrize("value", [4, 5, 6, BEYOND])
def test_a_value_that_no_prime_leads_to_ends_the_run(
    emulated: None, monkeypatch: pytest.MonkeyPatch, value: int
) -> None:
    """No prime leads from a number to its own value: a device that asks for one is told so."""
    show, values = ValuesMachine.show, ranges.grundy("subtract-a-prime", 2_000_000, 2_000_300)
    number = 2_000_000 + 2 * values[::2].tolist().index(4 if value == BEYOND else value)
    monkeypatch.setattr(
        ValuesMachine,
        "show",
        lambda *args: replace(show(*args), open=((number, value),)),
    )
    with pytest.raises(ClaimFails) as caught:
        gpu_blocks.all_values(2_000_000, 2_020_000)
    assert caught.value.number == number
