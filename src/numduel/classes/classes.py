"""Classes for an event loop, beside the lobby whose rooms they are. Pages call this alone."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import repeat
from time import monotonic
from typing import TypeVar
from zlib import crc32

from numduel.classes.actions import Action, NextRound, StartRound
from numduel.classes.kept_classes import KeptClasses
from numduel.classes.learned import Count, Figures, Learned, Seen, counted, judged
from numduel.classes.parts import UNKNOWN, Played, Round
from numduel.classes.roster import Join
from numduel.classes.school_class import SchoolClass, Wall
from numduel.errors import NotSeated, UnknownClass
from numduel.match import write_notation
from numduel.rooms.kept_rooms import Rooms
from numduel.rooms.lobby import Lobby
from numduel.rooms.tasks import patiently
from numduel.rooms.tokens import is_class_code
from numduel.thinking.meter import VISIT, Quota, of_address, of_client, with_address
from numduel.thinking.questions import looking_back, position
from numduel.thinking.turns import Rate

AWAY = 60.0  # seconds after which a pupil whose page is gone is away
_PATIENCE = 2.0  # seconds that what was learned waits for matches that are not judged yet
_AT_ONCE = 4  # matches of one class that thinkers are asked about at once
_COUNTED_AT_ONCE = 20
_JUDGED = "yes"
_AGAIN = 0.5  # seconds after which thinkers who had too much to do are asked again
_MOST_CODES = 10_000
_MARKS = 2**12
_Result = TypeVar("_Result")


def _address() -> bytes:
    return of_address(VISIT.get())


def _add(codes: set[_Result], code: _Result) -> None:
    if len(codes) >= _MOST_CODES:
        codes.clear()
    codes.add(code)


class WrongCodes:
    """Counts wrong codes of each client; of all at an address, five times as many.

    A client that has named too many hears no more whether a class exists, unless the token belongs
    to it, or somebody of that class has come from the same address: a pupil who guesses does not
    shut out the others.
    """

    def __init__(self, at_once: int = 60, per_minute: int = 10) -> None:
        self._quota = Quota("wrong codes", *with_address(of_client, per_minute, 60, at_once))
        self._been: set[str] = set()  # when a class ends, all its pages ask for it once more
        self._known: set[tuple[bytes, str]] = set()  # where somebody of which class has come from

    def check(self, code: str = "") -> None:
        """Raise `TooManyRequests` for a client that has named too many."""
        if (_address(), code) not in self._known:
            self._quota.check()

    def know(self, code: str) -> None:
        _add(self._known, (_address(), code))

    @contextmanager
    def counted(self, code: str) -> Iterator[None]:
        """The class is asked for in the block. Whether it exists is said to few guesses only."""
        try:
            if not is_class_code(code):
                raise UnknownClass(code=code)
            yield
        except UnknownClass:
            if code not in self._been:
                self._quota.take()
            raise
        except NotSeated:
            self.check(code)
            raise
        else:
            _add(self._been, code)


class Classes:
    """What a front end calls. All but `open` raise `UnknownClass`.

    Whoever asks is known by a token: a teacher's, a pupil's, or none. What comes back is what
    that person may see. `version` is that of the class which a teacher has seen; where it has
    changed since, nothing is done (`NotAllowed`, "class moved on").
    """

    _kept: KeptClasses

    def __init__(
        self,
        lobby: Lobby,
        wrong_codes: WrongCodes | None = None,
        tables_per_hour: int = 6_000,
        classes_per_hour: int = 60,
        joins_at_once: int = 20,
    ) -> None:
        self._lobby = lobby
        self._wrong_codes = wrong_codes or WrongCodes()
        self._tables, self._opening = (
            Quota(what, (of_address, Rate(count, 3_600, count)))
            for what, count in (("rounds", tables_per_hour), ("classes", classes_per_hour))
        )
        self._joins = Rate(1, 1, joins_at_once)
        lobby.when_open(self._begin)

    def _begin(self, rooms: Rooms) -> None:
        self._kept = KeptClasses(rooms)
        self._lobby.class_match_over = self._begin_judging

    async def open(self, token: str) -> SchoolClass:
        self._opening.take()
        opened = await self._lobby.change(lambda _: self._kept.open(token))
        VISIT.get().holds(token, opened.code)
        return opened

    async def look(self, code: str, token: str | None) -> SchoolClass:
        """The class. News of it come to `lobby.live` under its code."""
        seen = await self._read(code, lambda kept: kept.look(code, token))
        if seen.me is None and not seen.teaches:
            self._wrong_codes.check(code)
            return seen
        VISIT.get().holds(token, code)
        self._wrong_codes.know(code)
        if seen.me is not None:
            with self._lobby.presence.at(code, seen.me.number, AWAY):
                pass  # a page without scripts looks again before that is over
        return seen

    async def wall(self, code: str, token: str | None, boards: bool = True) -> Wall:
        """The class for a teacher, with the boards of the last round, or without."""
        wall = await self._read(code, lambda kept: kept.wall(code, token, boards))
        self._wrong_codes.know(code)
        away = self._away(wall.school_class)
        # It stands for who is away too, the same on every server.
        mark = crc32(repr(sorted(away)).encode()) % _MARKS
        return wall._replace(version=wall.version * _MARKS + mark, away=away)

    def _away(self, school_class: SchoolClass) -> frozenset[int]:
        numbers = [pupil.number for pupil in school_class.pupils]
        return self._lobby.presence.away(school_class.code, numbers, AWAY)

    async def wall_version(self, code: str, token: str | None) -> int:
        """It grows with all that the wall shows."""
        return (await self.wall(code, token, boards=False)).version

    async def seen(self, code: str, token: str | None, rules: str) -> dict[int, Seen]:
        """What matches told of a game, for a teacher; for pupils of the one on the map."""
        await self._count(code)
        return await self._read(code, lambda kept: kept.seen(code, token, rules))

    async def learned(self, code: str, token: str | None) -> list[tuple[Round, Learned]]:
        """What was learned in each round, for a teacher; it says what is not judged yet."""
        await self._count(code)
        found = await self._read(code, lambda kept: kept.learned(code, token))
        unsolved = await self._read(code, lambda kept: kept.to_solve(code))
        if not unsolved and not any(one.figures.waiting for _, one in found):
            return found
        self._begin_judging(code)
        await self._lobby.tasks.wait(("judging", code), _PATIENCE)
        return await self._read(code, lambda kept: kept.learned(code, token))

    async def figures(self, code: str, token: str | None) -> dict[tuple[int, int], Figures]:
        """What was counted of each pupil in each round, for a teacher."""
        return await self._read(code, lambda kept: kept.figures(code, token))

    async def act(self, code: str, token: str | None, version: int, action: Action) -> SchoolClass:
        """What somebody does, who has seen this version. Raises what is wrong with it."""
        joins, from_there = False, _address() + code.encode()
        if action.opens:  # rooms are few
            self._tables.check()
        if action.looks_first or not action.by:
            seen = await self.look(code, token)
            if action.by:
                seen.check(action.by, token)
            if joins := isinstance(action, Join) and not (seen.me or seen.door):
                self._joins.check(from_there, "new pupils", monotonic())
                if action.again:  # who tries out names does not know any
                    self._joins.charge(from_there, 1, monotonic())
                    joins = False
            if isinstance(action, StartRound | NextRound):
                action = replace(action, away=self._away(seen))
        await action.prepare(self._lobby)
        done = False
        while not done:
            with self._wrong_codes.counted(code):
                after, rooms = await self._lobby.change(
                    lambda _: self._kept.act(code, token, version, action)
                )
            if opened := sum(room.version == 1 for room in rooms):
                self._tables.charge(opened)
            for room in rooms:
                self._lobby.go_on(room)
            asks = after.teaches and after.question is not None and after.question.winning is None
            if asks or any(room.over or room.held for room in rooms):
                self._begin_judging(code)
            done = action.is_done(after)
        if after.me is not None or after.teaches:
            VISIT.get().holds(token, code)
        if joins:  # a name that was refused does not count
            self._joins.charge(from_there, 1, monotonic())
        return after

    async def end(self, code: str, token: str | None) -> None:
        """A teacher ends the class: all of it is deleted now."""
        with self._wrong_codes.counted(code):
            while not await self._lobby.change(lambda _: self._kept.end(code, token)):
                pass

    async def _read(self, code: str, read: Callable[[KeptClasses], _Result]) -> _Result:
        with self._wrong_codes.counted(code):
            return await self._lobby.read(lambda _: read(self._kept))

    def _begin_judging(self, code: str) -> None:
        """Count and judge what is over: one task a class, which ends with the lobby. What a server
        that was killed has left is done when somebody asks what came of it.
        """
        self._lobby.tasks.run(("judging", code), lambda: self._judge(code))

    async def _count(self, code: str) -> None:
        """Each match is read once, when it is over: what a page costs does not grow with them."""
        while found := await self._read(code, lambda kept: kept.over(code, _COUNTED_AT_ONCE)):
            await self._add(code, {one.id: counted(one) for one in found}, "")

    async def _judge(self, code: str) -> None:
        VISIT.set(VISIT.get().for_class())  # whoever's match was over first does not pay for all
        await self._count(code)
        while few := await self._read(code, lambda kept: kept.over(code, _AT_ONCE, counted=True)):
            counts = await asyncio.gather(*map(self._judged, few))
            found = dict(zip((one.id for one in few), counts, strict=True))
            await self._add(code, found, _JUDGED)
        for number, board in (await self._read(code, lambda kept: kept.to_solve(code))).items():
            await self._solve(code, number, str(board))

    async def _judged(self, played: Played) -> Count:
        """What is found in it, however long thinkers refuse to look at it."""
        ask, match = self._lobby.thinkers.ask, write_notation(played.record)
        told = await patiently(lambda: ask(looking_back.analysis, match=match), repeat(_AGAIN))
        return judged(played, told)

    async def _solve(self, code: str, number: int, board: str) -> None:
        ask, most = self._lobby.thinkers.ask, position.MOST
        told = await patiently(
            lambda: ask(position.verdict, board=board, most=most), repeat(_AGAIN)
        )
        winning = " ".join(told["winning_moves"]) if told and told["complete"] else UNKNOWN
        await self._lobby.change(lambda _: self._kept.keep_solved(code, number, winning))

    async def _add(self, code: str, found: dict[int, Count], judged: str) -> None:
        await self._lobby.change(lambda _: self._kept.add(code, found, judged))
