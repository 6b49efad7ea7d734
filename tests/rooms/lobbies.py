"""Lobbies for tests, and thinkers that answer in this process."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from threading import enumerate as threads
from typing import Any, cast

from sqlalchemy import text

from numduel import Board
from numduel.errors import TooBusy, TooManyRequests
from numduel.rooms import GONE, Action, Bounds, Lobby, Room, Terms, Watching
from numduel.store.database import Database
from numduel.thinking.questions import position
from numduel.thinking.thinkers import Thinkers
from patience import PATIENT

DUEL = Board.parse("divisor-duel:60")
LEVEL = Terms(DUEL, ("person", "level:3"))


class Thinking:
    """Answers as thinkers do, by the same questions; a test says when, and when not."""

    def __init__(self) -> None:
        self.asked: list[tuple[Callable[..., Any], dict[str, Any]]] = []
        self.allowed = asyncio.Event()
        self.allowed.set()
        self.busy = 0
        self.refused = 0
        self.error: Exception | None = None

    async def ask(self, question: Callable[..., Any], /, **values: Any) -> Any:
        self.asked.append((question, values))
        if question is position.move:
            await self.allowed.wait()
            if self.busy:
                self.busy -= 1
                raise TooBusy()
            if self.refused:
                self.refused -= 1
                raise TooManyRequests(what="questions", seconds=0.01)
            if self.error is not None:
                raise self.error
        return question(**values)

    @property
    def moves_asked(self) -> list[str]:
        return [values["board"] for question, values in self.asked if question is position.move]


@asynccontextmanager
async def running(
    place: str, thinking: Thinking | Thinkers | None = None, bounds: Bounds | None = None
) -> AsyncIterator[Lobby]:
    """A lobby that is started and closed, its thinkers too; afterwards nothing of it is left."""
    before, there = asyncio.all_tasks(), {*threads()}
    if isinstance(thinking, Thinkers):
        await thinking.start()
    lobby = Lobby(place, cast("Thinkers", thinking or Thinking()), bounds)
    try:
        await lobby.start()
        yield lobby
    finally:
        await lobby.close()
        if isinstance(thinking, Thinkers):
            await thinking.close()
    assert asyncio.all_tasks() <= before
    left = {*threads()} - there
    assert not [thread for thread in left if thread.name.startswith("numduel-")]


async def do_in(lobby: Lobby, code: str, token: str | None, action: Action) -> Room:
    return await lobby.act(code, token, (await lobby.look(code)).version, action)


def write(place: str, statement: str) -> None:
    """Change what the database holds, behind the lobby's back."""
    database = Database(place)
    with database.writing() as connection:
        connection.execute(text(statement))
    database.close()


async def heard(watching: Watching) -> int:
    return await asyncio.wait_for(watching.next(), PATIENT)


async def until(lobby: Lobby, code: str, version: int) -> Room:
    """The room once it has at least this version, as its news say."""
    with lobby.live.watch(code) as news:
        room = await lobby.look(code)
        while room.version < version:
            assert await heard(news) != GONE
            room = await lobby.look(code)
        return room
