"""Numbers as mathematicians write them, compared with Python's own arithmetic."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel.arithmetic import MAX_DIGITS
from numduel.arithmetic.numerals import read_expression
from numduel.errors import InvalidNumber, NumduelError, TooManyDigits

READ = {
    "1000": 1000,
    " 1,000 ": 1000,
    "1 000 000": 10**6,
    "1_000_000": 10**6,
    "10^12": 10**12,
    "10**12": 10**12,
    "10 ^ 12": 10**12,
    "2^89-1": 2**89 - 1,
    "2^89 \N{MINUS SIGN} 1": 2**89 - 1,
    "3*5^2+7": 82,
    "6\N{MULTIPLICATION SIGN}7": 42,
    "10^4000-1": 10**4000 - 1,
    "1^999999999": 1,
    "0^0": 1,
    "0^5": 0,
    "10^0": 1,
    "1,000^2": 10**6,
}


def test_what_is_written_is_read() -> None:
    assert {text: read_expression(text) for text in READ} == READ


WRONG = ["", "x", "1,00", "1,0000", "10^", "^3", "2^3^4", "2^-1", "1-2", "-5", "1e9", "1.5", "5//2",
         "2+", "+2", "(2+3)*4", "0x10", "__import__", "1+" * 30 + "1", "10^10^10",
         "\N{ARABIC-INDIC DIGIT THREE}"]  # fmt: skip
LARGE = ["10^4000", "9^99999999999", "2^13289", f"{'9' * 4000}^{'9' * 4000}", "9" * 4001,
         f"{'9' * 3000}*{'9' * 3000}", "*".join(["10^3999"] * 20)]  # fmt: skip
"""Refused before it is worked out."""


def test_what_cannot_be_read_or_is_too_large_is_refused() -> None:
    for texts, kind in ((WRONG, InvalidNumber), (LARGE, TooManyDigits)):
        for text in texts:
            with pytest.raises(kind):
                read_expression(text)


@given(st.integers(0, 10**40), st.integers(2, 99), st.integers(0, 60), st.integers(0, 10**6))
def test_sums_products_and_powers(first: int, base: int, power: int, last: int) -> None:
    text = f"{first:,}*{base}^{power}+{last:_}"
    assert read_expression(text) == first * base**power + last


@given(st.text("0123456789+-*^, ", max_size=30))
def test_any_text_is_a_number_of_a_known_size_or_refused(text: str) -> None:
    with contextlib.suppress(NumduelError):
        assert 0 <= read_expression(text) < 10**MAX_DIGITS
