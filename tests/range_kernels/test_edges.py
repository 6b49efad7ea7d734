"""Refusals, the fallbacks that nothing has needed yet, memory, and the public names."""

from __future__ import annotations

import doctest
import subprocess
import sys
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from later import Later
from numduel import errors
from numduel.games import keys
from numduel.wording import problem
from range_kernels import reference

ranges = Later("numduel.ranges")
losses, wheel = Later("numduel.ranges.losses"), Later("numduel.ranges.wheel")
outcome = Later("numduel.ranges.outcome")


def few(many: int) -> Any:
    """A table of so many of the quick primes."""
    primes = losses.COVER_PRIMES
    return wheel.table(
        [losses._cover_terms(2 * j, primes[2 * j][:many]) for j in range(losses.ODD)]
    )


def test_bad_ranges_get_a_sentence() -> None:
    for call, says in (
        (("chess", 0, 1), 'There is no game called "chess".'),
        (("subtract-a-prime", -1, 5), "it must have 0 <= start <= stop."),
        (("subtract-a-prime", 7, 5), "it must have 0 <= start <= stop."),
        (("power-play", 0, 5), "it must have 1 <= start <= stop."),
        (("subtract-a-prime", 0, 10**18 + 1), "the kernels reach 1000000000000000000."),
        (("power-play", 1, 5, 0), "A segment needs at least 1 number, not 0."),
    ):
        for name in ("outcomes", "grundy", "outcome_segments", "grundy_segments"):
            if len(call) == 3 or "segments" in name:
                with pytest.raises(errors.NumduelError) as caught:
                    getattr(ranges, name)(*call)
                assert says in problem(caught.value)
    for game in keys():
        assert len(ranges.outcomes(game, 5, 5)) == len(ranges.grundy(game, 10**18, 10**18)) == 0
    assert ranges.count_losses(10**6, 10**6) == ranges.count_losses(5, 5) == (0, [])


def leave(patch: pytest.MonkeyPatch, quick: int) -> None:
    """So many quick primes for each residue, and none in reserve."""
    patch.setattr("numduel.ranges.outcome.COVER_TABLE", few(quick))
    patch.setattr("numduel.ranges.outcome.RESERVE_TABLE", few(0))


def test_what_the_quick_primes_leave_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """By those in reserve, and by an exact check."""
    want = ranges.outcomes("subtract-a-prime", 0, 300_000)
    a, b = 10**12 + 1, 10**12 + 1500
    losses_there = ranges.count_losses(a, b)
    for many in (1, 0):
        monkeypatch.setattr("numduel.ranges.outcome.COVER_TABLE", few(many))
        assert np.array_equal(ranges.outcomes("subtract-a-prime", 0, 300_000), want)
    leave(monkeypatch, 1)
    assert ranges.count_losses(a, b) == losses_there
    assert outcome.winning_prime(8000) is not None
    assert outcome.winning_prime(310) is None


def test_an_unexpected_loss_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = 10**9, 10**9 + 600
    leave(monkeypatch, 1)
    monkeypatch.setattr("numduel.ranges.outcome.winning_prime", lambda n: None)
    _, evens = ranges.count_losses(a, b)
    missed = [
        n for n in range(a, b, 2) if not reference.is_lost(n - losses.COVER_PRIMES[n % 30][0])
    ]
    assert sorted(evens) == missed
    with pytest.raises(errors.ClaimFails, match="not shown won") as caught:
        ranges.outcomes("subtract-a-prime", a, b)
    assert caught.value.number in missed
    leave(monkeypatch, 0)
    with pytest.raises(errors.ClaimFails, match="not shown won"):  # thousands of them stop it
        ranges.count_losses(10**9, 10**9 + 10**6)


MEMORY = """
import resource; from numduel import ranges
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
def run(far):
    for game in ranges.GAMES:
        for _ in ranges.outcome_segments(game, 1, far): pass
        for _ in ranges.grundy_segments(game, 1, far): pass
run(2)
before = peak()
run(2 * 10**6)
for _ in ranges.outcome_segments("subtract-a-prime", 0, 5 * 10**7): pass
for _ in ranges.outcome_segments("subtract-a-prime", 10**12, 10**12 + 2 * 10**7): pass
print(peak() - before)
"""


def test_memory_stays_below_64_mib() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 64 * 1024


def test_examples_in_docstrings() -> None:
    for name in ("numduel.ranges", "numduel.ranges.wheel"):
        assert doctest.testmod(import_module(name)).failed == 0
