"""Whole numbers as options of the research commands take them: 1000000, 10^12, 10^12+10^10."""

from __future__ import annotations

import re
from typing import Any, Final

import click

from numduel.arithmetic.numerals import read_number
from numduel.errors import NumduelError
from numduel.wording import problem

_TERM = re.compile(r"([0-9]+)\^([0-9]{1,3})", re.ASCII)
_LARGEST: Final = 10**100


def read_large(text: str) -> int:
    """The number that text writes: digits, powers, and sums of these. Raises `InvalidNumber`."""
    total = 0
    for part in text.split("+") if not text.startswith("+") else [text]:
        match = _TERM.fullmatch(part.strip())
        if match:
            total += min(read_number(match[1]), _LARGEST) ** int(match[2])
        else:
            total += read_number(part)
    return total


class LargeNumber(click.ParamType[int]):
    """A whole number, perhaps written with powers of ten."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, or a usage error in a sentence."""
        if isinstance(value, int):
            return value
        try:
            return read_large(value)
        except NumduelError as error:
            self.fail(problem(error), param, ctx)


LARGE: Final = LargeNumber()
