"""Judges the matches of classes as they end, a few at a time, and keeps what is found.

A refusal of the thinkers is waited out: a match stays in line until it is judged. What a
server that was killed has left is judged when somebody asks what was learned.
"""

from __future__ import annotations

import asyncio
from functools import partial

from numduel.classes.kept_classes import KeptClasses
from numduel.classes.learned import TOO_HARD, judged_text
from numduel.errors import NumduelError, TooBusy, TooManyRequests
from numduel.match import Record, write_notation
from numduel.rooms.kept_rooms import Rooms
from numduel.rooms.lobby import Lobby
from numduel.thinking.questions import looking_back

_AT_ONCE = 4
"""Matches of one class that thinkers are asked about at once."""
_AGAIN = 0.5
"""Seconds after which thinkers who had too much to do are asked again."""


class Judging:
    """One task a class, which ends with the lobby, or when nothing is left to judge."""

    def __init__(self, lobby: Lobby, kept: KeptClasses) -> None:
        self._lobby, self._kept = lobby, kept

    def begin(self, code: str) -> None:
        """Judge what is over and not judged yet."""
        self._lobby.tasks.run(("judging", code), lambda: self._judge(code))

    async def wait(self, code: str, seconds: float) -> None:
        """Wait until all of it is judged, or else for so long."""
        await self._lobby.tasks.wait(("judging", code), seconds)

    async def _judge(self, code: str) -> None:
        waiting = await self._lobby.read(lambda _: self._kept.to_judge(code))
        for at in range(0, len(waiting), _AT_ONCE):
            few = waiting[at : at + _AT_ONCE]
            judged = await asyncio.gather(*(self._judged(record) for _, record in few))
            found = {number: text for (number, _), text in zip(few, judged, strict=True)}
            await self._lobby.change(partial(self._keep, code, found))

    async def _judged(self, record: Record) -> str:
        """What is to be kept of the match. Who has no thinking left waits for more."""
        while True:
            try:
                told = await self._lobby.thinkers.ask(
                    looking_back.analysis, match=write_notation(record)
                )
                return judged_text(told)
            except TooManyRequests as error:
                await asyncio.sleep(error.seconds)
            except TooBusy:
                await asyncio.sleep(_AGAIN)
            except NumduelError:
                return TOO_HARD

    def _keep(self, code: str, found: dict[int, str], _rooms: Rooms) -> None:
        self._kept.keep_judged(code, found)
