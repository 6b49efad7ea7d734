"""Judges the matches of classes as they end, a few at a time, and keeps what is found.

A refusal of the thinkers is waited out: a match stays in line until it is judged. What a
server that was killed has left is judged when somebody asks what was learned.
"""

from __future__ import annotations

import asyncio
from functools import partial

from numduel.classes.learned import TOO_HARD, is_settled, judged_text
from numduel.errors import NumduelError, TooBusy, TooManyRequests
from numduel.match import Record, write_notation
from numduel.rooms.kept_rooms import Rooms
from numduel.rooms.lobby import Lobby
from numduel.store.news import MORE, wall_of
from numduel.thinking.questions import looking_back

_AT_ONCE = 4
"""Matches of one class that thinkers are asked about at once."""
_AGAIN = 0.5
"""Seconds after which thinkers who had too much to do are asked again."""


class Judging:
    """One task a class, which ends with the lobby, or when nothing is left to judge."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    def begin(self, code: str) -> None:
        """Judge what is over and not judged yet."""
        self._lobby.tasks.run(("judging", code), lambda: self._judge(code))

    async def wait(self, code: str, seconds: float) -> None:
        """Wait until all of it is judged, or else for so long."""
        await self._lobby.tasks.wait(("judging", code), seconds)

    async def _judge(self, code: str) -> None:
        waiting = await self._lobby.read(lambda rooms: _waiting(rooms, code))
        for at in range(0, len(waiting), _AT_ONCE):
            few = waiting[at : at + _AT_ONCE]
            judged = await asyncio.gather(*(self._judged(record) for _, record in few))
            found = {number: text for (number, _), text in zip(few, judged, strict=True)}
            await self._lobby.change(partial(_keep, code=code, found=found))

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


def _waiting(rooms: Rooms, code: str) -> list[tuple[int, Record]]:
    """The matches of the class that are over and not judged, with their numbers."""
    kept = rooms.classes.load(code)
    rounds = {table.room: kept.rounds[table.round - 1] for table in kept.tables}
    return [
        (one.id, one.record)
        for one in rooms.classes.records(code)
        if one.judged is None and one.room in rounds and is_settled(one.record, rounds[one.room])
    ]


def _keep(rooms: Rooms, code: str, found: dict[int, str]) -> None:
    with rooms.writing() as connection:
        rooms.classes.keep_judged(connection, code, found)
        rooms.when_durable(lambda: rooms.tell(wall_of(code), MORE))
