"""Settings for all tests. No test touches the history of whoever runs them."""

import atexit
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from postgres import Server, shared_server
from soaking import SOAK, pytest_collection_modifyitems, pytest_runtest_logreport

__all__ = ["pytest_collection_modifyitems", "pytest_runtest_logreport"]

# Machines are noisy: a slow example is no failure, a hanging one meets pytest's own timeout.
# The same examples every time, and new ones in the soak.
settings.register_profile(
    "numduel",
    deadline=None,
    derandomize=not SOAK,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("numduel")

# Whoever runs tests in the background may ignore Ctrl-C; the commands under test must not.
signal.signal(signal.SIGINT, signal.default_int_handler)

_FOLDER = tempfile.mkdtemp(prefix="numduel-tests-")
os.environ["XDG_DATA_HOME"] = _FOLDER
os.environ.pop("NUMDUEL_DATABASE_URL", None)
# As in an active environment: numduel is found by its name.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)

# What all processes of a run share; whoever starts them ends it.
_RUN = os.environ.get("TESTS_FOLDER", "")
if not _RUN:
    os.environ["TESTS_FOLDER"] = _FOLDER
    Path(_FOLDER).chmod(0o755)  # PostgreSQL runs as somebody else


def pytest_unconfigure() -> None:
    if not _RUN and (Path(_FOLDER) / "postgresql").exists():
        Server(Path(_FOLDER) / "postgresql").stop()


@pytest.fixture(scope="session", autouse=True)
def wide() -> Iterator[None]:
    """No sentence in a pipe is wrapped, but where a test asks for it. pytest's own lines are."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "1000"
    yield
    os.environ.pop("COLUMNS")
    if before is not None:
        os.environ["COLUMNS"] = before


@pytest.fixture(scope="session")
def postgresql() -> Server:
    """A private PostgreSQL server for all tests; skips where PostgreSQL is not installed."""
    return shared_server(Path(os.environ["TESTS_FOLDER"]))


@pytest.fixture(scope="session")
def server(postgresql: Server) -> Server:
    """The same, by a shorter name; under tests/web it is another server."""
    return postgresql


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new history goes, on each kind of database."""
    if request.param == "sqlite":
        return str(tmp_path / "history.sqlite3")
    running: Server = request.getfixturevalue("postgresql")
    return running.new_history()
