"""One server and one browser for all tests of a process; a module may have its own server."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from patience import PATIENT
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


@pytest.fixture(scope="module")
def web(server: Server) -> Iterator[httpx.Client]:
    """A client that keeps its cookies, as browsers do."""
    with httpx.Client(base_url=server.address, timeout=PATIENT, verify=False) as client:
        yield client


@pytest.fixture
def me(server: Server) -> Iterator[Visitor]:
    with Visitor(server.address) as visitor:
        yield visitor


@pytest.fixture
def visitors(server: Server) -> Iterator[tuple[Visitor, Visitor, Visitor]]:
    """A host, a friend, and somebody who watches."""
    with (
        Visitor(server.address) as host,
        Visitor(server.address) as friend,
        Visitor(server.address) as watcher,
    ):
        yield host, friend, watcher


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browsers]:
    with browsing() as started:
        yield started


@pytest.fixture
def browsers(chromium: Browsers) -> Iterator[Browsers]:
    with chromium.visited():
        yield chromium
