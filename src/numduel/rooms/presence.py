"""Who is at the seats of a room just now, and who has left, as live connections tell.

A seat of which no connection was ever seen is neither: a page without scripts has none.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from secrets import token_hex

from numduel.rooms.tokens import is_code

Here = tuple[bool | None, bool | None]
"""For each seat: here, away, or not known."""

GRACE = 3.0
"""Seconds within which somebody may come back without having left: a page that is reloaded."""
BEAT = 20.0
"""Seconds after which a server says again who is there."""
_BELIEVED = 2.5 * BEAT  # seconds that others believe it
_MOST_ROOMS = 20_000
_WRITTEN = {"": frozenset[int](), "0": frozenset({0}), "1": frozenset({1}), "01": frozenset({0, 1})}
_TOGETHER = 400  # rooms in one message: PostgreSQL takes 8,000 bytes


class _Place:
    __slots__ = ("been", "connections", "elsewhere")

    def __init__(self) -> None:
        self.connections = [0, 0]
        self.elsewhere: dict[str, tuple[frozenset[int], float]] = {}
        self.been: set[int] = set()

    def own(self) -> frozenset[int]:
        """The seats at which this server has connections."""
        return frozenset(seat for seat in (0, 1) if self.connections[seat])

    def here(self) -> Here:
        there = self.own().union(*(seats for seats, _ in self.elsewhere.values()))
        self.been |= there
        first, second = (
            True if seat in there else False if seat in self.been else None for seat in (0, 1)
        )
        return first, second


class Presence:
    """Knows who is there. `changed` hears of a room where somebody came or left.

    `announce` hears of rooms that other servers should be told of.
    """

    def __init__(
        self,
        changed: Callable[[str], None],
        announce: Callable[[Iterable[str]], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._changed, self._announce, self._now = changed, announce, now
        self._places: OrderedDict[str, _Place] = OrderedDict()
        self._name = token_hex(4)

    def here(self, code: str) -> Here:
        place = self._places.get(code)
        return (None, None) if place is None else place.here()

    @contextmanager
    def at(self, code: str, seat: int | None) -> Iterator[None]:
        """Somebody is connected at the seat while the block lasts; None for a watcher."""
        if seat is None:
            yield
            return
        self._count(code, seat, 1)
        try:
            yield
        finally:
            asyncio.get_running_loop().call_later(GRACE, self._count, code, seat, -1)

    def messages(self, codes: Iterable[str]) -> list[str]:
        told = [f"{code}:{''.join(map(str, sorted(self._seats(code))))}" for code in codes]
        parts = (told[at : at + _TOGETHER] for at in range(0, len(told), _TOGETHER))
        return [" ".join([self._name, *part]) for part in parts]

    def hear(self, message: str) -> None:
        """What another server tells; this one's own messages come back, too."""
        name, *told = message.split(" ")
        if name == self._name:
            return
        for code, _, seats in (one.partition(":") for one in told):
            if not is_code(code) or seats not in _WRITTEN:  # others may use the same channel
                continue
            place = self._place(code)
            before = place.here()
            place.elsewhere[name] = (_WRITTEN[seats], self._now())
            self._see(code, place, before)

    def beat(self) -> None:
        """Say again who is here, and forget what was not said again elsewhere."""
        self._announce([code for code, place in self._places.items() if place.own()])
        oldest = self._now() - _BELIEVED
        for code, place in self._places.items():
            before = place.here()
            for name in [name for name, (_, said) in place.elsewhere.items() if said < oldest]:
                del place.elsewhere[name]
            self._see(code, place, before)

    def _seats(self, code: str) -> frozenset[int]:
        place = self._places.get(code)
        return frozenset() if place is None else place.own()

    def _count(self, code: str, seat: int, more: int) -> None:
        place = self._place(code)
        before, own = place.here(), place.own()
        place.connections[seat] += more
        if place.own() != own:
            self._announce([code])
        self._see(code, place, before)

    def _see(self, code: str, place: _Place, before: Here) -> None:
        if place.here() != before:
            self._changed(code)

    def _place(self, code: str) -> _Place:
        """The room, as the one that was used last; another is forgotten where they are many."""
        if code not in self._places and len(self._places) >= _MOST_ROOMS:
            # Fewer have a connection: the server has a limit for those.
            del self._places[next(old for old, one in self._places.items() if not one.own())]
        place = self._places.setdefault(code, _Place())
        self._places.move_to_end(code)
        return place
