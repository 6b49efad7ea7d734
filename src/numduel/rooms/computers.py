"""The computers that play in rooms: they think in other processes, and answer in their turn."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from secrets import randbits

from numduel.errors import NumduelError, TooBusy, TooManyRequests
from numduel.rooms.room import Room
from numduel.rooms.tasks import Tasks
from numduel.thinking.questions import position
from numduel.thinking.thinkers import Thinkers

_PAUSES = (0.2, 0.4, 0.8, 1.6)
"""Seconds after which a computer asks again while all thinkers are busy."""


class Computers:
    """Plays wherever a computer is to move: one task a room, on one event loop.

    `look` gives a room, `play` what `Rooms.play_for_computer` does.
    """

    def __init__(
        self,
        thinkers: Thinkers,
        tasks: Tasks,
        look: Callable[[str], Awaitable[Room]],
        play: Callable[[str, int, str | None], Awaitable[Room]],
    ) -> None:
        self._thinkers = thinkers
        self._tasks = tasks
        self._look = look
        self._play_in_room = play

    def see(self, room: Room) -> None:
        """How a room stands. If a computer is to move, it will."""
        if room.waits_for_computer:
            self._tasks.run(("computer", room.code), lambda: self._play(room.code))

    async def settle(self, code: str, seconds: float) -> None:
        """Wait until no computer is to move in the room, or else for so long."""
        await self._tasks.wait(("computer", code), seconds)

    async def _play(self, code: str) -> None:
        """Play until a person is to move. Without a move in time, the computer gives up."""
        room = await self._look(code)
        while room.waits_for_computer:
            move = await self._choose(room)
            room = await self._play_in_room(code, room.version, move)

    async def _choose(self, room: Room) -> str | None:
        """A move; None where none is found. Who has no thinking left waits for the computer."""
        word, board = room.seats[room.player].player, str(room.board)
        pauses = iter(_PAUSES)
        while True:
            try:
                chosen = await self._thinkers.ask(
                    position.move, board=board, player=word, seed=randbits(48)
                )
                return chosen["move"]
            except TooManyRequests as error:
                await asyncio.sleep(error.seconds)
            except TooBusy:
                pause = next(pauses, None)
                if pause is None:
                    return None
                await asyncio.sleep(pause)
            except NumduelError:
                return None
