"""Classes for tests: a teacher, pupils, and what they do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from numduel import Board
from numduel.classes import Classes, RoundPlan, SchoolClass
from numduel.rooms import Lobby, Play, Resign, Room, new_token
from rooms.lobbies import Thinking, running

BOARD = Board.parse("divisor-duel:60")
PLAN = RoundPlan(BOARD)


class Taught:
    """A class, whose teacher has always seen how it stands; pupils are known by their names."""

    def __init__(self, lobby: Lobby, code: str, teacher: str) -> None:
        self.lobby, self.code, self.teacher = lobby, code, teacher
        self.classes = Classes(lobby)
        self.tokens: dict[str, str] = {}

    async def join(self, *names: str) -> None:
        for name in names:
            self.tokens[name] = new_token()
            await self.classes.join(self.code, self.tokens[name], name)

    async def teach(self, what: str, *values: Any) -> SchoolClass:
        """A teacher's change of what everybody sees."""
        version = (await self.look()).version
        return await getattr(self.classes, what)(self.code, self.teacher, version, *values)

    async def look(self, name: str | None = None) -> SchoolClass:
        """What the pupil sees; None for the teacher."""
        token = self.teacher if name is None else self.tokens[name]
        return await self.classes.look(self.code, token)

    async def number(self, name: str) -> int:
        seen = await self.look(name)
        assert seen.me is not None
        return seen.me.number

    async def room(self, name: str) -> Room:
        """Where the pupil plays now."""
        (table,) = (await self.look(name)).tables
        return await self.lobby.look(table.room)

    async def rooms(self) -> list[Room]:
        return [*(await self.classes.wall(self.code, self.teacher)).rooms.values()]

    async def names(self) -> list[tuple[str | None, str | None]]:
        """Who meets whom now; None for a computer."""
        seen = await self.look()
        return [
            (seen.name_of(one), seen.name_of(two))
            for one, two in (table.pupils for table in seen.tables)
        ]

    async def play(self, name: str, move: str) -> Room:
        room = await self.room(name)
        return await self.lobby.act(room.code, self.tokens[name], room.version, Play(move))

    async def resign(self, name: str) -> Room:
        room = await self.room(name)
        return await self.lobby.act(room.code, self.tokens[name], room.version, Resign())

    async def to_move(self, room: Room) -> str:
        """The pupil to move in the room."""
        return next(n for n, token in self.tokens.items() if room.seat_of(token) == room.player)


@asynccontextmanager
async def teaching(
    place: str, *names: str, thinking: Thinking | None = None
) -> AsyncIterator[Taught]:
    """A class with these pupils, in a lobby of its own."""
    async with running(place, thinking) as lobby:
        teacher = new_token()
        taught = Taught(lobby, (await Classes(lobby).open(teacher)).code, teacher)
        await taught.join(*names)
        yield taught
