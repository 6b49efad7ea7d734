"""Rooms in memory, beside the database, to save reading and replaying them."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from numduel.rooms.room import Room

_MOST = 10_000


class KnownRooms:
    """The rooms that were used last, each at the newest version that was seen. For any thread.

    What stands here was committed. It may be older than the database, never newer:
    whoever uses it compares versions.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._lock = Lock()

    def get(self, code: str) -> Room | None:
        """The room as far as it is known."""
        with self._lock:
            return self._rooms.get(code)

    def remember(self, room: Room) -> None:
        """Keep the room, unless a newer version of it is known."""
        with self._lock:
            known = self._rooms.get(room.code)
            if known is None or known.version < room.version:
                self._rooms[room.code] = room
            self._rooms.move_to_end(room.code)
            if len(self._rooms) > self._most:
                self._rooms.popitem(last=False)

    def forget(self, code: str) -> None:
        """The room is gone."""
        with self._lock:
            self._rooms.pop(code, None)
