"""The time in rooms: a system's clock that is set while people play moves no clock of theirs."""

import time

_anchor = time.time() - time.monotonic()


def now() -> float:
    """Seconds since 1970, as far as this server can tell."""
    return _anchor + time.monotonic()


def anchor() -> float:
    """What `share` is given in the other processes of this server, so that all agree."""
    return _anchor


def share(given: float) -> None:
    """Go by the time of another process of this server."""
    global _anchor
    _anchor = given
