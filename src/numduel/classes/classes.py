"""Classes for an event loop, beside the lobby whose rooms they are. Pages call this alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from typing import TypeVar

from numduel.board import Board
from numduel.classes.judging import Judging
from numduel.classes.kept_classes import Changed, KeptClasses
from numduel.classes.learned import Learned
from numduel.classes.pairing import PAIRINGS
from numduel.classes.rounds import STAND_IN
from numduel.classes.school_class import Played, SchoolClass, Wall
from numduel.classes.wrong_codes import WrongCodes
from numduel.errors import NotAllowed, TooManyRequests, UnknownClass
from numduel.players import PERSON
from numduel.rooms.lobby import Lobby
from numduel.rooms.room import Terms
from numduel.rooms.tokens import is_class_code
from numduel.store.kept_class import Round, RoundPlan
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

    def __init__(
        self, lobby: Lobby, wrong_codes: WrongCodes | None = None, tables_per_hour: int = 6_000
    ) -> None:
        self._lobby = lobby
        self._wrong_codes = wrong_codes or WrongCodes()
        self._tables = Rate(tables_per_hour, 3_600, tables_per_hour)
        self._judging = Judging(lobby)
        lobby.class_match_over = self._judging.begin

    async def open(self, token: str) -> SchoolClass:
        """A new class, taught by whoever has the token."""
        return await self._lobby.change(lambda rooms: KeptClasses(rooms).open(token))

    async def look(self, code: str, token: str | None) -> SchoolClass:
        """The class. News of it come to `lobby.live` under its code."""
        seen = await self._read(code, lambda classes: classes.look(code, token))
        if seen.me is None and not seen.teaches:
            self._wrong_codes.check()
        return seen

    async def wall(self, code: str, token: str | None) -> Wall:
        """All boards of the last round, for a teacher. News: under `wall_of(code)`."""
        return await self._read(code, lambda classes: classes.wall(code, token))

    async def wall_version(self, code: str, token: str | None) -> int:
        """Grows with all that the wall shows. For a teacher."""
        return await self._read(code, lambda classes: classes.wall_version(code, token))

    async def records(self, code: str, token: str | None) -> list[Played]:
        """All matches, for a teacher; for a pupil, at the map, those that are over, nameless."""
        return await self._read(code, lambda classes: classes.records(code, token))

    async def learned(self, code: str, token: str | None) -> list[tuple[Round, Learned]]:
        """What was learned in each round, for a teacher; it says what is not judged yet."""
        found = await self._read(code, lambda classes: classes.learned(code, token))
        if any(one.waiting for _, one in found):
            self._judging.begin(code)
            await self._judging.wait(code, _PATIENCE)
            found = await self._read(code, lambda classes: classes.learned(code, token))
        return found

    async def join(self, code: str, token: str, name: str = "") -> SchoolClass:
        """Come in under this name, or one by chance; seated at once while a round is played."""
        seen = await self.look(code, token)
        if seen.is_playing and seen.me is None:
            self._take_tables(1)
        return await self._change(code, lambda classes: classes.join(code, token, name))

    async def rename(self, code: str, token: str | None, number: int, name: str) -> SchoolClass:
        """A teacher calls a pupil something else."""
        return await self._change(code, lambda classes: classes.rename(code, token, number, name))

    async def remove(self, code: str, token: str | None, number: int) -> SchoolClass:
        """A teacher removes a pupil; where that pupil played, a computer plays on."""
        return await self._change(code, lambda classes: classes.remove(code, token, number))

    async def invite(self, code: str, token: str | None) -> str:
        """A secret for `let_in`, for one other device; the one before is void."""
        with self._asked_for(code):
            return await self._lobby.change(lambda rooms: KeptClasses(rooms).invite(code, token))

    async def let_in(self, code: str, token: str, secret: str) -> SchoolClass:
        """Become a teacher, by the secret of one."""
        await self.look(code, token)
        return await self._change(code, lambda classes: classes.let_in(code, token, secret))

    async def start_round(
        self, code: str, token: str | None, version: int, plan: RoundPlan
    ) -> SchoolClass:
        """Seat everybody, and begin; a round that goes on ends. Raises what does not fit."""
        if plan.pairing not in PAIRINGS:
            raise NotAllowed(problem="pairing")
        await self._take_tables_for(code, token)
        computer = STAND_IN if plan.opponent == PERSON else plan.opponent
        await self._lobby.check_terms(Terms(plan.board, (PERSON, computer), seconds=plan.seconds))
        return await self._change(
            code, lambda classes: classes.start_round(code, token, version, plan)
        )

    async def next_round(self, code: str, token: str | None, version: int) -> SchoolClass:
        """The same plan and pairs again; the other player begins."""
        await self._take_tables_for(code, token)
        return await self._change(code, lambda classes: classes.next_round(code, token, version))

    async def pause(self, code: str, token: str | None, version: int) -> SchoolClass:
        """Eyes to the front."""
        return await self._change(code, lambda classes: classes.pause(code, token, version))

    async def resume(self, code: str, token: str | None, version: int) -> SchoolClass:
        """Back to the round, from a pause, a question or the map."""
        return await self._change(code, lambda classes: classes.resume(code, token, version))

    async def close(self, code: str, token: str | None, version: int) -> SchoolClass:
        """Away with the question or the map; a round that goes on is paused until `resume`."""
        return await self._change(code, lambda classes: classes.close(code, token, version))

    async def end_round(self, code: str, token: str | None, version: int) -> SchoolClass:
        """End the round; matches that go on stay unfinished."""
        return await self._change(code, lambda classes: classes.end_round(code, token, version))

    async def ask(self, code: str, token: str | None, version: int, board: Board) -> SchoolClass:
        """Put a board to everybody. Raises what is wrong with it."""
        (await self.look(code, token)).check_teacher(token)
        await self._lobby.check_terms(Terms(board))
        return await self._change(code, lambda classes: classes.ask(code, token, version, board))

    async def show_next(self, code: str, token: str | None, version: int) -> SchoolClass:
        """Show the votes, then the perfect player's reply, then the reason."""
        return await self._change(code, lambda classes: classes.show_next(code, token, version))

    async def vote(self, code: str, token: str | None, question: int, move: str) -> SchoolClass:
        """A pupil votes for a move; the last vote counts. Raises what is wrong with the move."""
        self._lobby.check_move(move)
        return await self._change(code, lambda classes: classes.vote(code, token, question, move))

    async def show_map(self, code: str, token: str | None, version: int, game: str) -> SchoolClass:
        """Show the map of the game with this key, which the class has made by playing."""
        return await self._change(
            code, lambda classes: classes.show_map(code, token, version, game)
        )

    async def guess(
        self, code: str, token: str | None, value: int, trap: bool | None
    ) -> SchoolClass:
        """A pupil guesses whether a number is a trap, None for no guess; the last one counts."""
        return await self._change(code, lambda classes: classes.guess(code, token, value, trap))

    async def unveil(self, code: str, token: str | None, version: int) -> SchoolClass:
        """Show the true map."""
        return await self._change(code, lambda classes: classes.unveil(code, token, version))

    async def end(self, code: str, token: str | None) -> None:
        """A teacher ends the class: all of it is deleted now."""
        with self._asked_for(code):
            await self._lobby.change(lambda rooms: KeptClasses(rooms).end(code, token))

    async def _take_tables_for(self, code: str, token: str | None) -> None:
        """A teacher is about to seat everybody."""
        seen = await self.look(code, token)
        seen.check_teacher(token)
        self._take_tables(len(seen.pupils))

    def _take_tables(self, count: int) -> None:
        """Raise `TooManyRequests` for a client that has taken too many: rooms are few."""
        asker, moment = ASKER.get(), time.monotonic()
        if seconds := self._tables.wait(asker, moment):
            raise TooManyRequests(what="rounds", seconds=ceil(seconds))
        self._tables.charge(asker, count, moment)

    async def _read(self, code: str, read: Callable[[KeptClasses], _Result]) -> _Result:
        with self._asked_for(code):
            return await self._lobby.read(lambda rooms: read(KeptClasses(rooms)))

    async def _change(self, code: str, change: Callable[[KeptClasses], Changed]) -> SchoolClass:
        with self._asked_for(code):
            school_class, rooms = await self._lobby.change(lambda rooms: change(KeptClasses(rooms)))
        for room in rooms:
            self._lobby.go_on(room)
        if any(room.over or room.held for room in rooms):
            self._judging.begin(code)
        return school_class

    @contextmanager
    def _asked_for(self, code: str) -> Iterator[None]:
        with self._wrong_codes.counted(code):
            if not is_class_code(code):
                raise UnknownClass(code=code)
            yield
