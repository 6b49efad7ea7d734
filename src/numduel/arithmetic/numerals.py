"""Numbers as people write them, and their decimal digits."""

from __future__ import annotations

import re

from numduel.errors import InvalidNumber, TooManyDigits

MAX_DIGITS = 4000
"""Numbers with more decimal digits than this are refused everywhere."""

_NUMERAL = re.compile(r"[0-9]+", re.ASCII)
_PROBLEMS = (
    (re.compile(r""), "empty"),
    (re.compile(r"[-\u2212][0-9]+", re.ASCII), "negative"),
    (re.compile(r"\+[0-9]+", re.ASCII), "sign"),
    (re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)", re.ASCII), "fraction"),
    (re.compile(r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+", re.ASCII), "exponent"),
    (re.compile(r"[0-9]+([ ,_'][0-9]+)+", re.ASCII), "separator"),
    (re.compile(r".*[0-9].*", re.ASCII | re.DOTALL), "mixed"),
)


def read_number(text: str) -> int:
    """The whole number that `text` writes in the digits 0 to 9, blanks around it aside.

    Raises `InvalidNumber` with the `problem` seen, or `TooManyDigits`: also where something
    else follows so many digits, as at the end of a line that was cut.
    """
    text = text.strip()
    found = _NUMERAL.match(text)
    digits = found[0].lstrip("0") if found else ""
    if len(digits) > MAX_DIGITS:
        raise TooManyDigits(digits=len(digits), limit=MAX_DIGITS)
    if not found or len(found[0]) < len(text):
        raise InvalidNumber(text=text, problem=_problem_with(text))
    return int(digits or "0")


def _problem_with(text: str) -> str:
    for pattern, problem in _PROBLEMS:
        if pattern.fullmatch(text):
            return problem
    return "foreign digits" if any(c.isnumeric() for c in text) else "word"


def digits_of(n: int) -> list[int]:
    """The decimal digits of `n`, first digit first: 102 has 1, 0, 2."""
    return [int(digit) for digit in str(n)]


def count_digits(n: int) -> int:
    """How many decimal digits `n` has; 0 has one."""
    return len(str(n))
