"""Who may go on: turns in fair order, and rates; both kept only in memory."""

import asyncio
from collections.abc import Generator
from math import ceil, inf
from time import monotonic
from types import coroutine
from typing import Any, TypeVar

from numduel.errors import NumduelError, TooBusy, TooManyRequests

MOST_CLIENTS = 50_000
FORGET_SECONDS = 60.0
_COUNTED = 1.0  # seconds that somebody who comes to wait has taken more than the others, at most

T = TypeVar("T")


def newest(known: dict[bytes, T]) -> dict[bytes, T]:
    """Those that were added last: as many as leave room for more."""
    return dict(list(known.items())[-MOST_CLIENTS * 9 // 10 :])


class Account:
    """Of an address, or of a client there, whose `address` is the account it belongs to."""

    __slots__ = ("address", "classes", "clients", "key", "past", "served", "taken", "used")

    def __init__(self, key: bytes, address: "Account | None" = None) -> None:
        self.key = key
        self.address = address or self
        self.taken = self.served = 0.0  # seconds taken; what the client served last had taken
        self.past = 0.0  # until when the address is past its share
        self.used = 0
        self.clients: dict[bytes, Account] = {}
        self.classes: set[bytes] = set()

    def come(self, served: float) -> None:
        """Wait among others, of whom the last had taken so much: what was long ago is forgotten."""
        self.taken = min(max(self.taken, served), served + _COUNTED)


class Turns:
    """At most `most` at once, `each` of them for one address; beyond `past`, only for those within
    their share. Whoever waits goes in fair order: those within their share first, then who has
    taken least since they came. At most `waiting` wait. `all_wait`: also who finds nobody there,
    until all who are ready now have come.
    """

    def __init__(
        self,
        most: float,
        each: float = inf,
        past: float = inf,
        waiting: float = inf,
        all_wait: bool = False,
    ) -> None:
        self._most, self._each, self._past, self._all_wait = most, each, past, all_wait
        self._most_waiting = waiting
        self._count = 0
        self._inside: dict[Account, int] = {}
        self._waiting: dict[Account, list[tuple[Account, asyncio.Future[None]]]] = {}
        self._served = 0.0

    def enter(self, account: Account) -> bool:
        """Go on at once, where that may be; `leave` ends it."""
        if self._all_wait or not self.has_room(account):
            return False
        self._begin(account.address)
        return True

    @coroutine
    def wait(self, account: Account) -> Generator[Any, None, None]:
        """Enter, waiting if need be; `leave` unless this raised. `TooBusy` where too many wait."""
        if self.enter(account):
            return
        loop, address = asyncio.get_running_loop(), account.address
        if sum(map(len, self._waiting.values())) >= self._most_waiting:
            self._make_room(address)
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
            if (account, turn) in self._waiting.get(address, ()):
                self._take(address, (account, turn))
            elif turn.done() and not turn.cancelled() and not turn.exception():
                self.leave(account)
            raise

    def leave(self, account: Account) -> None:
        address = account.address
        self._count -= 1
        if left := self._inside.pop(address) - 1:
            self._inside[address] = left
        if self._all_wait:
            asyncio.get_running_loop().call_soon(self._let_in)
        else:
            self._let_in()

    def refuse_all(self, error: NumduelError) -> None:
        while self._waiting:
            for _, turn in self._waiting.popitem()[1]:
                if not turn.done():
                    turn.set_exception(error)

    def _let_in(self) -> None:
        while self._waiting and (free := [one for one in self._waiting if self.has_room(one)]):
            now = monotonic()
            address = min(free, key=lambda one: (one.past > now, one.taken))
            self._served = address.taken
            account, turn = chosen = min(self._waiting[address], key=lambda one: one[0].taken)
            self._take(address, chosen)
            if not turn.done():
                address.served = account.taken
                self._begin(address)
                turn.set_result(None)

    def _take(self, address: Account, chosen: tuple[Account, asyncio.Future[None]]) -> None:
        self._waiting[address].remove(chosen)
        if not self._waiting[address]:
            del self._waiting[address]

    def _make_room(self, address: Account) -> None:
        """Refuse the newest of the address with the most who wait, unless that is this one."""
        waiting = self._waiting
        greedy = max(waiting, key=lambda one: len(waiting[one]), default=address)
        if len(waiting.get(greedy, ())) <= len(waiting.get(address, ())) + 1:
            raise TooBusy()
        _, turn = waiting[greedy].pop()
        if not turn.done():
            turn.set_exception(TooBusy())

    def _begin(self, address: Account) -> None:
        self._count += 1
        self._inside[address] = self._inside.get(address, 0) + 1

    def has_room(self, account: Account) -> bool:
        address = account.address
        return (
            self._count < self._most
            and self._inside.get(address, 0) < self._each
            and (self._count < self._past or address.past <= monotonic())
        )


class Rate:
    """A bucket of tokens for each client: `burst` at once, `count` more in so many seconds."""

    def __init__(self, count: float, seconds: float, burst: float) -> None:
        self._step = seconds / count
        self._depth = self._step * (burst - 1)
        self._full_at: dict[bytes, float] = {}
        self._forget_at = 0.0

    def take(self, client: bytes, now: float) -> float:
        """Take one token: 0, or if there is none the seconds until there is."""
        seconds = self.wait(client, now)
        if not seconds:
            self.charge(client, 1, now)
        return seconds

    def wait(self, client: bytes, now: float) -> float:
        """The seconds until there is a token; 0 when there is one."""
        return max(0.0, self._full_at.get(client, now) - now - self._depth)

    def check(self, client: bytes, what: str, now: float) -> None:
        """Raise `TooManyRequests` while there is no token."""
        if seconds := self.wait(client, now):
            raise TooManyRequests(what=what, seconds=ceil(seconds))

    def charge(self, client: bytes, tokens: float, now: float) -> None:
        """Take tokens, even more than there are."""
        full_at = max(self._full_at.get(client, now), now)
        if len(self._full_at) >= MOST_CLIENTS or now >= self._forget_at:
            self._forget_at = now + FORGET_SECONDS
            busy = {client: time for client, time in self._full_at.items() if time > now}
            self._full_at = newest(busy)
        self._full_at[client] = full_at + self._step * tokens
