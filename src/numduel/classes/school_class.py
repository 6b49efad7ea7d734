"""A class as it stands: a roster, rounds in rooms, and what everybody is to look at."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from numduel.errors import NotSeated
from numduel.match import Record, write_notation
from numduel.match.setup import DEFAULT_NAMES
from numduel.rooms.room import Room
from numduel.rooms.tokens import hashed
from numduel.store.kept_class import Guess, KeptClass, Pupil, Question, Round, Table


class Stage(StrEnum):
    """What everybody sees now."""

    GATHERING = "gathering"
    ROUND = "round"
    PAUSED = "paused"
    QUESTION = "question"
    MAP = "map"


@dataclass(frozen=True)
class SchoolClass:
    """A snapshot of a class; a change makes another one.

    `seen_by` makes it what one of them may know; only that leaves the `Classes`.
    """

    kept: KeptClass
    me: Pupil | None = None
    """Who looks, if that is a pupil."""
    teaches: bool = False
    """Is it a teacher who looks?"""

    @property
    def code(self) -> str:
        """What pupils type to join."""
        return self.kept.code

    @property
    def version(self) -> int:
        """Grows with what every pupil is to see."""
        return self.kept.version

    @property
    def stage(self) -> Stage:
        """What everybody sees now."""
        return Stage(self.kept.stage)

    @property
    def pupils(self) -> tuple[Pupil, ...]:
        """The roster, as far as it may be seen: pupils see themselves."""
        return self.kept.pupils

    @property
    def rounds(self) -> tuple[Round, ...]:
        """All rounds so far."""
        return self.kept.rounds

    @property
    def round(self) -> Round | None:
        """The last round; None before the first."""
        return self.kept.rounds[-1] if self.kept.rounds else None

    @property
    def is_playing(self) -> bool:
        """Is there a round that has not ended, even if it is paused?"""
        return self.round is not None and not self.round.ended

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables of the last round, in the order in which pupils came; they see their own.

        A table from which everybody was removed is left out.
        """
        number = self.round.number if self.round else 0
        there = [table for table in self.kept.tables if table.round == number and any(table.pupils)]
        return tuple(sorted(there, key=lambda table: min(filter(None, table.pupils))))

    @property
    def question(self) -> Question | None:
        """The last question; None before the first."""
        return self.kept.questions[-1] if self.kept.questions else None

    @property
    def votes(self) -> Counter[str]:
        """How many would play which move, in the last question; for pupils once it is shown."""
        asked = self.question.number if self.question else 0
        return Counter(vote.move for vote in self.kept.votes if vote.question == asked)

    @property
    def guesses(self) -> tuple[Guess, ...]:
        """What was guessed of the game on the map; to pupils others have no number, but 0."""
        return tuple(guess for guess in self.kept.guesses if guess.game == self.kept.map_game)

    @property
    def map_game(self) -> str | None:
        """The key of the game whose map is shown, or was last."""
        return self.kept.map_game

    @property
    def unveiled(self) -> bool:
        """Is the true map shown?"""
        return self.kept.unveiled

    def name_of(self, number: int | None) -> str | None:
        """What the pupil is called; None for nobody, and for who was removed."""
        return next((pupil.name for pupil in self.pupils if pupil.number == number), None)

    def table_of(self, number: int) -> Table | None:
        """Where the pupil plays in the last round."""
        return next((table for table in self.tables if number in table.pupils), None)

    def vote_of(self, number: int) -> str | None:
        """What the pupil would play, in the last question."""
        asked = self.question.number if self.question else 0
        found = (v.move for v in self.kept.votes if (v.question, v.pupil) == (asked, number))
        return next(found, None)

    def pupil_of(self, token: str | None) -> Pupil | None:
        """The pupil who has this token."""
        mine = token and hashed(self.code, token)
        return next((pupil for pupil in self.pupils if pupil.token == mine), None)

    def is_teacher(self, token: str | None) -> bool:
        """Does whoever has this token teach here?"""
        return token is not None and hashed(self.code, token) in self.kept.teachers

    def check_teacher(self, token: str | None) -> None:
        """Raise `NotSeated` for somebody who does not teach here."""
        if not self.is_teacher(token):
            raise NotSeated(code=self.code, needs="teacher")

    def check_pupil(self, token: str | None) -> Pupil:
        """The pupil who has this token. Raises `NotSeated`."""
        pupil = self.pupil_of(token)
        if pupil is None:
            raise NotSeated(code=self.code, needs="pupil")
        return pupil

    def having(self, **values: Any) -> SchoolClass:
        """The class with other values of what is kept."""
        return SchoolClass(self.kept._replace(**values), self.me, self.teaches)

    def seen_by(self, token: str | None) -> SchoolClass:
        """What whoever has this token may know: teachers everything, pupils nothing of each other.

        Pupils see their own name, table, vote and guesses, and how many voted and guessed
        what once that is shown, but not who.
        """
        if self.is_teacher(token):
            return SchoolClass(self.kept, None, True)
        me = self.pupil_of(token)
        number = me.number if me else 0
        shown = {each.number for each in self.kept.questions if each.shown}
        votes = [
            vote if vote.pupil == number else vote._replace(pupil=0)
            for vote in self.kept.votes
            if vote.pupil == number or vote.question in shown
        ]
        guesses = [
            each if each.pupil == number else each._replace(pupil=0) for each in self.kept.guesses
        ]
        kept = self.kept._replace(
            teachers=frozenset(),
            invite=None,
            pupils=(me,) if me else (),
            tables=tuple(table for table in self.kept.tables if me and number in table.pupils),
            votes=tuple(votes) if me else (),
            guesses=tuple(guesses) if me else (),
        )
        return SchoolClass(kept, me)


class Wall(NamedTuple):
    """What a teacher sees of all boards."""

    version: int
    school_class: SchoolClass
    rooms: dict[str, Room]
    """The rooms of the last round, by their codes."""


class Played(NamedTuple):
    """A match that a class has played, or plays."""

    round: int
    pupils: tuple[int | None, int | None]
    """Who sat at the two seats; None for a computer, and for who was removed."""
    record: Record
    judged: str | None = None
    """What was found in it, for `learned`; None before it was looked at."""


def without_names(played: list[Played]) -> list[Played]:
    """The matches that are over, as nobody's and of no time, in the order of their notation."""

    def nameless(each: Played) -> Played:
        setup = replace(each.record.setup, names=DEFAULT_NAMES)
        record = replace(each.record, setup=setup, date=played[0].record.date)
        return Played(each.round, (None, None), record)

    over = [nameless(each) for each in played if each.record.winner is not None]
    return sorted(over, key=lambda each: (each.round, write_notation(each.record)))
