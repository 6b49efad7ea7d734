"""Guessing the code of a class is limited: so many wrong ones, for each client.

A client that has named too many no longer hears whether a class exists, unless the token belongs
to that class: one pupil who guesses does not shut out the others behind the same address.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

from numduel.errors import NotSeated, TooManyRequests, UnknownClass
from numduel.thinking.rate import Rate
from numduel.thinking.waiting_line import ASKER

_MOST_CODES = 10_000


class WrongCodes:
    """Counts wrong codes of each client: `at_once` of them, refilled so many a minute."""

    def __init__(self, at_once: int = 60, per_minute: int = 10) -> None:
        self._rate = Rate(per_minute, 60, at_once)
        self._been: set[str] = set()
        """Codes of classes that were there: when one ends, all its pages ask for it once more."""

    def check(self) -> None:
        """Raise `TooManyRequests` for a client that has named too many."""
        seconds = self._rate.wait(ASKER.get(), time.monotonic())
        if seconds:
            raise TooManyRequests(what="wrong codes", seconds=ceil(seconds))

    @contextmanager
    def counted(self, code: str) -> Iterator[None]:
        """The class is asked for in the block. Whether it exists is said to few guesses only."""
        try:
            yield
        except UnknownClass:
            if code in self._been:
                raise
            self.check()
            self._rate.charge(ASKER.get(), 1, time.monotonic())
            raise
        except NotSeated:
            self.check()
            raise
        else:
            if len(self._been) >= _MOST_CODES:
                self._been.clear()
            self._been.add(code)
