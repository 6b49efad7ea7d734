"""Whole numbers as options of the research commands take them: 1000000, 10^12, 10^12+10^10."""

from __future__ import annotations

from typing import Any, Final

import click

from numduel.arithmetic.numerals import read_expression
from numduel.errors import NumduelError
from numduel.wording import problem


class LargeNumber(click.ParamType[int]):
    """A whole number, perhaps written with powers of ten."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, or a usage error in a sentence."""
        if isinstance(value, int):
            return value
        try:
            return read_expression(value)
        except NumduelError as error:
            self.fail(problem(error), param, ctx)


LARGE: Final = LargeNumber()
