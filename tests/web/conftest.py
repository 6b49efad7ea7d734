"""One server and one browser for all tests of a process; a module may have its own server."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from web.browser import Browsers, browsing
from web.playing import asking
from web.server import Server, running


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


@pytest.fixture(scope="module")
def web(server: Server) -> Iterator[httpx.Client]:
    """A client that keeps its cookies, as browsers do."""
    with httpx.Client(base_url=server.address, timeout=30) as client:
        yield client


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browsers]:
    with browsing() as started:
        yield started


@pytest.fixture
def browsers(chromium: Browsers) -> Iterator[Browsers]:
    with chromium.awake():
        yield chromium
