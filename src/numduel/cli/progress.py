"""How far a long computation has got, on stderr: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Final

_EVERY: Final = {True: 0.2, False: 30.0}
_BAR: Final = 24


class Progress:
    """Call it with (done before this run, done now); rate and time left follow.

    Without a terminal at stderr there are lines instead of a bar, half a minute apart.
    """

    def __init__(self, name: str, total: int | None, unit: str = "numbers") -> None:
        self._name, self._total, self._unit = name, total, unit
        self._terminal = sys.stderr.isatty()
        self._began = self._shown = time.monotonic()
        self._width = 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._terminal and self._width:
            sys.stderr.write(f"\r{' ' * self._width}\r")
            sys.stderr.flush()

    def __call__(self, before: int, now: int) -> None:
        """Show how far it is, unless that was shown a moment ago."""
        moment = time.monotonic()
        last = now == self._total and self._terminal
        if not last and moment - self._shown < _EVERY[self._terminal]:
            return
        self._shown = moment
        rate = (now - before) / max(moment - self._began, 1e-9)
        line = self._line(now, rate)
        if self._terminal:
            line = line[: shutil.get_terminal_size().columns - 1]
            sys.stderr.write(f"\r{line.ljust(self._width)}")
            self._width = len(line)
        else:
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()

    def _line(self, now: int, rate: float) -> str:
        speed = f"{_short(rate)} {self._unit}/s"
        if not self._total:
            return f"{self._name}: {now:,} {self._unit}, {speed}"
        share = now / self._total
        full = int(_BAR * share)
        bar = f"[{'#' * full}{'.' * (_BAR - full)}] " if self._terminal else ""
        left = f", {_time((self._total - now) / rate)} left" if rate > 0 else ""
        return f"{self._name}: {bar}{100 * share:.1f}%, {speed}{left}"


def _short(rate: float) -> str:
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g}{letter}"
    return f"{rate:.3g}"


def _time(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
