"""The rooms of a database: each change is one transaction, durable when it is done.

For one thread or several; the database decides who comes first.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import SystemRandom

from numduel.errors import NotSeated, TooManyRooms
from numduel.match import Record, Referee, Setup
from numduel.players import PERSON
from numduel.rooms import changes
from numduel.rooms.names import two_names
from numduel.rooms.room import Room, Terms
from numduel.rooms.tokens import hashed, new_code
from numduel.store.rooms import GONE, KeptRoom, RoomStore

_REMEMBERED = 10_000
"""Rooms that are kept in memory, beside the database, to save replaying them."""


class Rooms:
    """Opens, changes and forgets rooms. `tell` hears every change: a code and a version.

    Where the database itself carries the news, `tell` is not called from here.
    Raises `RoomError`, `StoreError`, and what a move breaks.
    """

    def __init__(
        self, place: str, tell: Callable[[str, int], None], most: int = 50_000, days: int = 30
    ) -> None:
        self.store = RoomStore(place)
        self._tell = None if self.store.database.carries_news else tell
        self._most = most
        self._days = days
        self._begun = time.time()
        self._known: OrderedDict[str, Room] = OrderedDict()

    def close(self) -> None:
        """Let go of the database."""
        self.store.close()

    def open(self, terms: Terms, token: str, seat: int | None) -> Room:
        """A new room, hosted by who has the token and seated there; `seat` None for nowhere."""
        if self.store.count() >= self._most:
            raise TooManyRooms(limit=self._most)
        now = time.time()
        names = two_names(terms.players, SystemRandom())
        setup = Setup(terms.board, names, terms.first, terms.overshoot, terms.penalty)
        moment = datetime.fromtimestamp(now, UTC)
        code = new_code()
        mine = hashed(code, token)
        tokens = (mine if seat == 0 else None, mine if seat == 1 else None)
        full = all(terms.players[s] != PERSON or tokens[s] for s in (0, 1))
        seconds = terms.seconds
        kept = KeptRoom(
            code=code,
            host=mine,
            opened=moment,
            changed=moment,
            record=Record.of(Referee(setup), moment, terms.players),
            replay=new_code(),
            tokens=tokens,
            takeback=terms.takeback,
            seconds=seconds,
            left=None if seconds is None else (float(seconds), float(seconds)),
            since=now if seconds is not None and full else None,
        )
        return self._remember(Room(self.store.add(kept), (), None, self._days))

    def look(self, code: str) -> Room:
        """The room as it stands."""
        known = self._known.get(code)
        kept = self.store.load(code, known.kept if known else None)
        return known if known and kept is known.kept else self._remember(self._room(kept))

    def sit(self, code: str, token: str) -> Room:
        """Take the free seat."""
        return self._change(code, lambda room, now: changes.sit(room, token, now))

    def play(self, code: str, token: str | None, ply: int, text: str) -> Room:
        """A move by who has the token. Raises what is wrong with it."""
        problems = []

        def played(room: Room, now: float) -> Room | None:
            kept, problem = changes.play(room, changes.seated(room, token), ply, text, now)
            problems.append(problem)
            return kept

        room = self._change(code, played)
        if problems[0] is not None:
            raise problems[0]
        return room

    def play_for_computer(self, code: str, ply: int, text: str) -> Room:
        """The computer's move, if the position is still the one that it answers."""

        def played(room: Room, now: float) -> Room | None:
            if room.ply != ply or not room.waits_for_computer:
                return None
            return changes.play(room, room.player, ply, text, now).room

        return self._change(code, played)

    def give_up_for_computer(self, code: str, ply: int) -> Room:
        """The computer forfeits, if the position is still the one it found no move in."""
        return self._change(code, lambda room, now: changes.give_up_for_computer(room, ply, now))

    def resign(self, code: str, token: str | None) -> Room:
        """Give the match up."""
        return self._change(
            code, lambda room, now: changes.resign(room, changes.seated(room, token), now)
        )

    def ask_takeback(self, code: str, token: str | None) -> Room:
        """Ask for the own last move back."""
        return self._change(
            code, lambda room, now: changes.ask_takeback(room, changes.seated(room, token), now)
        )

    def answer_takeback(self, code: str, token: str | None, yes: bool) -> Room:
        """Answer the other player who asks."""
        return self._change(
            code,
            lambda room, now: changes.answer_takeback(room, changes.seated(room, token), yes, now),
        )

    def rematch(self, code: str, token: str | None) -> Room:
        """Offer or accept another match."""
        return self._change(
            code, lambda room, now: changes.rematch(room, changes.seated(room, token), now)
        )

    def call_time(self, code: str) -> Room:
        """End the match if the clock of the player to move has run out."""

        def called(room: Room, now: float) -> Room | None:
            return changes.end_by_time(room, now) if changes.time_is_up(room, now) else None

        return self._change(code, called)

    def delete(self, code: str, token: str | None) -> None:
        """Forget the room and all that it holds. Raises `NotSeated` for who is not its host."""
        with self.store.changing(code) as change:
            if not Room(change.room, (), None).is_host(token):
                raise NotSeated(code=code, needs="host")
            change.delete()
        self._forget(code)

    def expire(self) -> int:
        """Forget rooms that nobody has used for long; how many comes back."""
        since = datetime.now(UTC) - timedelta(days=self._days)
        codes = self.store.unchanged_since(since)
        for code in codes:
            with self.store.changing(code) as change:
                if change.room.changed >= since:
                    continue
                change.delete()
            self._forget(code)
        return len(codes)

    def replay(self, code: str) -> Record:
        """The match whose replay has this code."""
        return self.store.replay(code)

    def _change(self, code: str, alter: Callable[[Room, float], Room | None]) -> Room:
        known = self._known.get(code)
        with self.store.changing(code, known.kept if known else None) as change:
            room = known if known and change.room is known.kept else self._room(change.room)
            altered = alter(self._with_own_clock(room), time.time())
            if altered is None:
                return self._remember(room)
            kept = change.save(altered.kept)
        return self._tell_of(self._remember(Room(kept, altered.turns, altered.over, self._days)))

    def _with_own_clock(self, room: Room) -> Room:
        """Time that passed while no server ran is nobody's."""
        since = room.kept.since
        if since is None or since >= self._begun:
            return room
        return room.having(since=self._begun)

    def _room(self, kept: KeptRoom) -> Room:
        return Room.of(kept, self._days)

    def _remember(self, room: Room) -> Room:
        self._known[room.code] = room
        self._known.move_to_end(room.code)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return room

    def _tell_of(self, room: Room) -> Room:
        if self._tell:
            self._tell(room.code, room.version)
        return room

    def _forget(self, code: str) -> None:
        self._known.pop(code, None)
        if self._tell:
            self._tell(code, GONE)
