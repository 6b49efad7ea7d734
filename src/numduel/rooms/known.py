"""Rooms in memory, beside the database, to save reading and replaying them."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from numduel.rooms.room import Room

_MOST_ROOMS = 10_000
_MOST_TURNS = 200_000
"""Turns of all these rooms together: some 100 MB."""


class KnownRooms:
    """The rooms that were used last, each at the newest version that was seen. For any thread.

    What stands here was committed. It may be older than the database, never newer:
    whoever uses it compares versions.
    """

    def __init__(self, rooms: int = _MOST_ROOMS, turns: int = _MOST_TURNS) -> None:
        self._most_rooms, self._most_turns = rooms, turns
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._turns = 0
        self._lock = Lock()

    def get(self, code: str) -> Room | None:
        with self._lock:
            return self._rooms.get(code)

    def remember(self, room: Room) -> None:
        """Keep the room, unless a newer version of it is known."""
        with self._lock:
            known = self._drop(room.code)
            newest = known if known and known.version >= room.version else room
            self._rooms[room.code] = newest
            self._turns += newest.ply
            while len(self._rooms) > self._most_rooms or self._turns > self._most_turns:
                self._drop(next(iter(self._rooms)))

    def forget(self, code: str) -> None:
        with self._lock:
            self._drop(code)

    def _drop(self, code: str) -> Room | None:
        dropped = self._rooms.pop(code, None)
        if dropped is not None:
            self._turns -= dropped.ply
        return dropped
