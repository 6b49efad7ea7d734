"""Questions that wait for a thinker, in fair order: an asker with many delays only itself."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from numduel.errors import NumduelError, TooBusy
from numduel.thinking.meter import Visit
from numduel.thinking.turns import Account


@dataclass(slots=True, eq=False)
class Asked:
    question: str
    request: bytes
    asker: Visit
    line: "WaitingLine"
    reply: asyncio.Future[bytes]
    lost: int = 0
    """How many processes ended while they worked on it."""

    def tell(self, reply: bytes | NumduelError) -> None:
        """Hand over what came of it, unless nobody waits for it any more."""
        if self.reply.done():
            return
        if isinstance(reply, bytes):
            self.reply.set_result(reply)
        else:
            self.reply.set_exception(reply)

    def expire(self) -> None:
        if self in self.line:
            self.tell(TooBusy())


_numbers = count(1)


class WaitingLine:
    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: list[Asked] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, asked: Asked) -> bool:
        return asked in self._waiting

    def add(self, asked: Asked) -> None:
        """Stand in line. Raises `TooBusy` where nobody else has to give way."""
        if len(self._waiting) >= self._most:
            self._make_room(asked.asker.account.address)
        self._waiting.append(asked)

    def take(self, may: Callable[[Asked], bool] = lambda _: True) -> Asked | None:
        """The next of those that may be taken.

        Whoever is within their share comes first, then the address that was served longest ago,
        and the client there.
        """
        taken = min(filter(may, self._waiting), key=_order, default=None)
        if taken is not None:
            self._waiting.remove(taken)
            account = taken.asker.account
            account.asked = account.address.asked = next(_numbers)
        return taken

    def put_back(self, asked: Asked) -> None:
        """It could not be worked on: it is next again."""
        self._waiting.insert(0, asked)
        account = asked.asker.account
        account.asked = account.address.asked = 0

    def remove(self, asked: Asked) -> None:
        if asked in self._waiting:
            self._waiting.remove(asked)

    def tell_all(self, problem: NumduelError) -> None:
        for asked in self._waiting:
            asked.tell(problem)

    def _make_room(self, address: Account) -> None:
        """Drop the newest question of the address with the most, unless that one asks now."""
        waiting = Counter(asked.asker.account.address for asked in self._waiting)
        greedy, most = waiting.most_common(1)[0] if waiting else (address, 0)
        if most <= waiting[address] + 1:
            raise TooBusy()
        last = next(a for a in reversed(self._waiting) if a.asker.account.address is greedy)
        self._waiting.remove(last)
        last.tell(TooBusy())


def _order(asked: Asked) -> tuple[bool, int, int]:
    account = asked.asker.account
    return asked.asker.is_past, account.address.asked, account.asked
