"""One server and one browser for all tests of a process; a module may have its own server."""

from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from web.browser import Browsers, browsing
from web.playing import asking
from web.server import Server, running
from web.visitor import Visitor


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    place = tmp_path_factory.mktemp("web") / "rooms.sqlite3"
    with running(str(place)) as server:
        yield server
        assert "Traceback" not in server.output


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[httpx.Client]:
    with asking(server) as client:
        yield client


web = client
"""Another one, of somebody else."""


@pytest.fixture
def me(server: Server) -> Iterator[Visitor]:
    with Visitor(server.address) as visitor:
        yield visitor


@pytest.fixture
def visitors(server: Server) -> Iterator[tuple[Visitor, Visitor, Visitor]]:
    """A host, a friend, and somebody who watches."""
    with ExitStack() as stack:
        host, friend, watcher = (stack.enter_context(Visitor(server.address)) for _ in range(3))
        yield host, friend, watcher


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browsers]:
    with browsing() as started:
        yield started


@pytest.fixture
def browsers(chromium: Browsers) -> Iterator[Browsers]:
    with chromium.visited():
        yield chromium
