"""Turns in fair order: who has taken least since they came is next."""

import asyncio
from collections.abc import Generator
from math import inf
from time import monotonic
from types import coroutine
from typing import Any

_COUNTED = 1.0
"""Seconds that somebody who comes to wait has taken more than the others, at most."""


class Account:
    """Of an address, or of a client there, whose `address` is the account it belongs to."""

    __slots__ = ("address", "asked", "classes", "clients", "key", "past", "served", "taken", "used")

    def __init__(self, key: bytes, address: "Account | None" = None) -> None:
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
        self._inside: dict[Account, int] = {}
        self._waiting: dict[Account, list[tuple[Account, asyncio.Future[None]]]] = {}
        self._served = 0.0

    def enter(self, account: Account) -> bool:
        """Go on at once, where that may be; `leave` ends it."""
        if self._all_wait or not self._has_room(account.address):
            return False
        self._begin(account.address)
        return True

    @coroutine
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

    def leave(self, account: Account) -> None:
        address = account.address
        self._count -= 1
        if left := self._inside.pop(address) - 1:
            self._inside[address] = left
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
                self._begin(address)
                turn.set_result(None)

    def _begin(self, address: Account) -> None:
        self._count += 1
        self._inside[address] = self._inside.get(address, 0) + 1

    def _has_room(self, address: Account) -> bool:
        return (
            self._count < self._most
            and self._inside.get(address, 0) < self._each
            and (self._count < self._past or address.past <= monotonic())
        )
