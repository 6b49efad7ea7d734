"""A range is the same however it is cut; refusals, fallbacks that nothing needed yet, memory."""

import doctest
import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from later import Later
from numduel import errors
from numduel.games import keys
from numduel.wording import problem
from range_kernels import reference

if TYPE_CHECKING:
    from numduel.ranges.kernel import U8

ranges, losses = Later("numduel.ranges"), Later("numduel.ranges.losses")
wheel = Later("numduel.ranges.wheel")
games = st.sampled_from(keys())
SPANS = ((1, 20_000), (1, 10**6), (10**9, 10**12), (1, 10**14))
places = st.one_of(*(st.integers(*span) for span in SPANS))


def unpack(bits: "U8", many: int) -> "U8":
    assert len(bits) == -(-many // 8)
    whole = np.unpackbits(bits, bitorder="little")
    assert not whole[many:].any(), "bits behind the end must be 0"
    return whole[:many]


@settings(max_examples=30)
@given(games, places, st.integers(0, 40_000), st.integers(0, 40_000), st.integers(1, 30_000))
def test_cuts_do_not_show(game: str, a: int, length: int, cut: int, segment: int) -> None:
    b, low = a + length, a + min(cut, length)
    whole = ranges.grundy(game, a, b)
    bits = unpack(ranges.outcomes(game, a, b), b - a)
    assert np.array_equal(bits, whole == 0)
    assert np.array_equal(ranges.grundy(game, a, low), whole[: low - a])
    assert np.array_equal(ranges.grundy(game, low, b), whole[low - a :])
    assert np.array_equal(unpack(ranges.outcomes(game, low, b), b - low), bits[low - a :])
    for pieces in (ranges.grundy_segments, ranges.outcome_segments):
        at = a
        for start, stop, part in pieces(game, a, b, segment):
            assert start == at
            assert stop - start <= max(segment + 1919, 7680)
            if pieces is ranges.grundy_segments:
                assert np.array_equal(part, whole[start - a : stop - a])
            else:
                assert np.array_equal(unpack(part, stop - start), bits[start - a : stop - a])
            at = stop
        assert at == b


@settings(max_examples=20)
@given(places, st.integers(0, 50_000))
def test_counting_agrees_with_outcomes(a: int, length: int) -> None:
    bits = unpack(ranges.outcomes("subtract-a-prime", a, a + length), length)
    assert ranges.count_losses(a, a + length) == (int(bits[1 - a % 2 :: 2].sum()), [])


def test_the_length_of_sieve_segments_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = 10**9 + 1, 10**9 + 1_000_000
    want = ranges.outcomes("subtract-a-prime", a, b)
    values = ranges.grundy("subtract-a-prime", a, a + 300_000)
    for bits in (64 * 7, 1 << 14, 1 << 19):
        monkeypatch.setattr("numduel.ranges.lines.sieve_bits", lambda stop, words, b=bits: b)
        assert np.array_equal(ranges.outcomes("subtract-a-prime", a, b), want)
        assert np.array_equal(ranges.grundy("subtract-a-prime", a, a + 300_000), values)


def few(many: int) -> Any:
    """A table of so many of the quick primes."""
    primes = losses.COVER_PRIMES
    rows = [losses._cover_terms(2 * j, primes[2 * j][:many]) for j in range(losses.ODD)]
    return wheel.table(rows)


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
    patch.setattr("numduel.ranges.losses.COVER_TABLE", few(quick))
    patch.setattr("numduel.ranges.losses.RESERVE_TABLE", few(0))


def test_what_the_quick_primes_leave_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """By those in reserve, and by an exact check."""
    want = ranges.outcomes("subtract-a-prime", 0, 300_000)
    a, b = 10**12 + 1, 10**12 + 1500
    losses_there = ranges.count_losses(a, b)
    for many in (1, 0):
        monkeypatch.setattr("numduel.ranges.losses.COVER_TABLE", few(many))
        assert np.array_equal(ranges.outcomes("subtract-a-prime", 0, 300_000), want)
    leave(monkeypatch, 1)
    assert ranges.count_losses(a, b) == losses_there
    assert losses.winning_prime(8000) is not None
    assert losses.winning_prime(310) is None


def test_an_unexpected_loss_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = 10**9, 10**9 + 600
    leave(monkeypatch, 1)
    monkeypatch.setattr("numduel.ranges.losses.winning_prime", lambda n: None)
    _, evens = ranges.count_losses(a, b)
    quick = losses.COVER_PRIMES
    missed = [n for n in range(a, b, 2) if not reference.is_lost(n - quick[n % 30][0])]
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
    assert int(subprocess.check_output([sys.executable, "-c", MEMORY])) < 64 * 1024


def test_examples_in_docstrings() -> None:
    for name in ("numduel.ranges", "numduel.ranges.wheel"):
        assert doctest.testmod(import_module(name)).failed == 0
