"""Refusals, the fallbacks that nothing has needed yet, memory, and the public names."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from numduel import errors, ranges
from numduel.ranges import outcome
from numduel.ranges.losses import COVER_PRIMES, ODD, _cover_terms
from numduel.ranges.wheel import table
from numduel.wording import problem
from range_kernels import reference

FEW = table([_cover_terms(2 * j, COVER_PRIMES[2 * j][:1]) for j in range(ODD)])
NONE = table([[] for _ in range(ODD)])


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (("chess", 0, 1), 'There is no game called "chess".'),
        (("subtract-a-prime", -1, 5), "it must have 0 <= start <= stop."),
        (("subtract-a-prime", 7, 5), "it must have 0 <= start <= stop."),
        (("power-play", 0, 5), "it must have 1 <= start <= stop."),
        (("subtract-a-prime", 0, 10**18 + 1), "the kernels reach 1000000000000000000."),
    ],
)
def test_bad_ranges_get_a_sentence(call: tuple[str, int, int], says: str) -> None:
    for function in (
        ranges.outcomes,
        ranges.grundy,
        ranges.outcome_segments,
        ranges.grundy_segments,
    ):
        with pytest.raises(errors.NumduelError) as caught:
            function(*call)
        assert says in problem(caught.value)


def test_a_segment_of_nothing_is_refused() -> None:
    with pytest.raises(errors.InvalidRange) as caught:
        ranges.grundy_segments("power-play", 1, 5, 0)
    assert "A segment needs at least 1 number, not 0." in problem(caught.value)


def test_without_its_extra_the_package_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from numduel import NumduelError\n"
        "from numduel.wording import problem\n"
        "try:\n    import numduel.ranges\n"
        "except NumduelError as error:\n    print(problem(error))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == (
        "numba is not installed. In numduel's folder, run\n"
        "  python -m pip install '.[ranges]'\nThen try again.\n"
    )


@pytest.mark.parametrize("game", ranges.GAMES)
def test_empty_ranges_are_empty(game: str) -> None:
    assert len(ranges.outcomes(game, 5, 5)) == len(ranges.grundy(game, 10**18, 10**18)) == 0
    assert ranges.count_losses(10**6, 10**6) == ranges.count_losses(5, 5) == (0, [])


def test_reserve_primes_finish_what_the_quick_ones_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    want = ranges.outcomes("subtract-a-prime", 0, 300_000)
    monkeypatch.setattr(outcome, "COVER_TABLE", FEW)
    assert np.array_equal(ranges.outcomes("subtract-a-prime", 0, 300_000), want)
    monkeypatch.setattr(outcome, "COVER_TABLE", NONE)
    assert np.array_equal(ranges.outcomes("subtract-a-prime", 0, 300_000), want)


def test_exact_check_finishes_what_all_primes_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = 10**12 + 1, 10**12 + 1500
    want = ranges.count_losses(a, b)
    monkeypatch.setattr(outcome, "COVER_TABLE", FEW)
    monkeypatch.setattr(outcome, "RESERVE_TABLE", NONE)
    assert ranges.count_losses(a, b) == want


def test_an_unexpected_loss_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = 10**9, 10**9 + 600
    monkeypatch.setattr(outcome, "COVER_TABLE", FEW)
    monkeypatch.setattr(outcome, "RESERVE_TABLE", NONE)
    monkeypatch.setattr(outcome, "winning_prime", lambda n: None)
    _, evens = ranges.count_losses(a, b)
    missed = [n for n in range(a, b, 2) if not reference.is_lost(n - COVER_PRIMES[n % 30][0])]
    assert sorted(evens) == missed
    with pytest.raises(errors.UnexpectedLoss) as caught:
        ranges.outcomes("subtract-a-prime", a, b)
    assert caught.value.number in missed


def test_thousands_of_unexpected_losses_stop_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "COVER_TABLE", NONE)
    monkeypatch.setattr(outcome, "RESERVE_TABLE", NONE)
    with pytest.raises(errors.UnexpectedLoss):
        ranges.count_losses(10**9, 10**9 + 10**6)


def test_winning_prime() -> None:
    assert ranges.exact.winning_prime(8000) is not None
    assert ranges.exact.winning_prime(310) is None


@pytest.mark.parametrize("n", [7680, 10**6, 10**9, 10**15 + 8])
def test_value_pair_runs_the_rule(n: int) -> None:
    even = n - n % 2
    want = reference.local_values(even, even + 2) if n > 9000 else None
    got = list(ranges.exact.value_pair(even))
    assert got == (want or reference.subtract_a_prime(60_000)[even : even + 2])


def test_primality_agrees_with_flint() -> None:
    for n in [*range(2000), *range(10**15, 10**15 + 400), 3215031751, 3825123056546413051]:
        assert ranges.exact.is_prime(n) == reference.is_prime(n), n


MEMORY = """
import resource; from numduel import ranges
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
def run(far):
    for game in ranges.GAMES:
        for _ in ranges.outcome_segments(game, 1, far): pass
        for _ in ranges.grundy_segments(game, 1, far): pass
run(2)
before = peak()
run(10**7)
for _ in ranges.outcome_segments("subtract-a-prime", 0, 10**9): pass
for _ in ranges.outcome_segments("subtract-a-prime", 10**12, 10**12 + 10**8): pass
print(peak() - before)
"""


def test_memory_stays_below_64_mib() -> None:
    root = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], cwd=root, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 64 * 1024


def test_public_names() -> None:
    assert set(ranges.__all__) == {
        "GAMES", "LIMIT", "count_losses", "grundy", "grundy_segments",
        "outcome_segments", "outcomes",
    }  # fmt: skip
    ranges.grundy("prime-subtractor", 0, 10)
    assert callable(ranges.grundy)


@pytest.mark.parametrize("module", [ranges, ranges.wheel])
def test_examples_in_docstrings(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]
