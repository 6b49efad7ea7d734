"""The classes of a database: each change is one transaction, with what it does to rooms."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import SystemRandom
from typing import NamedTuple

from numduel.board import Board
from numduel.classes import discussion, roster
from numduel.classes.learned import Learned, by_round
from numduel.classes.rounds import Rounds
from numduel.classes.school_class import Played, SchoolClass, Stage, Wall, without_names
from numduel.errors import NotAllowed, TooBusy
from numduel.rooms.kept_rooms import Rooms
from numduel.rooms.room import Room
from numduel.rooms.steady_time import now
from numduel.rooms.tokens import hashed, new_token
from numduel.store.kept_class import Round, RoundPlan
from numduel.store.news import MORE, wall_of

MOST_CLASSES = 1_000

_Alter = Callable[[SchoolClass, Rounds], SchoolClass]


class Changed(NamedTuple):
    """A class after a change, and the rooms that changed with it."""

    school_class: SchoolClass
    rooms: list[Room]


class KeptClasses:
    """Opens, changes and forgets classes, whose rooms are these.

    Teachers' changes of what everybody sees say which version of the class they answer.
    Raises `UnknownClass`, `NotSeated`, `NotAllowed` and `StoreError`; then nothing has changed.
    """

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._store = rooms.classes

    def open(self, token: str) -> SchoolClass:
        """A new class, taught by whoever has the token."""
        if self._store.count() >= MOST_CLASSES:
            raise TooBusy("classes", limit=MOST_CLASSES)
        school_class = roster.opened(token, now())
        self._store.add(school_class.kept)
        return school_class.seen_by(token)

    def look(self, code: str, token: str | None) -> SchoolClass:
        """The class, as whoever has the token may see it."""
        return self._whole(code).seen_by(token)

    def wall(self, code: str, token: str | None) -> Wall:
        """All boards of the last round, for a teacher."""
        version = self._store.wall_version(code)  # first: what is shown may be newer, never older
        school_class = self._whole(code)
        school_class.check_teacher(token)
        rooms = {table.room: self._rooms.look(table.room) for table in school_class.tables}
        return Wall(version, school_class.seen_by(token), rooms)

    def records(self, code: str, token: str | None) -> list[Played]:
        """All matches of the class for a teacher; for a pupil those that are over, without names.

        Pupils are given them while the map is shown, in an order that tells nothing.
        """
        school_class = self._whole(code)
        if not school_class.is_teacher(token):
            school_class.check_pupil(token)
            if school_class.stage != Stage.MAP:
                raise NotAllowed(problem="no map")
        tables = {table.room: table for table in school_class.kept.tables}
        played = [
            Played(tables[one.room].round, tables[one.room].pupils, one.record, one.judged)
            for one in self._store.records(code)
            if one.room in tables  # one may have been opened in this moment
        ]
        return played if school_class.is_teacher(token) else without_names(played)

    def learned(self, code: str, token: str | None) -> list[tuple[Round, Learned]]:
        """Each round and what was learned in it, as far as its matches are judged."""
        school_class = self._whole(code)
        school_class.check_teacher(token)
        return by_round(school_class, self.records(code, token))

    def wall_version(self, code: str, token: str | None) -> int:
        """What the teacher's page goes by."""
        self._whole(code).check_teacher(token)
        return self._store.wall_version(code)

    def join(self, code: str, token: str, name: str) -> Changed:
        """Come in, and be seated at once while a round is played."""

        def join(school_class: SchoolClass, rounds: Rounds) -> SchoolClass:
            after = roster.joined(school_class, token, name, SystemRandom())
            if after is school_class:
                return school_class
            return rounds.seat_late(after, after.pupils[-1])

        return self._change(code, token, join)

    def rename(self, code: str, token: str | None, number: int, name: str) -> Changed:
        """Call a pupil something else, wherever the old name stands."""

        def rename(school_class: SchoolClass, rounds: Rounds) -> SchoolClass:
            school_class.check_teacher(token)
            roster.check_number(school_class, number)
            others = [pupil for pupil in school_class.pupils if pupil.number != number]
            called = roster.free_name(others, name, SystemRandom())
            rounds.rename(school_class, number, called)
            return roster.renamed(school_class, number, called)

        return self._change(code, token, rename)

    def remove(self, code: str, token: str | None, number: int) -> Changed:
        """Remove a pupil and the name; see `Rounds.free_seats` for who plays on."""

        def remove(school_class: SchoolClass, rounds: Rounds) -> SchoolClass:
            school_class.check_teacher(token)
            roster.check_number(school_class, number)
            rounds.free_seats(school_class, number)
            return roster.without(school_class, number)

        return self._change(code, token, remove)

    def invite(self, code: str, token: str | None) -> str:
        """A secret that makes one other device a teacher's; the one before is void."""
        secret = new_token()

        def invite(school_class: SchoolClass, _: Rounds) -> SchoolClass:
            school_class.check_teacher(token)
            return school_class.having(invite=hashed(code, secret))

        self._change(code, token, invite)
        return secret

    def let_in(self, code: str, token: str, secret: str) -> Changed:
        """Become a teacher by the secret, which is used up."""

        def let_in(school_class: SchoolClass, _: Rounds) -> SchoolClass:
            if school_class.is_teacher(token):
                return school_class
            if school_class.kept.invite != hashed(code, secret):
                raise NotAllowed(problem="invitation")
            teachers = school_class.kept.teachers | {hashed(code, token)}
            return school_class.having(teachers=teachers, invite=None)

        return self._change(code, token, let_in)

    def start_round(self, code: str, token: str | None, version: int, plan: RoundPlan) -> Changed:
        """Seat everybody, and begin."""
        return self._start(code, token, version, lambda _: plan)

    def next_round(self, code: str, token: str | None, version: int) -> Changed:
        """The same again, in which the other player begins."""

        def plan(school_class: SchoolClass) -> RoundPlan:
            if school_class.round is None:
                raise NotAllowed(problem="no round")
            return school_class.round.plan._replace(pairing="same")

        return self._start(code, token, version, plan)

    def pause(self, code: str, token: str | None, version: int) -> Changed:
        """Eyes to the front: nobody plays, no clock runs, no computer moves."""
        return self._teach(
            code, token, version, lambda found, rounds: rounds.show(found, Stage.PAUSED)
        )

    def resume(self, code: str, token: str | None, version: int) -> Changed:
        """Back to the round, or to waiting for one."""

        def resume(school_class: SchoolClass, rounds: Rounds) -> SchoolClass:
            playing = school_class.is_playing
            return rounds.show(school_class, Stage.ROUND if playing else Stage.GATHERING)

        return self._teach(code, token, version, resume)

    def close(self, code: str, token: str | None, version: int) -> Changed:
        """Away with the question or the map; a round waits until the teacher lets it go on."""

        def close(school_class: SchoolClass, rounds: Rounds) -> SchoolClass:
            playing = school_class.is_playing
            return rounds.show(school_class, Stage.PAUSED if playing else Stage.GATHERING)

        return self._teach(code, token, version, close)

    def end_round(self, code: str, token: str | None, version: int) -> Changed:
        """Nobody plays on in the round."""

        def end(school_class: SchoolClass, rounds: Rounds) -> SchoolClass:
            if not school_class.is_playing:
                raise NotAllowed(problem="no round")
            return rounds.end(school_class)

        return self._teach(code, token, version, end)

    def ask(self, code: str, token: str | None, version: int, board: Board) -> Changed:
        """Put a board to everybody, who may vote for a move."""
        return self._teach(code, token, version, partial(discussion.asked, board=board))

    def show_next(self, code: str, token: str | None, version: int) -> Changed:
        """Show the votes of the last question, then the reply, then the reason."""
        return self._teach(code, token, version, discussion.shown_more)

    def show_map(self, code: str, token: str | None, version: int, game: str) -> Changed:
        """Show the map that the class has made of a game; pupils may guess."""
        return self._teach(code, token, version, partial(discussion.with_map, game=game))

    def unveil(self, code: str, token: str | None, version: int) -> Changed:
        """Show the true map."""
        return self._teach(code, token, version, discussion.unveiled)

    def vote(self, code: str, token: str | None, question: int, move: str) -> Changed:
        """Vote for a move, or for another one instead."""
        return self._change(
            code, token, lambda found, _: discussion.voted(found, token, question, move)
        )

    def guess(self, code: str, token: str | None, value: int, trap: bool | None) -> Changed:
        """Guess whether a number is a trap, or think better of it; None for no guess."""
        return self._change(
            code, token, lambda found, _: discussion.guessed(found, token, value, trap)
        )

    def end(self, code: str, token: str | None) -> None:
        """Forget the class: names, seats, votes, guesses, rooms and matches."""
        with self._rooms.writing() as connection:
            change = self._store.change_in(connection, code)
            SchoolClass(change.kept).check_teacher(token)
            gone = change.delete()
            self._rooms.forget(gone)
            self._rooms.when_durable(self._rooms.store.database.tidy)

    def _whole(self, code: str) -> SchoolClass:
        return SchoolClass(self._store.load(code))

    def _start(
        self,
        code: str,
        token: str | None,
        version: int,
        plan: Callable[[SchoolClass], RoundPlan],
    ) -> Changed:
        self._rooms.make_space(len(self._whole(code).pupils))  # at most: most of them share one
        return self._teach(
            code, token, version, lambda found, rounds: rounds.start(found, plan(found))
        )

    def _teach(self, code: str, token: str | None, version: int, alter: _Alter) -> Changed:
        """A teacher's change of what everybody sees, who has seen this version."""

        def taught(school_class: SchoolClass, rounds: Rounds) -> SchoolClass:
            school_class.check_teacher(token)
            if school_class.version != version:
                raise NotAllowed(problem="class moved on")
            return alter(school_class, rounds)

        return self._change(code, token, taught)

    def _change(self, code: str, token: str | None, alter: _Alter) -> Changed:
        with self._rooms.all_or_nothing() as connection:
            change = self._store.change_in(connection, code)
            before, rounds = SchoolClass(change.kept), Rounds(self._rooms, connection)
            after = alter(before, rounds)
            if after is not before:
                kept = change.save(after.kept)
                after = SchoolClass(kept)
                if kept.version != before.version:
                    self._rooms.when_durable(lambda: self._rooms.tell(code, kept.version))
                self._rooms.when_durable(lambda: self._rooms.tell(wall_of(code), MORE))
        return Changed(after.seen_by(token), rounds.touched)
