"""What happens in rooms by itself: computers answer in their turn, and time is called."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from secrets import randbits

from numduel.rooms.actions import call_time, play_for_computer
from numduel.rooms.kept_rooms import Alter
from numduel.rooms.live import Live
from numduel.rooms.room import Room
from numduel.rooms.steady_time import now
from numduel.rooms.tasks import Tasks, patiently
from numduel.thinking.questions import position
from numduel.thinking.thinkers import Thinkers

_PAUSES = (0.2, 0.4, 0.8, 1.6)
"""Seconds after which a computer asks again while all thinkers are busy."""
_AFTER_FLAG = 0.02  # seconds


class Computers:
    """Plays wherever a computer is to move, and watches clocks: tasks on one event loop."""

    def __init__(
        self,
        thinkers: Thinkers,
        tasks: Tasks,
        live: Live,
        look: Callable[[str], Awaitable[Room]],
        change: Callable[[str, Alter], Awaitable[Room]],
    ) -> None:
        self._thinkers, self._tasks, self._live = thinkers, tasks, live
        self._look, self._change = look, change

    def see(self, room: Room) -> None:
        """How a room stands. If a computer is to move, it will; if a clock runs, it is watched."""
        if room.waits_for_computer:
            self._tasks.run(("computer", room.code), lambda: self._play(room.code))
        if room.clock_runs:
            self._tasks.run(("clock", room.code), lambda: self._watch_clock(room.code))

    async def _play(self, code: str) -> None:
        """Play until a person is to move. Without a move in time, the computer gives up."""
        room = await self._look(code)
        while room.waits_for_computer:
            text = await self._choose(room)
            play = partial(play_for_computer, version=room.version, text=text)
            room = await self._change(code, play)

    async def _watch_clock(self, code: str) -> None:
        with self._live.watch(code) as news:
            room = await self._look(code)
            while room.clock is not None and room.clock_runs:
                left = room.clock.remaining(room.player, room.player, now())
                try:
                    async with asyncio.timeout(left + _AFTER_FLAG):
                        await news.next()
                    room = await self._look(code)
                except TimeoutError:
                    room = await self._change(code, call_time)

    async def _choose(self, room: Room) -> str | None:
        ask, board, word = self._thinkers.ask, str(room.board), room.seats[room.player].player
        chosen = await patiently(
            lambda: ask(position.move, board=board, player=word, seed=randbits(48)), _PAUSES
        )
        return None if chosen is None else chosen["move"]
