"""Arithmetic against plain definitions, expressions against Python's own."""

from contextlib import suppress
from itertools import islice
from math import prod

from hypothesis import given
from hypothesis import strategies as st

from numduel import errors
from numduel.arithmetic import (
    MAX_DIGITS,
    count_divisors,
    digits_of,
    divisors,
    factor,
    is_prime,
    prime_count,
    primes_down,
    primes_up,
    read_number,
)
from numduel.arithmetic.expressions import read_expression
from raised import raised
from rules import plain_rules


def test_primes_to_70000_cross_the_table_edge() -> None:
    start = 65_000
    expected = [n for n in range(start, 70_000) if plain_rules.is_prime(n)]
    assert [n for n in range(start, 70_000) if is_prime(n)] == expected
    assert [p for p in primes_up(69_999) if p >= start] == expected
    assert list(islice(primes_down(69_999), len(expected))) == expected[::-1]
    assert list(primes_down(70_000))[::-1] == list(primes_up(70_000))


def test_primes_are_counted_as_published() -> None:
    for n in (-7, -1, 0, 1):
        assert not is_prime(n)
        assert list(primes_up(n)) == list(primes_down(n)) == []
        assert prime_count(n) == 0
    counts = {100: 25, 1000: 168, 65_536: 6542, 100_000: 9592, 10**6: 78498}
    assert {limit: prime_count(limit) for limit in counts} == counts
    assert prime_count(10**6 + 1) is None, "beyond a million it is not cheap"


def test_primes_and_pseudoprimes_are_told_apart() -> None:
    for exponent in (31, 61, 89, 107, 127, 521, 607, 1279):
        assert is_prime(2**exponent - 1)
        assert not is_prime(2 ** (exponent + 1) - 1)
    for composite in (3215031751, 3825123056546413051, 318665857834031151167461):
        assert not is_prime(composite)


@given(st.integers(1, 10**12))
def test_factors_multiply_back_and_are_prime(n: int) -> None:
    factors = factor(n)
    assert prod(p**e for p, e in factors) == n
    assert all(is_prime(p) for p, _ in factors)
    assert [p for p, _ in factors] == sorted({p for p, _ in factors})


@given(st.integers(1, 3000))
def test_divisors(n: int) -> None:
    expected = [d for d in range(1, n + 1) if n % d == 0]
    assert list(divisors(n)) == expected
    assert count_divisors(n) == len(expected)


def test_very_many_divisors_come_one_at_a_time_in_order_and_once() -> None:
    n = prod(plain_rules.primes_up_to(150))
    first = list(islice(divisors(n), 2000))
    assert first == [d for d in range(1, first[-1] + 1) if n % d == 0]
    n = 2**9 * 3**5 * 5**3 * 7**2 * 11 * 13 * 17 * 19 * 23 * 29 * 31
    found = list(divisors(n))
    assert len(found) == count_divisors(n) > 20_000
    assert found == sorted(set(found))
    assert all(n % d == 0 for d in found)


def test_what_is_too_large_to_factor_says_so() -> None:
    p, q = 10**25 + 13, 10**26 + 67
    error = raised(errors.TooLarge, factor, 6 * p * q, match="too large to factor")
    assert (error.digits, error.limit) == (52, 50)
    assert factor(6 * q) == ((2, 1), (3, 1), (q, 1))
    assert factor(30 * (10**22 + 9) * p) == ((2, 1), (3, 1), (5, 1), (10**22 + 9, 1), (p, 1))
    assert factor(2**5000) == ((2, 5000),)


@given(st.integers(0, 10**40), st.integers(0, 3), st.sampled_from(["", " ", "\t"]))
def test_numbers_are_read_as_written(n: int, zeros: int, blank: str) -> None:
    assert read_number(f"{blank}{'0' * zeros}{n}{blank}") == n


WRONG = {
    "empty": ["", "  "],
    "word": ["abc", "\x00"],
    "negative": ["-7", "\u22127"],
    "sign": ["+7"],
    "fraction": ["7.0", ".5"],
    "exponent": ["1e3", "1.5E+3"],
    "separator": ["1,000", "1_000", "10 000"],
    "mixed": ["7x", "0x10"],
    "foreign digits": ["\u0667", "\u00b2", "\u216b"],
}


def test_what_is_not_a_number_is_named() -> None:
    for problem, texts in WRONG.items():
        for text in texts:
            assert raised(errors.InvalidNumber, read_number, text).problem == problem, text


def test_four_thousand_digits_and_no_more() -> None:
    assert read_number("9" * MAX_DIGITS) == 10**MAX_DIGITS - 1
    assert read_number("0" * 10_000 + "7") == 7
    error = raised(errors.TooManyDigits, read_number, "1" + "0" * MAX_DIGITS)
    assert (error.digits, error.limit) == (4001, 4000)
    assert (digits_of(102), digits_of(0)) == ([1, 0, 2], [0]), "first to last"


READ = {
    "1000": 1000, " 1,000 ": 1000, "1 000 000": 10**6, "1_000_000": 10**6, "1,000^2": 10**6,
    "10^12": 10**12, "10**12": 10**12, "10 ^ 12": 10**12, "10^0": 1, "10^4000-1": 10**4000 - 1,
    "2^89-1": 2**89 - 1, "2^89 \N{MINUS SIGN} 1": 2**89 - 1, "6\N{MULTIPLICATION SIGN}7": 42,
    "3*5^2+7": 82, "1^999999999": 1, "0^0": 1, "0^5": 0,
}  # fmt: skip
UNREADABLE = ["", "x", "1,00", "1,0000", "10^", "^3", "2^3^4", "2^-1", "1-2", "-5", "1e9", "1.5",
              "5//2", "2+", "+2", "(2+3)*4", "0x10", "__import__", "1+" * 30 + "1", "10^10^10",
              "\N{ARABIC-INDIC DIGIT THREE}"]  # fmt: skip
LARGE = ["10^4000", "9^99999999999", "2^13289", f"{'9' * 4000}^{'9' * 4000}", "9" * 4001,
         f"{'9' * 3000}*{'9' * 3000}", "*".join(["10^3999"] * 20)]  # fmt: skip
"""Refused before it is worked out."""


def test_what_is_written_is_read_and_what_cannot_be_or_is_too_large_refused() -> None:
    assert {text: read_expression(text) for text in READ} == READ
    for texts, kind in ((UNREADABLE, errors.InvalidNumber), (LARGE, errors.TooManyDigits)):
        for text in texts:
            raised(kind, read_expression, text)


@given(st.integers(0, 10**40), st.integers(2, 99), st.integers(0, 60), st.integers(0, 10**6))
def test_sums_products_and_powers(first: int, base: int, power: int, last: int) -> None:
    text = f"{first:,}*{base}^{power}+{last:_}"
    assert read_expression(text) == first * base**power + last


@given(st.text("0123456789+-*^, ", max_size=30))
def test_any_text_is_a_number_of_a_known_size_or_refused(text: str) -> None:
    with suppress(errors.NumduelError):
        assert 0 <= read_expression(text) < 10**MAX_DIGITS
