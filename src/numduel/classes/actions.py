"""What is done in a class, here with rounds: each action says who may, and what comes of it."""

from dataclasses import dataclass
from typing import ClassVar

from numduel.classes.pairing import PAIRINGS
from numduel.classes.parts import RoundPlan, Stage
from numduel.classes.rounds import STAND_IN, Rounds
from numduel.classes.school_class import SchoolClass
from numduel.errors import NotAllowed
from numduel.players import PERSON
from numduel.rooms.lobby import Lobby
from numduel.rooms.room import Terms

EACH = -1


@dataclass(frozen=True, slots=True)
class Action:
    """Something that is done in a class. Its fields are all that it says."""

    by: ClassVar[str] = "teacher"
    """Who may: a "teacher", the "first teacher", a "pupil", or "" for anybody."""
    answers: ClassVar[bool] = True
    """Must they have seen the class's version? So it is where everybody is to see a change."""
    looks_first: ClassVar[bool] = False
    """Is the class looked at before? Where thinkers are asked; also if rooms are opened."""
    opens: ClassVar[int] = 0
    """Rooms that it opens, at most: `EACH` for one for each pupil."""

    async def prepare(self, lobby: Lobby) -> None:
        """What takes thinking, before anything is locked. Raises what does not fit."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        """The class once it is done; the same one where nothing changes. Raises `NotAllowed`."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class StartRound(Action):
    """Seat everybody, and begin; a round that goes on ends."""

    opens = EACH
    plan: RoundPlan
    away: frozenset[int] = frozenset()

    async def prepare(self, lobby: Lobby) -> None:
        plan = self.plan
        if plan.pairing not in PAIRINGS:
            raise NotAllowed(problem="pairing")
        computer = STAND_IN if plan.opponent == PERSON else plan.opponent
        terms = Terms(plan.board, (PERSON, computer), seconds=plan.seconds)
        await lobby.bounds.check_terms(terms, lobby.thinkers)

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        return rounds.start(found, self.plan, self.away)


@dataclass(frozen=True, slots=True)
class NextRound(Action):
    """The same plan and pairs again; the other player begins."""

    opens = EACH
    away: frozenset[int] = frozenset()

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if found.round is None:
            raise NotAllowed(problem="no round")
        return rounds.start(found, found.round.plan._replace(pairing="same"), self.away)


class EndRound(Action):
    """Nobody plays on in the round; matches that go on stay unfinished."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if not found.is_playing:
            raise NotAllowed(problem="no round")
        return rounds.end(found)


class Pause(Action):
    """Eyes to the front: nobody plays, no clock runs, no computer moves."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        return rounds.show(found, Stage.PAUSED)


class Resume(Action):
    """Back to the round, or to waiting for one, from a pause, a question or the map."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        return rounds.show(found, Stage.ROUND if found.is_playing else Stage.GATHERING)


class Close(Action):
    """Away with the question or the map; a round waits until the teacher lets it go on."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        return rounds.show(found, Stage.GATHERING)
