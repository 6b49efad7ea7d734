"""Who is at the seats of a room just now, and who has left, as live connections tell.

A seat of which no connection was ever seen is neither: a page without scripts has none. A class
is a place too: its seats are its pupils, by number.
"""

import asyncio
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from secrets import token_hex

from numduel.rooms.tokens import is_class_code, is_code

Here = tuple[bool | None, bool | None]
"""For each seat: here, away, or not known."""

GRACE = 3.0
"""Seconds within which somebody may come back without having left: a page that is reloaded."""
BEAT = 20.0
"""Seconds after which a server says again who is there."""
_BELIEVED = 2.5 * BEAT  # seconds that others believe it
_MOST_ROOMS = 20_000
_WRITTEN = re.compile(r"([0-9]{1,9}(\.[0-9]{1,9})*)?", re.ASCII)
_LONGEST = 6_000  # characters of a message: PostgreSQL takes 8,000 bytes


class _Place:
    __slots__ = ("been", "connections", "elsewhere")

    def __init__(self) -> None:
        self.connections: Counter[int] = Counter()
        self.elsewhere: dict[str, tuple[frozenset[int], float]] = {}
        self.been: set[int] = set()

    def own(self) -> frozenset[int]:
        """The seats at which this server has connections."""
        return frozenset(self.connections)

    def there(self) -> frozenset[int]:
        return self.own().union(*(seats for seats, _ in self.elsewhere.values()))


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
        self._name, self._began = token_hex(4), now()

    def here(self, code: str) -> Here:
        place = self._places.get(code) or _Place()
        there, been = place.there(), place.been
        first, second = (
            True if seat in there else False if seat in been else None for seat in (0, 1)
        )
        return first, second

    def away(self, code: str, seats: Iterable[int], seconds: float) -> frozenset[int]:
        """Those of the seats where nobody is. Nobody is away while this server is too young."""
        if self._now() - self._began < seconds:
            return frozenset()
        return frozenset(seats) - (self._places.get(code) or _Place()).there()

    @contextmanager
    def at(self, code: str, seat: int | None, grace: float | None = None) -> Iterator[None]:
        """Somebody is connected at the seat while the block lasts; None for a watcher."""
        if seat is None:
            yield
            return
        self._count(code, seat, 1)
        try:
            yield
        finally:
            asyncio.get_running_loop().call_later(grace or GRACE, self._count, code, seat, -1)

    def messages(self, codes: Iterable[str]) -> list[str]:
        messages: list[str] = []
        for code in codes:
            told = f" {code}:{'.'.join(map(str, sorted(self._seats(code))))}"
            if not messages or len(messages[-1]) + len(told) > _LONGEST:
                messages.append(self._name)
            messages[-1] += told
        return messages

    def hear(self, message: str) -> None:
        """What another server tells; this one's own messages come back, too."""
        name, *told = message.split(" ")
        if name == self._name:
            return
        for code, _, seats in (one.partition(":") for one in told):
            known = is_code(code) or is_class_code(code)
            if not known or not _WRITTEN.fullmatch(seats):  # others may use the same channel
                continue
            place = self._place(code)
            before = place.there()
            there = frozenset(map(int, filter(None, seats.split("."))))
            place.elsewhere[name] = (there, self._now())
            self._see(code, place, before)

    def beat(self) -> None:
        """Say again who is here, and forget what was not said again elsewhere."""
        self._announce([code for code, place in self._places.items() if place.own()])
        oldest = self._now() - _BELIEVED
        for code, place in self._places.items():
            before = place.there()
            for name in [name for name, (_, said) in place.elsewhere.items() if said < oldest]:
                del place.elsewhere[name]
            self._see(code, place, before)

    def _seats(self, code: str) -> frozenset[int]:
        place = self._places.get(code)
        return frozenset() if place is None else place.own()

    def _count(self, code: str, seat: int, more: int) -> None:
        place = self._place(code)
        before, own = place.there(), place.own()
        place.connections[seat] += more
        if not place.connections[seat]:
            del place.connections[seat]
        if place.own() != own:
            self._announce([code])
        self._see(code, place, before)

    def _see(self, code: str, place: _Place, before: frozenset[int]) -> None:
        place.been |= place.there()
        if place.there() != before:
            self._changed(code)

    def _place(self, code: str) -> _Place:
        """The room, as the one that was used last; another is forgotten where they are many."""
        if code not in self._places and len(self._places) >= _MOST_ROOMS:
            # Fewer have a connection: the server has a limit for those.
            del self._places[next(old for old, one in self._places.items() if not one.own())]
        place = self._places.setdefault(code, _Place())
        self._places.move_to_end(code)
        return place
