"""Errors in what was typed on the command line, as click shows them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from numduel.errors import NumduelError
from numduel.wording import problem


@contextmanager
def usage(kind: type[NumduelError] = NumduelError) -> Iterator[None]:
    """Errors of this kind in the block are errors of usage: exit code 2."""
    try:
        yield
    except kind as error:
        raise click.UsageError(problem(error)) from error
