"""A class as it stands: a roster, rounds in rooms, and what everybody is to look at."""

from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple, TypeVar

from numduel.classes import parts
from numduel.classes.parts import Answer, Guess, Posed, Pupil, Question, Round, Stage, Table
from numduel.errors import NotSeated
from numduel.rooms.room import Room
from numduel.rooms.tokens import hashed

_Own = TypeVar("_Own", parts.Vote, Guess)


@dataclass(frozen=True)
class SchoolClass:
    """A snapshot: a change makes another. Only what `seen_by` makes of it leaves the `Classes`."""

    code: str
    opened: datetime
    teachers: tuple[parts.Teacher, ...]
    version: int = 1  # grows with what every pupil is to see
    changes: int = 1  # grows with everything but moves
    stage: Stage = Stage.GATHERING
    invite: str | None = None  # the hash of what makes another device a second teacher's
    key: str | None = None  # and of what makes it the first teacher's
    locked: bool = False  # does whoever comes wait at the door?
    made_up: bool = False  # are names made up, and not typed?
    joined: int = 0  # how many pupils ever came
    map_game: str | None = None  # `rules_of` the game whose map is shown, or was last
    unveiled: bool = False
    pupils: tuple[Pupil, ...] = ()  # the roster; pupils see themselves
    door: tuple[Pupil, ...] = ()  # who waits to be let in; they see themselves
    removed: frozenset[str] = frozenset()  # hashes of tokens that cannot come back; to one, its own
    rounds: tuple[Round, ...] = ()
    all_tables: tuple[Table, ...] = ()
    questions: tuple[Question, ...] = ()
    all_votes: tuple[parts.Vote, ...] = ()
    all_guesses: tuple[Guess, ...] = ()
    all_puzzles: tuple[Posed, ...] = ()
    all_answers: tuple[Answer, ...] = ()
    projector: str | None = None  # the hash of the secret in the projector's address
    shows: str = parts.Shows.STAGE
    names: bool = True  # does the projector show names?
    me: Pupil | None = None  # who looks, if that is a pupil
    teaches: bool = False  # is it a teacher who looks?

    @property
    def round(self) -> Round | None:
        """The last round; None before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def is_playing(self) -> bool:
        """Is there a round that has not ended, even if it is paused?"""
        return self.round is not None and not self.round.ended

    @property
    def tells(self) -> bool:
        """Need pupils no longer find out what they are asked now? Its map is unveiled, or the round
        has hints and maps.
        """
        plan = self.round.plan if self.round else None
        boards = [plan.board] if plan and not plan.hints else []
        if self.stage == Stage.QUESTION and self.question:
            boards.append(self.question.board)
        elif self.stage == Stage.PUZZLES:
            boards += [one.board for one in self.puzzles]
        asked: set[str | None] = {parts.rules_of(one) for one in boards}
        if self.stage == Stage.MAP:
            asked.add(self.map_game)
        if not asked:
            return self.unveiled or plan is not None
        return self.unveiled and asked == {self.map_game}

    @property
    def tables(self) -> tuple[Table, ...]:
        """Those of the last round where somebody is left, in the order in which pupils came; while
        names are hidden, in one that tells nothing of them.
        """
        number = self.round.number if self.round else 0
        there = [table for table in self.all_tables if table.round == number and any(table.pupils)]
        there.sort(key=lambda one: (self.names and min(filter(None, one.pupils)), one.room))
        return tuple(there)

    @property
    def question(self) -> Question | None:
        """The last question; None before the first."""
        return self.questions[-1] if self.questions else None

    @property
    def puzzle_set(self) -> int:
        """The number of the last puzzle set; 0 before the first."""
        return self.all_puzzles[-1].set if self.all_puzzles else 0

    @property
    def puzzles(self) -> tuple[Posed, ...]:
        return tuple(one for one in self.all_puzzles if one.set == self.puzzle_set)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Those to the last puzzle set; of a pupil, the own ones."""
        return tuple(one for one in self.all_answers if one.set == self.puzzle_set)

    @property
    def votes(self) -> Counter[str]:
        """How many would play which move, in the last question; for pupils once it is shown."""
        asked = self.question.number if self.question else 0
        return Counter(vote.move for vote in self.all_votes if vote.question == asked)

    @property
    def guesses(self) -> tuple[Guess, ...]:
        """What was guessed of the game on the map; to pupils others have no number, but 0."""
        return tuple(guess for guess in self.all_guesses if guess.game == self.map_game)

    def name_of(self, number: int | None) -> str | None:
        """What the pupil is called; None for nobody, and for who was removed."""
        return next((pupil.name for pupil in self.pupils if pupil.number == number), None)

    def table_of(self, number: int) -> Table | None:
        return next((table for table in self.tables if number in table.pupils), None)

    def vote_of(self, number: int) -> str | None:
        """What the pupil would play, in the last question."""
        asked = self.question.number if self.question else 0
        found = (v.move for v in self.all_votes if (v.question, v.pupil) == (asked, number))
        return next(found, None)

    def number_of(self, token: str | None) -> int:
        """The number of the pupil who has this token; 0 for anybody else."""
        mine = token and hashed(self.code, token)
        return next((pupil.number for pupil in self.pupils if pupil.token == mine), 0)

    def is_teacher(self, token: str | None, first: bool = False) -> bool:
        """Does this token teach? With `first`: as the teacher whose class it is?"""
        mine = token and hashed(self.code, token)
        return any(one.token == mine and not (first and one.name) for one in self.teachers)

    def is_projector(self, token: str | None) -> bool:
        return token is not None and hashed(self.code, token) == self.projector

    def check_looks(self, token: str | None) -> None:
        """Raise `NotSeated` for who is neither a teacher nor the projector."""
        if not self.is_projector(token):
            self.check("teacher", token)

    def check(self, needs: str, token: str | None) -> None:
        """Raise `NotSeated` for who is no pupil, teacher or first teacher, as is needed here."""
        if needs == "pupil":
            fits = self.number_of(token) > 0
        else:
            fits = self.is_teacher(token, first=needs == "first teacher")
        if not fits:
            raise NotSeated(code=self.code, needs=needs)

    def seen_by(self, token: str | None) -> "SchoolClass":
        """What whoever has this token may know: teachers everything, pupils nothing of each other.
        Pupils see their own name, table, vote and guesses, how many guessed what, and once that is
        shown how many voted what, but not who.
        """
        if self.is_teacher(token):
            return replace(self, teaches=True)
        bare = replace(self, teachers=(), invite=None, key=None, projector=None)
        if self.is_projector(token):
            return replace(bare, door=())
        mine, number = hashed(self.code, token or ""), self.number_of(token)
        me = next((pupil for pupil in self.pupils if pupil.number == number), None)
        if me is None:
            bare = replace(bare, all_puzzles=(), all_votes=(), all_guesses=())
        shown = {each.number for each in self.questions if each.shown}
        votes = [one for one in bare.all_votes if one.pupil == number or one.question in shown]
        return replace(
            bare,
            me=me,
            questions=tuple(one._replace(winning=None) for one in self.questions),
            all_puzzles=tuple(one._replace(solution="") for one in bare.all_puzzles),
            all_answers=tuple(one for one in self.all_answers if one.pupil == number),
            pupils=(me,) if me else (),
            door=tuple(one for one in self.door if one.token == mine),
            removed=self.removed & {mine},
            all_tables=tuple(table for table in self.all_tables if number in table.pupils),
            all_votes=tuple(_unnamed(one, number) for one in votes),
            all_guesses=tuple(_unnamed(one, number) for one in bare.all_guesses),
        )


def _unnamed(one: _Own, number: int) -> _Own:
    """It tells nothing of who it is from, unless that is this pupil."""
    return one if one.pupil == number else one._replace(pupil=0)


class Wall(NamedTuple):
    """What a teacher sees of all boards."""

    version: int
    school_class: SchoolClass
    rooms: dict[str, Room]  # of the last round, by their codes, in the order of its tables
    away: frozenset[int] = frozenset()  # pupils who have not been here for a minute
