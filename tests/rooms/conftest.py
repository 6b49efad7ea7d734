"""Servers of rooms on each kind of database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from numduel.rooms.kept_rooms import Rooms
from rooms.opened import Servers, Told


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Where a new history goes, for what does not depend on the kind of database."""
    return str(tmp_path / "rooms.sqlite3")


@pytest.fixture
def servers(place: str) -> Iterator[Servers]:
    started: list[Rooms] = []

    def start(told: Told | None = None, **bounds: int) -> Rooms:
        def tell(code: str, version: int) -> None:
            if told is not None:
                told.append((code, version))

        started.append(Rooms(place, tell, **bounds))
        return started[-1]

    yield start
    for rooms in started:
        rooms.close()
