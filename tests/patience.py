"""How long tests wait on a machine that has much else to do."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENT = 120.0
"""Seconds that nothing takes unless it hangs."""


def until(true: Callable[[], object], seconds: float = PATIENT) -> None:
    """Wait until it is so."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)
