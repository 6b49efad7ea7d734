"""Questions that may take long: a line says so, and Ctrl-C or a time limit ends them.

Each step of a long computation is short, a second or two for a primality test of 4,000
digits, and Python looks at signals between the steps. So no second process is needed.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

TELL_AFTER = 0.2
"""Seconds after which a person is told that numduel is thinking."""

LIMIT = 10.0
"""Seconds that the computer thinks about a move or a hint while a person waits."""

THINKING = "Thinking... Ctrl-C to stop.\n"


class Stopped(BaseException):
    """The question was ended, by Ctrl-C or because the time was up.

    Like KeyboardInterrupt, it is not an error of the question.
    """

    def __init__(self, seconds: float | None = None) -> None:
        super().__init__()
        self.seconds = seconds
        """The time limit that was met; None for Ctrl-C."""


@contextmanager
def thinking(seconds: float | None = None, stoppable: bool = False) -> Iterator[None]:
    """Say on the terminal, if there is one, that the block takes longer than a moment.

    A `stoppable` block raises `Stopped` for Ctrl-C, and after so many seconds.
    """
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
    before = signal.signal(signal.SIGALRM, tell)
    signal.setitimer(signal.ITIMER_REAL, TELL_AFTER)
    try:
        yield
    except KeyboardInterrupt:
        if not stoppable:
            raise
        sys.stderr.write("\n")  # after the ^C that the terminal shows
        raise Stopped from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
