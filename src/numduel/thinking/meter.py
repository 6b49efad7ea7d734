"""What each client's requests take, measured, on one account; and who goes first.

All that is done for an address is on one account: its time on the event loop, in threads and in
thinkers, and the bytes it is sent. While an address is within its share, it is served at once.
Those past it take turns, one step of the event loop at a time, and the one that has taken least
since it came is next: so nobody waits longer than one step of each of the others, and an idle
server keeps nobody waiting. Nothing has to be listed as expensive.

At an address, whoever holds a token of a class or a seat is a client apart, and all the rest are
one. Clients of one address share what it has, so that making tokens gains nothing. What has a hard
limit (thinking, live connections, rooms) is counted by class for its members, since a school is
often one address, otherwise by address. Of a class's thinking and live connections no member has
more than a part, at whatever addresses: the teacher's page needs some too.
"""

import logging
from asyncio import timeout
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Generator, Mapping
from contextvars import ContextVar
from hashlib import blake2b
from math import inf
from operator import attrgetter
from secrets import token_bytes
from time import monotonic, thread_time
from types import coroutine
from typing import Any, ParamSpec, TypeVar

from numduel.thinking.turns import FORGET_SECONDS, MOST_CLIENTS, Account, Rate, Turns, newest

BURST = 0.2  # seconds of the loop that an address has before it waits its turn
HELD = 0.2  # a step of the event loop that takes longer is logged
BYTE = 1e-8  # seconds that a byte counts for: 10 MB are a tenth of a second
MEMBERS = 3  # one member of a class may use a third of its thinking
LEAST = 0.02  # seconds that a question costs at least: handing it over is work too
_TOLD_SECONDS = 600.0
_REMEMBERED = 30.0  # seconds after which an address is within its share again, whatever it took
MOST_SEATS = 64  # holders of seats at one address who are clients apart; the others are one

_SALT = token_bytes(16)
_log = logging.getLogger("numduel")
P = ParamSpec("P")
T = TypeVar("T")


def hidden(*parts: bytes) -> bytes:
    """A hash that means nothing outside this process."""
    return blake2b(b"\0".join(parts), key=_SALT, digest_size=16).digest()


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
        self._holders: OrderedDict[bytes, bytes] = OrderedDict()  # seated tokens and their classes
        self._forget_at = 0.0
        self._told: dict[str, tuple[float, float]] = {}  # by route: what was logged, until when

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

    def visit(self, key: bytes, token: str | None, where: Mapping[str, Any]) -> "Visit":
        """Somebody at this address, with this token; `where` may come to hold a route."""
        now = monotonic()
        if now >= self._forget_at or len(self._addresses) >= MOST_CLIENTS:
            self._forget(now)
        address = self._addresses.get(key)
        if address is None:
            address = self._addresses[key] = Account(key)
        name, limited, member, holds = b"", key, b"", self.class_of(token)
        if holds is not None and token:
            name = hidden(token.encode(), key)
            member = hidden(token.encode()) if holds else b""
            if holds and (holds in address.classes or len(address.classes) < self._classes):
                address.classes.add(holds)
                limited = holds
            elif name not in address.clients and len(address.clients) > MOST_SEATS:
                name = b""
        client = address.clients.get(name)
        if client is None:
            client = address.clients[name] = Account(name or key, address)
        return Visit(self, client, limited, where, member)

    def held(self, where: Mapping[str, Any], seconds: float) -> None:
        """Log what held the loop, by its route's pattern alone; again soon only if it is worse."""
        route = where.get("route") or where.get("endpoint")
        name = str(getattr(route, "path", None) or getattr(route, "__name__", "no page of ours"))
        now = monotonic()
        told, until = self._told.get(name, (0.0, 0.0))
        if now > until or seconds > 2 * told:
            self._told[name] = seconds, now + _TOLD_SECONDS
            _log.error("The event loop was held for %.1f s by %s.", seconds, name)

    def _forget(self, now: float) -> None:
        """Forget who is idle; if too many are not, those who have been here longest."""
        self._forget_at = now + FORGET_SECONDS
        since, known = now - self.depth, self._addresses.items()
        self._addresses = newest({key: one for key, one in known if one.used or one.past > since})
        for one in self._addresses.values():
            one.clients = {key: each for key, each in one.clients.items() if each.used}
            one.classes = set()  # those that go on come again


