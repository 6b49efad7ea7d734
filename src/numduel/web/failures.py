"""What the log says when the rooms cannot be read or written: a line, not one per request."""

from __future__ import annotations

import logging
import time

from numduel.errors import StoreError
from numduel.wording import quoted
from numduel.wording.problems import STORE_PROBLEMS

_AGAIN_AFTER = 600.0
"""Seconds after which the same failure is worth another line."""

_log = logging.getLogger("numduel")


def sentence(error: StoreError) -> str:
    """The failure, for whoever runs the server."""
    place, problem = quoted(str(error.place), 100), STORE_PROBLEMS[error.problem]
    return f"The rooms cannot be kept in {place}: {problem}."


class Failures:
    """Writes failures of the database into the log, each kind once in ten minutes."""

    def __init__(self) -> None:
        self._told: dict[str, float] = {}

    def tell(self, error: StoreError) -> None:
        now = time.monotonic()
        if now - self._told.get(error.problem, -_AGAIN_AFTER) >= _AGAIN_AFTER:
            self._told[error.problem] = now
            _log.error(sentence(error))
