"""Large numbers as mathematicians write them: 1,000 and 10^12 and 2^89-1.

Boards, moves and prompts take only digits (`read_number`). Every size is limited before it is
worked out.
"""

import re
from math import prod

from numduel.arithmetic import MAX_DIGITS, count_digits, read_number
from numduel.errors import InvalidNumber, TooManyDigits

_GROUPED = r"[0-9]{1,3}(?:[ ,_'][0-9]{3})+(?![0-9])"
_WRITTEN = rf"(?:{_GROUPED}|[0-9]+)"
_POWER = rf"{_WRITTEN}(?:\s*\^\s*{_WRITTEN})?"
_PRODUCT = rf"{_POWER}(?:\s*\*\s*{_POWER})*"
_SUM = re.compile(rf"\s*({_PRODUCT})(?:\s*([-+])\s*(?={_WRITTEN})|\s*$)", re.ASCII)

_SAME = str.maketrans({"\u2212": "-", "\u00d7": "*", "\u00b7": "*", "\u00a0": " ", "\u202f": " "})
_BITS = (10**MAX_DIGITS).bit_length()
_TERMS = 20  # numbers in one expression, at most


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
    base, _, exponent = text.partition("^")
    number, times = (read_number(re.sub(r"[^0-9]", "", part)) for part in (base, exponent or "1"))
    _check_bits((number.bit_length() - 1) * times)
    return int(number**times)


def _check_bits(bits: int) -> None:
    """Refuse what would have more digits than any number here, a digit or so aside."""
    if bits > _BITS:
        raise TooManyDigits(digits=bits * 30103 // 100_000, limit=MAX_DIGITS)
