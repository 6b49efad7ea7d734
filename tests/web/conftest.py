"""A server for each module, a program that asks it, and browsers; a module may have its own."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from web.browser import Browsers, browsing
from web.playing import asking
from web.server import Server, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    place = tmp_path_factory.mktemp("web") / "rooms.sqlite3"
    with running(str(place)) as server:
        yield server


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[httpx.Client]:
    with asking(server) as client:
        yield client


@pytest.fixture(scope="module")
def browsers() -> Iterator[Browsers]:
    with browsing() as started:
        yield started
