"""Questions that wait for a thinker, in fair order: an asker with many delays only itself."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count

from numduel.errors import NumduelError, TooBusy

ASKER: ContextVar[bytes] = ContextVar("ASKER", default=b"")
"""Who asks, for sharing the thinkers fairly. Tasks ask for whoever started them."""

STEP_ASIDE: ContextVar[Callable[[], None]] = ContextVar("STEP_ASIDE", default=lambda: None)
"""Called before a wait for something that the event loop does not do itself, however long it takes:
a server that counts a client's requests then lets the next one in."""

_MOST_SERVED = 1_000


@dataclass(slots=True, eq=False)
class Asked:
    question: str
    request: bytes
    asker: bytes
    line: WaitingLine
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


class WaitingLine:
    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: list[Asked] = []
        self._served: dict[bytes, int] = {}
        self._numbers = count(1)

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, asked: Asked) -> bool:
        return asked in self._waiting

    def add(self, asked: Asked) -> None:
        """Stand in line. Raises `TooBusy` where nobody else has to give way."""
        if len(self._waiting) >= self._most:
            self._make_room(asked.asker)
        self._waiting.append(asked)

    def take(self) -> Asked:
        """A question of the asker who was served longest ago. The line must not be empty."""
        taken = min(self._waiting, key=lambda asked: self._served.get(asked.asker, 0))
        self._waiting.remove(taken)
        self._served.pop(taken.asker, None)  # so that the dictionary is in order of service
        self._served[taken.asker] = next(self._numbers)
        if len(self._served) > _MOST_SERVED:
            del self._served[next(iter(self._served))]
        return taken

    def put_back(self, asked: Asked) -> None:
        """It could not be worked on: it is next again."""
        self._waiting.insert(0, asked)
        self._served.pop(asked.asker, None)

    def remove(self, asked: Asked) -> None:
        if asked in self._waiting:
            self._waiting.remove(asked)

    def tell_all(self, problem: NumduelError) -> None:
        for asked in self._waiting:
            asked.tell(problem)

    def _make_room(self, asker: bytes) -> None:
        """Drop the newest question of the asker with the most, unless that one is asking now."""
        waiting = Counter(asked.asker for asked in self._waiting)
        greedy, most = waiting.most_common(1)[0] if waiting else (asker, 0)
        if most <= waiting[asker] + 1:
            raise TooBusy()
        last = next(asked for asked in reversed(self._waiting) if asked.asker == greedy)
        self._waiting.remove(last)
        last.tell(TooBusy())
