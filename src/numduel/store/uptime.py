"""The time that servers have seen pass. Rooms expire by it, and not by the system's clock.

A clock that is set wrong would forget all rooms at once. This count grows while a server
runs; of the time in which none did, half a day counts at most.
"""

from __future__ import annotations

import time

from sqlalchemy import BindParameter, Connection, bindparam, case, select, update

from numduel.errors import StoreError
from numduel.store.schema import UPTIME

_LONGEST_GAP = 12 * 3600.0
_SECONDS: BindParameter[float] = bindparam("now")
_SAVE = update(UPTIME).values(
    seconds=case((UPTIME.c.seconds < _SECONDS, _SECONDS), else_=UPTIME.c.seconds),
    wall=bindparam("clock"),
)


class Uptime:
    """Seconds that servers of one database have run, all together, as this one counts them."""

    def __init__(self, connection: Connection) -> None:
        row = connection.execute(select(UPTIME)).one_or_none()
        if row is None or not all(isinstance(value, float) for value in row):
            raise StoreError(problem="damaged")
        gap = min(max(0.0, time.time() - row.wall), _LONGEST_GAP)
        self._anchor: float = row.seconds + gap - time.monotonic()

    def now(self) -> float:
        """The count."""
        return self._anchor + time.monotonic()

    def save(self, connection: Connection) -> None:
        """Write the count; where another server is ahead, go by that."""
        connection.execute(_SAVE, {"now": self.now(), "clock": time.time()})
        kept = connection.scalar(select(UPTIME.c.seconds))
        self._anchor += max(0.0, float(kept or 0) - self.now())
