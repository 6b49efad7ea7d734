"""Who pays for thinking: each asker has seconds to spend, which come back evenly.

They are charged where the thinking is done, for whatever a process worked on. Nobody has
to keep a list of the requests that may lead to a question.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, inf
from time import monotonic

from numduel.errors import TooManyRequests
from numduel.thinking.rate import Rate

LEAST = 0.02
"""Seconds that a question costs at least: handing it over is work too."""


class Budget:
    """A number of seconds of thinking per minute for each asker, and as many at once."""

    def __init__(self, per_minute: float = inf, clock: Callable[[], float] = monotonic) -> None:
        self._rate = None if per_minute == inf else Rate(per_minute, 60, per_minute)
        self._clock = clock

    def check(self, asker: bytes) -> None:
        """Raise `TooManyRequests` while the asker has spent more than there is."""
        if self._rate is not None and (wait := self._rate.wait(asker, self._clock())):
            raise TooManyRequests(what="questions", seconds=max(1, ceil(wait)))

    def charge(self, asker: bytes, seconds: float) -> None:
        """A process has worked so long for the asker."""
        if self._rate is not None:
            self._rate.charge(asker, max(seconds, LEAST), self._clock())
