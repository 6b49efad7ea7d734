"""Block kernels and the plain searches that check them: the same rows, and failures noticed."""

import hashlib
import json
from itertools import product
from operator import itemgetter
from pathlib import Path

import numpy as np
import pytest

from later import Later
from numduel.arithmetic import is_prime
from numduel.errors import ClaimFails, InvalidRange
from numduel.known import (
    EXCEPTIONS_CHECKED,
    LIST_CHECKED,
    LOOK_BACK,
    RULE_CHECKED,
)
from numduel.research.claim_certificate import read
from numduel.research.claims import CLAIMS, ClaimRange, first_of
from numduel.research.crews import find_kernel
from raised import raised

ranges, blocks = Later("numduel.ranges"), Later("numduel.research.blocks")
plain, searches = Later("numduel.research.plain"), Later("numduel.research.searches")
witnesses = Later("numduel.research.witnesses")
RESULTS = Path(__file__).parents[2] / "results"
SPANS = {
    "even-losses": [(0, 100), (0, 100_000), (12_345, 20_001), (10**9 + 1, 10**9 + 8_000_004)],
    "values": [(0, 100), (65_530, 65_601), (1_200_001, 1_300_001), (2**22 - 1, 2**22 + 9_001),
               (10**9 + 1, 10**9 + 20_000)],
    "digit-first-occurrence": [(0, 20_000), (123, 12_346), (10**8 + 7, 10**8 + 1_000)],
}  # fmt: skip


@pytest.mark.parametrize("claim", SPANS)
def test_kernels_and_plain_searches_agree(claim: str) -> None:
    for span in SPANS[claim]:
        found = find_kernel(CLAIMS[claim].cpu.kernel)(*span)
        assert found == find_kernel(CLAIMS[claim].cpu.check)(*span)


def test_rows_say_what_they_promise() -> None:
    values = ranges.grundy("subtract-a-prime", 1_000, 101_001)
    row = blocks.all_values(1_000, 101_001)
    assert row["hash"] == hashlib.sha256(values).hexdigest()[:32]
    assert row["even"] == np.bincount(values[::2], minlength=12).tolist()
    assert row["odd"] == np.bincount(values[1::2], minlength=12).tolist()
    row = blocks.even_losses(1_000, 101_001)
    mark = hashlib.sha256(np.packbits(values == 0, bitorder="little")).hexdigest()[:32]
    assert row == {"losses": int((values == 0).sum()), "hash": mark}


def test_plain_flags_are_the_primes() -> None:
    primes = plain._odd_primes(10**6 + 100)
    for start in (1, 3, 15, 17, 10**6 + 1, 10**12 + 1):
        for sieve in (blocks.flag_primes, searches.flag_primes):
            found = sieve(start, start + 4_000, primes).tolist()
            assert found == [int(is_prime(start + 2 * i)) for i in range(2_000)]


def test_a_wrong_value_is_not_shown() -> None:
    low = 90_000
    right = ranges.grundy("subtract-a-prime", low - LOOK_BACK, 160_000)
    for change, n in product((-1, 1, 2), (100_000, 100_001, 150_333)):
        values, place = right.copy(), n - low + LOOK_BACK
        values[place] = int(values[place]) + (change if values[place] or change > 0 else 3)
        error = raised(ClaimFails, blocks.show, values, low - LOOK_BACK)
        # The number itself, or one right after it that leans on it.
        assert n <= error.number <= n + witnesses.CHUNK * 2


def test_a_broken_rule_or_another_exception_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its exception the rule fails at the first 9; an odd loss would reach 1000."""
    always = tuple(np.full_like(masks, masks.max()) for masks in witnesses.ALWAYS)
    odd, even = witnesses.EXCEPTIONS
    more = np.array([*even.tolist(), [1000 // 2, 0]], dtype=np.int64)
    for name, wrong in (("ALWAYS", always), ("EXCEPTIONS", (odd, more))):
        with monkeypatch.context() as patch:
            patch.setattr(f"numduel.research.witnesses.{name}", wrong)
            with pytest.raises(ClaimFails) as caught:
                blocks.all_values(1_300_000, 1_400_000)
        n = caught.value.number
        assert name != "ALWAYS" or ranges.grundy("subtract-a-prime", n, n + 1)[0] == 9


def test_an_early_digit_value_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [first_of(v) for v in (0, 1, 4, 9)] == [0, 1, 1234, 123456789]
    monkeypatch.setattr("numduel.research.blocks.first_of", lambda v: first_of(v) + (v == 4))
    assert raised(ClaimFails, blocks.digit_first_occurrence, 1_000, 2_000).number == 1234


def test_plain_search_notices_an_even_loss() -> None:
    """With too few primes to try, some even number is not won."""
    odd = searches.flag_primes(500_001, 520_001, plain._odd_primes(1_000))
    lost = np.zeros(20_000, dtype=np.uint8)
    evens = np.array([0, 10, 34, 100, 310])
    failed = searches.search_losses(lost, odd, 500_000, 7_680, plain._odd_primes(3), evens, 500_000)
    assert failed > 500_000
    assert failed % 2 == 0


def test_certificates_reach_as_far_as_verdicts_say() -> None:
    """Those in results/ follow each other from 0 to the bound, and agree on the losses."""
    losses = set()
    bounds = {"even-losses": LIST_CHECKED, "exceptions": EXCEPTIONS_CHECKED, "values": RULE_CHECKED}
    for claim, checked in bounds.items():
        found = [json.loads(path.read_text()) for path in RESULTS.glob(f"{claim}-*.json")]
        rows = sorted((row for data in found for row in read(data)[1]), key=itemgetter("from"))
        assert [0, *(row["to"] for row in rows)] == [*(row["from"] for row in rows), checked + 1]
        rows = [row for row in rows if row["to"] <= RULE_CHECKED + 1]
        losses.add(sum(row.get("losses") or row["even"][0] + row["odd"][0] for row in rows))
    assert len(losses) == 1


def test_plans() -> None:
    plan = ClaimRange.of("even-losses", None, 10**12)
    assert (plan.start, plan.block, plan.count) == (0, 10**9, 1000)
    assert list(ClaimRange.of("exceptions", 5, 12, 3).blocks()) == [(5, 8), (8, 11), (11, 12)]
    for start, stop, block, problem in (
        (5, 5, None, "empty"), (9, 5, None, "empty"), (-1, 10, None, "empty"),
        (0, 10**19, None, "method"), (0, 10, 0, "segment"),
    ):  # fmt: skip
        error = raised(InvalidRange, ClaimRange.of, "even-losses", start, stop, block)
        assert error.problem == problem
    for name in ("x", "numduel:nothing", "no.such:thing", "numduel:__version__", ":x"):
        raised(InvalidRange, find_kernel, name, match="no block kernel")
