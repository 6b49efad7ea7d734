"""What tests of models share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agents.model_server import FakeServer, serving


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving() as made:
        yield made
