"""Classes for an event loop, beside the lobby whose rooms they are. Pages call this alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from typing import TypeVar

from numduel.classes.actions import Action
from numduel.classes.judging import Judging
from numduel.classes.kept_classes import KeptClasses
from numduel.classes.learned import Learned
from numduel.classes.school_class import Played, Round, SchoolClass, Wall
from numduel.classes.wrong_codes import WrongCodes
from numduel.errors import TooManyRequests, UnknownClass
from numduel.rooms.kept_rooms import Rooms
from numduel.rooms.lobby import Lobby
from numduel.rooms.tokens import is_class_code
from numduel.thinking.rate import Rate
from numduel.thinking.waiting_line import ASKER

_PATIENCE = 2.0
"""Seconds that what was learned waits for matches that are not judged yet."""

_Result = TypeVar("_Result")


class Classes:
    """What a front end calls. All but `open` raise `UnknownClass`.

    Whoever asks is known by a token: a teacher's, a pupil's, or none. What comes back is what
    that person may see. `version` is that of the class which a teacher has seen; where it has
    changed since, nothing is done (`NotAllowed`, "class moved on").
    """

    _kept: KeptClasses
    _judging: Judging

    def __init__(
        self, lobby: Lobby, wrong_codes: WrongCodes | None = None, tables_per_hour: int = 6_000
    ) -> None:
        self._lobby = lobby
        self._wrong_codes = wrong_codes or WrongCodes()
        self._tables = Rate(tables_per_hour, 3_600, tables_per_hour)
        lobby.when_open(self._begin)

    def _begin(self, rooms: Rooms) -> None:
        self._kept = KeptClasses(rooms)
        self._judging = Judging(self._lobby, self._kept)
        self._lobby.class_match_over = self._judging.begin

    async def open(self, token: str) -> SchoolClass:
        """A new class, taught by whoever has the token."""
        return await self._lobby.change(lambda _: self._kept.open(token))

    async def look(self, code: str, token: str | None) -> SchoolClass:
        """The class. News of it come to `lobby.live` under its code."""
        seen = await self._read(code, lambda kept: kept.look(code, token))
        if seen.me is None and not seen.teaches:
            self._wrong_codes.check()
        return seen

    async def wall(self, code: str, token: str | None, boards: bool = True) -> Wall:
        """The class for a teacher, with all boards of the last round, or without.

        News: under `wall_of(code)`.
        """
        return await self._read(code, lambda kept: kept.wall(code, token, boards))

    async def wall_version(self, code: str, token: str | None) -> int:
        """Grows with all that the wall shows. For a teacher."""
        return (await self.wall(code, token, boards=False)).version

    async def records(self, code: str, token: str | None) -> list[Played]:
        """All matches, for a teacher; for a pupil, at the map, those that are over, nameless."""
        return await self._read(code, lambda kept: kept.records(code, token))

    async def learned(self, code: str, token: str | None) -> list[tuple[Round, Learned]]:
        """What was learned in each round, for a teacher; it says what is not judged yet."""
        found = await self._read(code, lambda kept: kept.learned(code, token))
        if any(one.waiting for _, one in found):
            self._judging.begin(code)
            await self._judging.wait(code, _PATIENCE)
            found = await self._read(code, lambda kept: kept.learned(code, token))
        return found

    async def act(self, code: str, token: str | None, version: int, action: Action) -> SchoolClass:
        """What somebody does, who has seen this version. Raises what is wrong with it."""
        if action.looks_first:
            seen = await self.look(code, token)
            if action.by:
                seen.check(action.by, token)
            if tables := action.opens(seen):
                self._take_tables(tables)
        await action.prepare(self._lobby)
        with self._asked_for(code):
            after, rooms = await self._lobby.change(
                lambda _: self._kept.act(code, token, version, action)
            )
        for room in rooms:
            self._lobby.go_on(room)
        if any(room.over or room.held for room in rooms):
            self._judging.begin(code)
        return after

    async def end(self, code: str, token: str | None) -> None:
        """A teacher ends the class: all of it is deleted now."""
        with self._asked_for(code):
            await self._lobby.change(lambda _: self._kept.end(code, token))

    def _take_tables(self, count: int) -> None:
        """Raise `TooManyRequests` for a client that has taken too many: rooms are few."""
        asker, moment = ASKER.get(), time.monotonic()
        if seconds := self._tables.wait(asker, moment):
            raise TooManyRequests(what="rounds", seconds=ceil(seconds))
        self._tables.charge(asker, count, moment)

    async def _read(self, code: str, read: Callable[[KeptClasses], _Result]) -> _Result:
        with self._asked_for(code):
            return await self._lobby.read(lambda _: read(self._kept))

    @contextmanager
    def _asked_for(self, code: str) -> Iterator[None]:
        with self._wrong_codes.counted(code):
            if not is_class_code(code):
                raise UnknownClass(code=code)
            yield
