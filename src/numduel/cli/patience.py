"""What may take long: a line or a bar says so, and Ctrl-C or a time limit ends it.

Python looks at signals between the short steps of a computation: no second process is needed.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import repeat
from threading import current_thread, main_thread
from types import FrameType

import click

TELL_AFTER = 0.2  # seconds after which a person is told that numduel is thinking
LIMIT = 10.0  # seconds that the computer thinks about a move or a hint while a person waits
_EVERY = {True: 0.2, False: 30.0}  # seconds between two looks, on a terminal and elsewhere
THINKING = "Thinking... Ctrl-C to stop.\n"


class Stopped(BaseException):
    """The question was ended by Ctrl-C or a time limit; like KeyboardInterrupt, it is no error."""

    def __init__(self, seconds: float | None = None) -> None:
        super().__init__()
        self.seconds = seconds  # the time limit that was met; None for Ctrl-C


@contextmanager
def alarm(ring: "signal._HANDLER", after: float, every: float = 0) -> Iterator[None]:
    """Ring after so many seconds, and perhaps again and again, while the block lasts."""
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, after, every)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def thinking(seconds: float | None = None, stoppable: bool = False) -> Iterator[None]:
    """Say on a terminal that it takes long. If `stoppable`, Ctrl-C and time raise `Stopped`."""
    if current_thread() is not main_thread() or not sys.stderr.isatty():
        yield
        return
    told = False

    def tell(_number: int, _frame: FrameType | None) -> None:
        nonlocal told
        if told:
            raise Stopped(seconds)
        told = True
        os.write(sys.stderr.fileno(), THINKING.encode())
        if stoppable and seconds is not None:
            signal.setitimer(signal.ITIMER_REAL, seconds - TELL_AFTER)

    sys.stdout.flush()
    try:
        with alarm(tell, TELL_AFTER):
            yield
    except KeyboardInterrupt:
        if not stoppable:
            raise
        sys.stderr.write("\n")  # after the ^C that the terminal shows
        raise Stopped from None


class Progress(ExitStack):
    """Call it with (done before this run, done now): a bar, or lines half a minute apart."""

    def __init__(self, name: str, total: int | None, unit: str = "numbers") -> None:
        super().__init__()
        self._name, self._total, self._unit = name, total, unit
        self._terminal = sys.stderr.isatty()
        self._began = self._shown = time.monotonic()
        self._bar = click.progressbar(
            repeat(""), total, name, show_pos=not total, item_show_func=lambda rate: rate,
            file=sys.stderr, hidden=not self._terminal,
        )  # fmt: skip

    def __call__(self, before: int, now: int) -> None:
        moment = time.monotonic()
        last = now == self._total and self._terminal
        if not last and moment - self._shown < _EVERY[self._terminal]:
            return
        self._shown = moment
        rate = f"{(now - before) / max(moment - self._began, 1e-9):.3g} {self._unit}/s"
        self._bar.length = self._total and self._total - before
        if not self._bar.entered:
            self.enter_context(self._bar)
        self._bar.update(now - before - self._bar.pos, rate)
        if not self._terminal:
            share = f"{now / self._total:.1%}" if self._total else f"{now:,} {self._unit}"
            click.echo(f"{self._name}: {share}, {rate}", err=True)
