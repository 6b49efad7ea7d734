"""How long tests wait on a machine that has much else to do."""

import time
from collections.abc import Callable
from pathlib import Path

PATIENT = 120.0
"""Seconds that nothing takes unless it hangs."""


def until(true: Callable[[], object], seconds: float = PATIENT) -> None:
    """Wait until it is so."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def is_running(process: int) -> bool:
    """Is there such a process, other than one that has ended and is not yet taken note of?"""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
