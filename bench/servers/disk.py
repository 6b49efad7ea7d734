"""What the disk alone takes, in the same seconds as a server: a late move may be the disk's."""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

_BYTES = 20_480
"""What a move writes: five pages."""

_PLACES = 200


@contextmanager
def disk_alone(folder: str, a_second: float) -> Iterator[list[float]]:
    """Seconds that durable writes into a file there take, while the block lasts.

    They are due at an even pace, and counted from then on, as moves are: when the disk
    stalls, whatever is due meanwhile is late.
    """
    taken: list[float] = []
    ends = Event()
    with tempfile.TemporaryFile(dir=folder) as file:
        opened = file.fileno()
        os.pwrite(opened, bytes(_BYTES * _PLACES), 0)
        os.fsync(opened)

        def write() -> None:
            start = time.perf_counter()
            while not ends.is_set():
                due = start + len(taken) / a_second
                time.sleep(max(0.0, due - time.perf_counter()))
                os.pwrite(opened, bytes(_BYTES), len(taken) % _PLACES * _BYTES)
                os.fdatasync(opened)
                taken.append(time.perf_counter() - due)

        writing = Thread(target=write)
        writing.start()
        try:
            yield taken
        finally:
            ends.set()
            writing.join()
