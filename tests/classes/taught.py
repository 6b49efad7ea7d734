"""Classes for tests: a teacher, pupils, and what they do."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from sqlalchemy import select

from loops import on_loop
from numduel import Board
from numduel.classes import Classes, RoundPlan, SchoolClass
from numduel.classes.actions import Action, NextRound, StartRound
from numduel.classes.roster import Admit, Invite, Join
from numduel.rooms import Action as RoomAction
from numduel.rooms import Bounds, Lobby, Play, Resign, Room, new_token
from numduel.rooms.kept_rooms import Rooms
from numduel.solver import Search
from numduel.store.schema import MATCHES
from rooms.lobbies import Thinking, running

BOARD = Board.parse("divisor-duel:60")
PLAN = RoundPlan(BOARD)
LONG = Board.parse("subtract-1-to-60:90")
"""It has 60 moves: in four rounds of 15 matches, no two are the same."""


_NAMES = select(MATCHES.c.name_1, MATCHES.c.name_2)


class Taught:
    """A class, whose teacher has always seen how it stands; pupils are known by their names."""

    def __init__(self, lobby: Lobby, code: str, teacher: str) -> None:
        self.lobby, self.code, self.teacher = lobby, code, teacher
        self.classes = Classes(lobby, joins_at_once=1000)
        self.tokens: dict[str, str] = {}

    async def join(self, *names: str) -> None:
        """Each comes, and is let in where the door is locked."""
        for name in names:
            self.tokens[name] = new_token()
            seen = await self.do(name, Join(name))
            for waiting in seen.door:
                await self.teach(Admit(waiting.number))

    async def teach(self, action: Action) -> SchoolClass:
        version = (await self.look()).version
        return await self.classes.act(self.code, self.teacher, version, action)

    async def do(self, name: str, action: Action) -> SchoolClass:
        return await self.classes.act(self.code, self.tokens[name], 0, action)

    async def invite(self) -> str:
        secret = new_token()
        await self.teach(Invite(secret))
        return secret

    async def look(self, name: str | None = None) -> SchoolClass:
        """What the pupil sees; None for the teacher."""
        token = self.teacher if name is None else self.tokens[name]
        return await self.classes.look(self.code, token)

    async def number(self, name: str) -> int:
        seen = await self.look(name)
        assert seen.me is not None
        return seen.me.number

    async def room(self, name: str) -> Room:
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

    async def names_in_records(self) -> list[tuple[str, str]]:
        """Of all matches that this history holds."""

        def read(rooms: Rooms) -> list[tuple[str, str]]:
            with rooms.database.reading() as connection:
                return [(row[0], row[1]) for row in connection.execute(_NAMES)]

        return await self.lobby.read(read)

    async def play(self, name: str, move: str) -> Room:
        return await self._play(name, Play(move))

    async def resign(self, name: str) -> Room:
        return await self._play(name, Resign())

    async def _play(self, name: str, action: RoomAction) -> Room:
        room = await self.room(name)
        return await self.lobby.act(room.code, self.tokens[name], room.version, action)

    async def to_move(self, room: Room) -> str:
        return next(n for n, token in self.tokens.items() if room.seat_of(token) == room.player)


@asynccontextmanager
async def teaching(
    place: str, *names: str, thinking: Thinking | None = None, bounds: Bounds | None = None
) -> AsyncIterator[Taught]:
    async with running(place, thinking, bounds) as lobby:
        teacher = new_token()
        taught = Taught(lobby, (await Classes(lobby).open(teacher)).code, teacher)
        await taught.join(*names)
        yield taught


def class_of(*names: str) -> Callable[[Callable[[Taught], Awaitable[None]]], Callable[[str], None]]:
    """The test is given a class with these pupils, on each kind of database."""

    def decorated(test: Callable[[Taught], Awaitable[None]]) -> Callable[[str], None]:
        @on_loop
        async def run(place: str) -> None:
            async with teaching(place, *names) as taught:
                await test(taught)

        return run

    return decorated


async def four_rounds(taught: Taught) -> None:
    """Whoever begins makes a move, the other takes 1, and the first one gives up."""
    moves = list(map(LONG.write_move, LONG.moves()))
    for number in range(4):
        await taught.teach(NextRound() if number else StartRound(RoundPlan(LONG)))
        for room in await taught.rooms():
            name = await taught.to_move(room)
            for move in (moves.pop(0), "1"):
                token = taught.tokens[await taught.to_move(room)]
                room = await taught.lobby.act(room.code, token, room.version, Play(move))
            await taught.lobby.act(room.code, taught.tokens[name], room.version, Resign())


def kept_in_four_rounds() -> list[tuple[int, int]]:
    """Wins kept there in each round, and to keep, by plain search: there is always a choice."""
    search, figures = Search(), []
    for first in LONG.moves():
        after = LONG.play(first)
        last = after.play(after.parse_move("1"))
        had = [board for board in (LONG, after) if not search.lost(board)]
        left = [next for board, next in ((LONG, after), (after, last)) if board in had]
        figures.append((sum(map(search.lost, left)), len(had)))
    rounds = [figures[at : at + 15] for at in range(0, 60, 15)]
    return [(sum(kept for kept, _ in one), sum(of for _, of in one)) for one in rounds]
