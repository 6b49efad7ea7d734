"""What `make soak` runs: tests with the mark `soak`, which names their part of it.

    @pytest.mark.soak("kills")              in the soak alone
    @pytest.mark.soak("kills", short=True)  in `make test` too, in a short form: `SOAK` is false

`tools/soak.py` runs one part after another, each with the minutes allotted to it, and prints
what the tests have found. Alone: `make soak PARTS=kills`.
"""

import json
import os
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

_PART = os.environ.get("NUMDUEL_SOAK", "")
_MINUTES = float(os.environ.get("NUMDUEL_SOAK_MINUTES", "1"))
_KEPT = os.environ.get("NUMDUEL_SOAK_FILE", "")

SOAK = bool(_PART)


def seconds(share: float) -> float:
    """This share of the time allotted to the part."""
    return 60 * _MINUTES * share


def time_for(share: float) -> Callable[[], bool]:
    """Tells whether there is time left of this share; from now on."""
    end = time.monotonic() + seconds(share)
    return lambda: time.monotonic() < end


def batches(share: float) -> Iterator[int]:
    """Numbers, for seeds: in the soak as many as there is time for, and at least one."""
    there_is_time = time_for(share if SOAK else 0)
    for number in count():
        yield number
        if not there_is_time():
            break


def figure(name: str, value: float | str) -> None:
    """Something worth knowing that a test has found, for the soak's table."""
    _keep(figure=name, value=value)


def _keep(**facts: object) -> None:
    if _KEPT:
        with Path(_KEPT).open("a") as file:
            file.write(json.dumps(facts) + "\n")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if not _wanted(item.get_closest_marker("soak"))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def _wanted(mark: pytest.Mark | None) -> bool:
    if mark is None:
        return not SOAK
    part = mark.args[0] if mark.args else "rest"
    return part == _PART if SOAK else bool(mark.kwargs.get("short"))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep how each case ended, as soon as it has: a part may be out of time before its end."""
    if "PYTEST_XDIST_WORKER" not in os.environ and (report.when == "call" or report.failed):
        _keep(case=report.nodeid, outcome=report.outcome)
