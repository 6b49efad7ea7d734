"""News for who watches a room: only which version is the newest. And who is there just now.

A seat of which no connection was ever seen is neither here nor away: a page without scripts has
none. A class is a place too: its seats are its pupils, by number.
"""

import asyncio
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex

from numduel.rooms.tokens import is_class_code, is_code
from numduel.store.news import GONE, MORE

Here = tuple[bool | None, bool | None]  # for each seat: here, away, or not known
GRACE = 3.0  # seconds to come back in without having left: a page that is reloaded
BEAT = 20.0  # seconds after which a server says again who is there
_BELIEVED = 2.5 * BEAT  # seconds that others believe it
_MOST_ROOMS = 20_000
_WRITTEN = re.compile(r"([0-9]{1,9}(\.[0-9]{1,9})*)?", re.ASCII)
_LONGEST = 6_000  # characters of a message: PostgreSQL takes 8,000 bytes


class Watching:
    """News of one room for one watcher: versions that grow, but after `MORE`; `GONE` is last."""

    __slots__ = ("_more", "_newest", "_seen", "_woken")

    def __init__(self) -> None:
        self._newest: int | None = None
        self._seen: int | None = None
        self._more = False
        self._woken = asyncio.Event()

    def tell(self, version: int) -> None:
        """There is another version; an older one is no news, and after `GONE` none is. `MORE`:
        there is one, or something else has changed; the version is told once more.
        """
        newest = self._newest
        if version == MORE:
            self._more = True
        elif newest is None or (newest != GONE and (version > newest or version == GONE)):
            self._newest = version
        self._woken.set()

    async def next(self) -> int:
        """The newest version, once it is another than the last one, or after `MORE`."""
        while self._newest is None or (self._newest == self._seen and not self._more):
            self._woken.clear()
            await self._woken.wait()
        self._seen, self._more = self._newest, False
        return self._newest


class Live:
    def __init__(self) -> None:
        self._watching: dict[str, set[Watching]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """News from other threads come to the running loop from now on."""
        self._loop = asyncio.get_running_loop()

    @contextmanager
    def watch(self, code: str) -> Iterator[Watching]:
        watching = Watching()
        self._watching.setdefault(code, set()).add(watching)
        try:
            yield watching
        finally:
            others = self._watching[code]
            others.discard(watching)
            if not others:
                del self._watching[code]

    @property
    def watched(self) -> list[str]:
        return list(self._watching)

    def tell(self, code: str, version: int) -> None:
        for watching in self._watching.get(code, ()):
            watching.tell(version)

    def hear(self, code: str, version: int) -> None:
        """Tell, from any thread, what is durable. Who comes later looks, and so misses nothing."""
        if code in self._watching:
            self.from_thread(self.tell, code, version)

    def from_thread(self, call: Callable[..., None], *values: object) -> None:
        """Call it on the loop, from any thread."""
        with suppress(RuntimeError):  # the loop has closed, and with it all who watched
            if self._loop is not None:
                self._loop.call_soon_threadsafe(call, *values)


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


_NOWHERE = _Place()


class Presence:
    """Knows who is there. `changed` hears of a room where somebody came or left, `announce` of
    rooms that other servers should be told of.
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
        place = self._places.get(code, _NOWHERE)
        first, second = (seat in place.there() if seat in place.been else None for seat in (0, 1))
        return first, second

    def away(self, code: str, seats: Iterable[int], seconds: float) -> frozenset[int]:
        """Those of the seats where nobody is. Nobody is away while this server is too young."""
        if self._now() - self._began < seconds:
            return frozenset()
        return frozenset(seats) - self._places.get(code, _NOWHERE).there()

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
            told = f" {code}:{'.'.join(map(str, sorted(self._places.get(code, _NOWHERE).own())))}"
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