class Visit:
    """A request or a live connection, and whose it is: `member` of a class, or b""."""

    __slots__ = ("_where", "account", "inside", "limited", "member", "meter")

    def __init__(
        self,
        meter: Meter,
        account: Account,
        limited: bytes,
        where: Mapping[str, Any],
        member: bytes = b"",
    ) -> None:
        self.meter, self.account, self.limited, self._where = meter, account, limited, where
        self.member = member
        self.inside = False

    def for_class(self) -> "Visit":
        """The same for the whole class: no member's own part is used up."""
        return Visit(self.meter, self.account, self.limited, self._where)

    @property
    def is_past(self) -> bool:
        """Has the address taken more than its share?"""
        return self.account.address.past > monotonic()

    def is_past_after(self, thinking: float) -> bool:
        """The same once so many seconds of thinking, not paid for yet, are."""
        now = monotonic()
        return self._past(now, thinking * self.meter.price) > now

    def _past(self, now: float, seconds: float) -> float:
        """Until when the address is past its share once it has taken so much more."""
        meter = self.meter
        return max(self.account.address.past, now - meter.depth) + seconds * meter.stretch

    def pay(self, seconds: float) -> None:
        now, account = monotonic(), self.account
        address = account.address
        account.taken += seconds
        address.taken += seconds
        address.past = min(self._past(now, seconds), now + _REMEMBERED)

    def pay_thinking(self, seconds: float) -> None:
        seconds = max(seconds, LEAST)
        self.pay(seconds * self.meter.price)
        if self.meter.thinking is not None:
            self.meter.thinking.charge(self.limited, seconds, monotonic())
            if self.member:
                self.meter.thinking.charge(self.member, MEMBERS * seconds, monotonic())

    def check_thinking(self) -> None:
        """Raise `TooManyRequests` while client or member has used more thinking than there is."""
        if self.meter.thinking is not None:
            for client in (self.limited, self.member):
                self.meter.thinking.check(client, "questions", monotonic())

    def holds(self, token: str | None, school_class: str = "") -> None:
        """The token was found to have a seat, or to belong to this class."""
        if token and (school_class or self.account.key == self.account.address.key):
            self.meter.remember(token, school_class)

    def paid(self, work: Callable[P, T]) -> Callable[P, T]:
        """The work, in whatever thread: what it takes is charged."""

        def measured(*args: P.args, **kwargs: P.kwargs) -> T:
            begun = thread_time()
            try:
                return work(*args, **kwargs)
            finally:
                self.pay(thread_time() - begun)

        return measured

    async def come_in(self, seconds: float) -> None:
        """Take a place among the requests of this address; `TimeoutError` if that takes longer."""
        if not self.meter.places.enter(self.account):
            async with timeout(seconds):
                await self.meter.places.wait(self.account)
        self.inside = True

    def step_aside(self) -> None:
        """Give the place up: before a wait for what the event loop does not do itself."""
        if self.inside:
            self.inside = False
            self.meter.places.leave(self.account)

    @coroutine
    def run(self, work: Coroutine[Any, Any, T]) -> Generator[Any, None, T]:
        """Do the work, measuring each step of the loop; past its share, each waits for its turn."""
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
                    self.pay(seconds := thread_time() - begun)
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


NOBODY = Meter().visit(b"", None, {})
VISIT: ContextVar[Visit] = ContextVar("VISIT", default=NOBODY)  # a task works for its starter

Whose = Callable[[Visit], bytes]
of_address: Whose = attrgetter("account.address.key")
of_client: Whose = attrgetter("account.key")
of_limited: Whose = attrgetter("limited")
_AT_ADDRESS = 5  # times what a client may have is what all at its address may


class Quota:
    """How many of something may be had, at each of these rates, which say whose they are."""

    def __init__(self, what: str, *rates: tuple[Whose, Rate]) -> None:
        self._what, self._rates = what, rates

    def check(self) -> None:
        """Raise `TooManyRequests` where there is none left."""
        for of, rate in self._rates:
            rate.check(of(VISIT.get()), self._what, monotonic())

    def take(self, count: float = 1) -> None:
        self.check()
        self.charge(count)

    def charge(self, count: float) -> None:
        """Take so many, even if there are fewer."""
        for of, rate in self._rates:
            rate.charge(of(VISIT.get()), count, monotonic())


def with_address(of: Whose, count: float, seconds: float, burst: float) -> list[tuple[Whose, Rate]]:
    """A rate for each of those, and the one for all at their address."""
    both = ((of, 1), (of_address, _AT_ADDRESS))
    return [(whose, Rate(times * count, seconds, times * burst)) for whose, times in both]
