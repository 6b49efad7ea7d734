"""A range is the same however it is cut, and wherever it begins."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from later import Later
from numduel.games import keys

if TYPE_CHECKING:
    from numduel.ranges.kernel import U8

ranges = Later("numduel.ranges")
BASE = 250_000
games = st.sampled_from(keys())
places = st.one_of(
    st.integers(1, 20_000),
    st.integers(1, 10**6),
    st.integers(10**9, 10**12),
    st.integers(1, 10**14),
)


@cache
def known(game: str) -> U8:
    return ranges.grundy(game, 1, BASE)


def unpack(bits: U8, many: int) -> U8:
    assert len(bits) == -(-many // 8)
    whole = np.unpackbits(bits, bitorder="little")
    assert not whole[many:].any(), "bits behind the end must be 0"
    return whole[:many]


@settings(max_examples=30)
@given(games, st.integers(1, BASE - 1), st.integers(0, 30_000))
def test_any_window_is_a_window_of_the_whole(game: str, a: int, length: int) -> None:
    b = min(a + length, BASE)
    want = known(game)[a - 1 : b - 1]
    assert np.array_equal(ranges.grundy(game, a, b), want)
    assert np.array_equal(unpack(ranges.outcomes(game, a, b), b - a), want == 0)


@settings(max_examples=15)
@given(games, places, st.integers(0, 40_000), st.integers(0, 40_000), st.integers(1, 30_000))
def test_cuts_do_not_show(game: str, a: int, length: int, cut: int, segment: int) -> None:
    b, low = a + length, a + min(cut, length)
    whole = ranges.grundy(game, a, b)
    bits = unpack(ranges.outcomes(game, a, b), b - a)
    assert np.array_equal(bits, whole == 0)
    assert np.array_equal(ranges.grundy(game, low, b), whole[low - a :])
    at = a
    for start, stop, values in ranges.grundy_segments(game, a, b, segment):
        assert start == at
        assert len(values) == stop - start <= max(segment + 1919, 7680)
        assert np.array_equal(values, whole[start - a : stop - a])
        at = stop
    assert at == b
    at = a
    for start, stop, part in ranges.outcome_segments(game, a, b, segment):
        assert start == at
        assert np.array_equal(unpack(part, stop - start), bits[start - a : stop - a])
        at = stop
    assert at == b


@settings(max_examples=20)
@given(places, st.integers(0, 50_000))
def test_counting_agrees_with_outcomes(a: int, length: int) -> None:
    bits = unpack(ranges.outcomes("subtract-a-prime", a, a + length), length)
    odd = bits[1 - a % 2 :: 2]
    assert ranges.count_losses(a, a + length) == (int(odd.sum()), [])


def test_the_length_of_sieve_segments_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = 10**9 + 1, 10**9 + 1_000_000
    want = ranges.outcomes("subtract-a-prime", a, b)
    values = ranges.grundy("subtract-a-prime", a, a + 300_000)
    for bits in (64 * 7, 1 << 14, 1 << 19):
        monkeypatch.setattr("numduel.ranges.lines.sieve_bits", lambda stop, words, b=bits: b)
        assert np.array_equal(ranges.outcomes("subtract-a-prime", a, b), want)
        assert np.array_equal(ranges.grundy("subtract-a-prime", a, a + 300_000), values)
