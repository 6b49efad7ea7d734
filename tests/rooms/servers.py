"""What tests of several servers share."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import text

from numduel.rooms.kept_rooms import Rooms

Told = list[tuple[str, int]]
"""Codes and versions, as they were told."""

Servers = Callable[..., Rooms]
"""Starts a server at the place; it is closed when the test ends."""


def run(rooms: Rooms, *statements: str) -> None:
    with rooms.store.database.writing() as connection:
        for statement in statements:
            connection.execute(text(statement))
