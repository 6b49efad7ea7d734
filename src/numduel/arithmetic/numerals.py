"""Numbers as people write them, and their decimal digits.

Boards, moves and prompts take only digits: `read_number`. Where large numbers are asked for,
they may be written as mathematicians write them, 1,000 and 10^12 and 2^89-1: `read_expression`.
Every size is limited before it is worked out.
"""

import re
from math import prod

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

_GROUPED = r"[0-9]{1,3}(?:[ ,_'][0-9]{3})+(?![0-9])"
_WRITTEN = rf"(?:{_GROUPED}|[0-9]+)"
_POWER = rf"{_WRITTEN}(?:\s*\^\s*{_WRITTEN})?"
_PRODUCT = rf"{_POWER}(?:\s*\*\s*{_POWER})*"
_SUM = re.compile(rf"\s*({_PRODUCT})(?:\s*([-+])\s*(?={_WRITTEN})|\s*$)", re.ASCII)

_SAME = str.maketrans({"\u2212": "-", "\u00d7": "*", "\u00b7": "*", "\u00a0": " ", "\u202f": " "})
_BITS = (10**MAX_DIGITS).bit_length()
_TERMS = 20
"""Numbers in one expression, at most."""


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


def read_expression(text: str) -> int:
    """The whole number that the text writes with digits, powers, products, sums, differences.

    >>> read_expression("2^89 - 1") == 2**89 - 1, read_expression("1,000")
    (True, 1000)

    Raises `InvalidNumber` with the `problem` seen, or `TooManyDigits`.
    """
    written = text.translate(_SAME).replace("**", "^").strip()
    terms = _terms(written)
    if not terms:
        return read_number(text)  # which says what is wrong with it
    value = sum(sign * prod(factors) for sign, factors in terms)
    if value < 0:
        raise InvalidNumber(text=text.strip(), problem="negative")
    if count_digits(value) > MAX_DIGITS:
        raise TooManyDigits(digits=count_digits(value), limit=MAX_DIGITS)
    return value


def _terms(text: str) -> list[tuple[int, list[int]]]:
    """Each product of the sum, as its sign and its factors; none where it cannot be read."""
    terms: list[tuple[int, list[int]]] = []
    sign, at = 1, 0
    while at < len(text):
        found = _SUM.match(text, at)
        if not found or len(terms) == _TERMS:
            return []
        factors: list[int] = []
        bits = 0
        for part in found[1].split("*"):
            factors.append(_power(part))
            bits += factors[-1].bit_length()
            _check_bits(bits)
        terms.append((sign, factors))
        sign, at = (-1 if found[2] == "-" else 1), found.end()
    return terms


def _power(text: str) -> int:
    base, _, exponent = (part.strip() for part in text.partition("^"))
    number = _numeral(base)
    if not exponent:
        return number
    times = _numeral(exponent)
    if number > 1:
        _check_bits((number.bit_length() - 1) * times)
    return int(number**times) if number > 1 else int(number or not times)


def _numeral(text: str) -> int:
    return read_number(re.sub(r"[^0-9]", "", text))


def _check_bits(bits: int) -> None:
    """Refuse what would have more digits than any number here, a digit or so aside."""
    if bits > _BITS:
        raise TooManyDigits(digits=bits * 30103 // 100_000, limit=MAX_DIGITS)


def digits_of(n: int) -> list[int]:
    """The decimal digits of `n`, first digit first: 102 has 1, 0, 2."""
    return [int(digit) for digit in str(n)]


def count_digits(n: int) -> int:
    """How many decimal digits `n` has; 0 has one."""
    return len(str(n))
