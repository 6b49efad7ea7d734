"""What each client's requests take, measured, on one account; and who goes first.

All that is done for an address is on one account: its time on the event loop, in threads and in
thinkers, and the bytes it is sent. While an address is within its share, it is served at once.
Those past it take turns, one step of the event loop at a time, and the one that has taken least
since it came is next: so nobody waits longer than one step of each of the others, and an idle
server keeps nobody waiting. Nothing has to be listed as expensive.

At an address, whoever holds a token of a class or a seat is a client apart, and all the rest are
one. Clients of one address share what it has, so that making tokens gains nothing. What has a hard
limit (thinking, live connections, rooms) is counted by class for its members, since a school is
often one address, otherwise by address.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Generator, Mapping
from contextvars import ContextVar
from hashlib import blake2b
from math import inf
from secrets import token_bytes
from time import monotonic, thread_time
from types import coroutine
from typing import Any, ParamSpec, TypeVar

from numduel.thinking.rate import FORGET_SECONDS, MOST_CLIENTS, Rate

BURST = 0.2
"""Seconds of the loop that an address has before it waits its turn."""
HELD = 0.2
"""A step of the event loop that takes longer is logged."""
BYTE = 1e-8
"""Seconds that a byte counts for: 10 MB are a tenth of a second."""
LEAST = 0.02
"""Seconds that a question costs at least: handing it over is work too."""
_REMEMBERED = 30.0
"""Seconds after which an address is within its share again, whatever it took."""
_COUNTED = 1.0
"""Seconds that somebody who comes to wait has taken more than the others, at most."""
MOST_SEATS = 64
"""Holders of seats at one address who are clients apart; the others are one."""

_SALT = token_bytes(16)
_log = logging.getLogger("numduel")
P = ParamSpec("P")
T = TypeVar("T")


def hidden(*parts: bytes) -> bytes:
    """A hash that means nothing outside this process."""
    return blake2b(b"\0".join(parts), key=_SALT, digest_size=16).digest()


class Account:
    """Of an address, or of a client there, whose `address` is the account it belongs to."""

    __slots__ = ("address", "asked", "classes", "clients", "key", "past", "served", "taken", "used")

    def __init__(self, key: bytes, address: Account | None = None) -> None:
        self.key = key
        self.address = address or self
        self.taken = self.served = 0.0
        """Seconds taken, and what the client who was served last had taken."""
        self.past = 0.0
        """Until when the address is past its share."""
        self.asked = 0
        """When a thinker last took a question of this account, as a number that grows."""
        self.used = 0
        self.clients: dict[bytes, Account] = {}
        self.classes: set[bytes] = set()

    def come(self, served: float) -> None:
        """Wait among others, of whom the last had taken so much: what was long ago is forgotten."""
        self.taken = min(max(self.taken, served), served + _COUNTED)


class Turns:
    """At most `most` at once, `each` of them for one address; beyond `past`, only for those within
    their share. Whoever waits goes in fair order. `all_wait`: also who finds nobody there, until
    all who are ready now have come.
    """

    def __init__(
        self, most: float, each: float = inf, past: float = inf, all_wait: bool = False
    ) -> None:
        self._most, self._each, self._past, self._all_wait = most, each, past, all_wait
        self._count = 0
        self._inside: Counter[Account] = Counter()
        self._waiting: dict[Account, list[tuple[Account, asyncio.Future[None]]]] = {}
        self._served = 0.0

    def enter(self, account: Account) -> bool:
        """Go on at once, where that may be; `leave` ends it."""
        if self._all_wait or not self._has_room(account.address):
            return False
        self._count += 1
        self._inside[account.address] += 1
        return True

    def wait(self, account: Account) -> Generator[Any, None, None]:
        """Enter, after waiting where that has to be; only `leave` it if this was not cancelled."""
        if self.enter(account):
            return
        loop, address = asyncio.get_running_loop(), account.address
        turn = loop.create_future()
        if address not in self._waiting:
            self._waiting[address] = []
            address.come(self._served)
        account.come(address.served)
        self._waiting[address].append((account, turn))
        if self._all_wait:
            loop.call_soon(self._let_in)
        try:
            yield from turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self.leave(account)
            elif (account, turn) in (waiting := self._waiting.get(account.address, [])):
                waiting.remove((account, turn))
                if not waiting:
                    del self._waiting[account.address]
            raise

    async def __call__(self, account: Account) -> None:
        await _awaited(self.wait(account))

    def leave(self, account: Account) -> None:
        address = account.address
        self._count -= 1
        self._inside[address] -= 1
        if not self._inside[address]:
            del self._inside[address]
        if self._all_wait:
            asyncio.get_running_loop().call_soon(self._let_in)
        else:
            self._let_in()

    def _let_in(self) -> None:
        while self._waiting and (free := [one for one in self._waiting if self._has_room(one)]):
            address = min(free, key=lambda one: one.taken)
            self._served = address.taken
            waiting = self._waiting[address]
            account, turn = chosen = min(waiting, key=lambda one: one[0].taken)
            waiting.remove(chosen)
            if not waiting:
                del self._waiting[address]
            if not turn.done():
                address.served = account.taken
                self._count += 1
                self._inside[address] += 1
                turn.set_result(None)

    def _has_room(self, address: Account) -> bool:
        return (
            self._count < self._most
            and self._inside[address] < self._each
            and (self._count < self._past or address.past <= monotonic())
        )


@coroutine
def _awaited(work: Generator[Any, None, T]) -> Generator[Any, None, T]:
    return (yield from work)


class Meter:
    """The accounts of one server process, and the turns of its event loop.

    `share`: seconds of its work in each second that an address takes before it waits for others.
    `thinking`: seconds a minute that thinkers work for one client. `at_once`: requests of one
    address in progress. `classes`: those of one address that have limits of their own.
    """

    def __init__(
        self, share: float = inf, thinking: float = inf, at_once: float = inf, classes: int = 20
    ) -> None:
        self.depth, self.stretch = BURST / share, 1 / share
        self.thinking = None if thinking == inf else Rate(thinking, 60, thinking)
        self.price = share * 60 / thinking if thinking < inf else 1.0
        """What a second of thinking counts for: thinkers are not the loop."""
        self.places = Turns(inf, at_once)
        self.steps = Turns(1, all_wait=True)
        self._classes = classes
        self._addresses: dict[bytes, Account] = {}
        self._holders: OrderedDict[bytes, bytes] = OrderedDict()
        """Tokens that were given a seat, and the class of each that is of one."""
        self._forget_at = 0.0
        self._told = Rate(1, 600, 1)

    def address(self, key: bytes) -> Account:
        now = monotonic()
        if now >= self._forget_at or len(self._addresses) >= MOST_CLIENTS:
            self._forget(now)
        found = self._addresses.get(key)
        if found is None:
            found = self._addresses[key] = Account(key)
        return found

    def class_of(self, token: str | None) -> bytes | None:
        """The class that the token is known to belong to; b"" for a seat, None for nothing."""
        return self._holders.get(hidden(token.encode())) if token else None

    def remember(self, token: str, school_class: str = "") -> None:
        """The token has a seat, or belongs to a class."""
        key, known = hidden(token.encode()), hidden(school_class.encode()) if school_class else b""
        if known or key not in self._holders:
            self._holders[key] = known
            if len(self._holders) > MOST_CLIENTS:
                self._holders.popitem(last=False)

    def visit(self, key: bytes, token: str | None, where: Mapping[str, Any]) -> Visit:
        """Somebody at this address, with this token; `where` may come to hold a route."""
        address = self.address(key)
        name, limited = b"", key
        holds = self.class_of(token)
        if holds is not None and token:
            name = hidden(token.encode(), key)
            if holds and (holds in address.classes or len(address.classes) < self._classes):
                address.classes.add(holds)
                limited = holds
            elif name not in address.clients and len(address.clients) > MOST_SEATS:
                name = b""
        client = address.clients.get(name)
        if client is None:
            client = address.clients[name] = Account(name or key, address)
        return Visit(self, client, limited, where)

    def held(self, where: Mapping[str, Any], seconds: float) -> None:
        """Log what held the loop, each route once in ten minutes: its pattern and nothing else."""
        route = where.get("route") or where.get("endpoint")
        name = str(getattr(route, "path", None) or getattr(route, "__name__", "no page of ours"))
        if not self._told.take(name.encode(), monotonic()):
            _log.error("The event loop was held for %.1f s by %s.", seconds, name)

    def _forget(self, now: float) -> None:
        """Forget who is idle; if too many are not, those who have been here longest."""
        self._forget_at = now + FORGET_SECONDS
        known = self._addresses
        kept = {key: one for key, one in known.items() if one.used or one.past + self.depth > now}
        for key in list(kept)[: max(0, len(kept) - MOST_CLIENTS * 9 // 10)]:
            del kept[key]
        for one in kept.values():
            one.clients = {key: each for key, each in one.clients.items() if each.used}
        self._addresses = kept


class Visit:
    """A request or a live connection, and whose it is."""

    __slots__ = ("_where", "account", "inside", "limited", "meter")

    def __init__(
        self, meter: Meter, account: Account, limited: bytes, where: Mapping[str, Any]
    ) -> None:
        self.meter, self.account, self.limited, self._where = meter, account, limited, where
        self.inside = False

    @property
    def is_past(self) -> bool:
        """Has the address taken more than its share?"""
        return self.account.address.past > monotonic()

    def pay(self, seconds: float) -> None:
        """Charge the account."""
        now, account, meter = monotonic(), self.account, self.meter
        address = account.address
        account.taken += seconds
        address.taken += seconds
        past = max(address.past, now - meter.depth) + seconds * meter.stretch
        address.past = min(past, now + _REMEMBERED)

    def pay_thinking(self, seconds: float) -> None:
        seconds = max(seconds, LEAST)
        self.pay(seconds * self.meter.price)
        if self.meter.thinking is not None:
            self.meter.thinking.charge(self.limited, seconds, monotonic())

    def check_thinking(self) -> None:
        """Raise `TooManyRequests` while the client has used more thinking than there is."""
        if self.meter.thinking is not None:
            self.meter.thinking.check(self.limited, "questions", monotonic())

    def holds(self, token: str | None, school_class: str = "") -> None:
        """The token was found to have a seat, or to belong to this class."""
        if token:
            self.meter.remember(token, school_class)

    def paid(self, work: Callable[P, T]) -> Callable[P, T]:
        """The work, for a thread: what it takes there is charged."""

        def measured(*args: P.args, **kwargs: P.kwargs) -> T:
            begun = thread_time()
            try:
                return work(*args, **kwargs)
            finally:
                self.pay(thread_time() - begun)

        return measured

    async def come_in(self) -> None:
        """Wait for a place among the requests of this address that are in progress."""
        await self.meter.places(self.account)
        self.inside = True

    def step_aside(self) -> None:
        """Give the place up: before a wait for what the event loop does not do itself."""
        if self.inside:
            self.inside = False
            self.meter.places.leave(self.account)

    @coroutine
    def run(self, work: Coroutine[Any, Any, T]) -> Generator[Any, None, T]:
        """Do the work, and measure what it takes of the loop between two waits.

        Where the address is past its share, each of these steps waits for its turn.
        """
        account, steps, error = self.account, self.meter.steps, None
        account.used += 1
        account.address.used += 1
        try:
            while True:
                if waited := self.is_past:
                    try:
                        yield from steps.wait(account)
                    except BaseException as cut_off:
                        error, waited = cut_off, False
                begun = thread_time()
                try:
                    waits = work.send(None) if error is None else work.throw(error)
                except StopIteration as done:
                    result: T = done.value
                    return result
                finally:
                    seconds = thread_time() - begun
                    self.pay(seconds)
                    if seconds > HELD:
                        self.meter.held(self._where, seconds)
                    if waited:
                        steps.leave(account)
                error = None
                try:
                    yield waits
                except BaseException as thrown:
                    error = thrown
        finally:
            account.used -= 1
            account.address.used -= 1


_NOBODY = Meter().visit(b"", None, {})
VISIT: ContextVar[Visit] = ContextVar("VISIT", default=_NOBODY)
"""Who is being served. Tasks work for whoever started them."""


class Quota:
    """How many of something a client may have, at each of these rates. `of` says whose they are."""

    def __init__(
        self, what: str, *rates: Rate, of: Callable[[Visit], bytes] = lambda visit: visit.limited
    ) -> None:
        self._what, self._rates, self._of = what, rates, of

    def check(self) -> None:
        """Raise `TooManyRequests` where there is none left."""
        for rate in self._rates:
            rate.check(self._of(VISIT.get()), self._what, monotonic())

    def charge(self, count: float = 1) -> None:
        for rate in self._rates:
            rate.charge(self._of(VISIT.get()), count, monotonic())

    def take(self, count: float = 1) -> None:
        self.check()
        self.charge(count)


def of_address(visit: Visit) -> bytes:
    return visit.account.address.key


def of_client(visit: Visit) -> bytes:
    return visit.account.key
