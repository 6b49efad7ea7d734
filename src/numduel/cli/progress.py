"""How far a long computation has got, on stderr: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from itertools import repeat
from typing import Final

import click

_EVERY: Final = {True: 0.2, False: 30.0}
"""Seconds between two looks, on a terminal and elsewhere."""


class Progress(ExitStack):
    """Call it with (done before this run, done now): a bar of what this run has to do.

    Without a terminal at stderr there are lines instead of a bar, half a minute apart.
    """

    def __init__(self, name: str, total: int | None, unit: str = "numbers") -> None:
        super().__init__()
        self._name, self._total, self._unit = name, total, unit
        self._terminal = sys.stderr.isatty()
        self._began = self._shown = time.monotonic()
        self._bar = click.progressbar(
            repeat(""),
            total,
            name,
            show_pos=not total,
            item_show_func=lambda rate: rate,
            file=sys.stderr,
            hidden=not self._terminal,
        )

    def __call__(self, before: int, now: int) -> None:
        """Show how far it is, unless that was shown a moment ago."""
        moment = time.monotonic()
        last = now == self._total and self._terminal
        if not last and moment - self._shown < _EVERY[self._terminal]:
            return
        self._shown = moment
        rate = f"{_short((now - before) / max(moment - self._began, 1e-9))} {self._unit}/s"
        self._bar.length = self._total and self._total - before
        if not self._bar.entered:
            self.enter_context(self._bar)
        self._bar.update(now - before - self._bar.pos, rate)
        if not self._terminal:
            share = f"{now / self._total:.1%}" if self._total else f"{now:,} {self._unit}"
            click.echo(f"{self._name}: {share}, {rate}", err=True)


def _short(rate: float) -> str:
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g}{letter}"
    return f"{rate:.3g}"
