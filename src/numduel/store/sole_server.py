"""One server for one SQLite file: two would not hear of each other's changes."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from numduel.errors import StoreError
from numduel.store.place import file_of, is_address


@contextmanager
def sole_server(place: str) -> Iterator[None]:
    """Nobody else serves the file while the block lasts. Raises `StoreError` where somebody does.

    The system lets go of the lock when the process ends, however it ends. PostgreSQL carries
    news between servers, and has no need of it.
    """
    if is_address(place):
        yield
        return
    file = file_of(place)
    # Not the database itself: closing that anywhere would break SQLite's own locks.
    lock = os.open(f"{file}-server", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise StoreError(place=str(file), problem="served") from error
    finally:
        os.close(lock)
