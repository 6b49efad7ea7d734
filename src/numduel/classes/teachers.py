"""Who teaches a class besides its first device: invited, let in, dismissed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from numduel.classes.actions import Action
from numduel.classes.parts import Teacher
from numduel.classes.rounds import Rounds
from numduel.classes.school_class import SchoolClass
from numduel.errors import NotAllowed
from numduel.rooms.names import clean_name
from numduel.rooms.tokens import hashed

_SECOND = "Second teacher"


@dataclass(frozen=True, slots=True)
class Invite(Action):
    """A secret that makes one other device a teacher's; the one before is void.

    `own`: the first teacher's own, else a second teacher's. An empty one lets nobody in.
    """

    by = "first teacher"
    answers = False
    secret: str
    own: bool = False

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        secret = hashed(found.code, self.secret) if self.secret else None
        return replace(found, key=secret) if self.own else replace(found, invite=secret)


@dataclass(frozen=True, slots=True)
class LetIn(Action):
    """Become a teacher by the secret, which is used up. The others see the name."""

    by = ""
    answers = False
    looks_first = True
    secret: str
    name: str = ""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if found.is_teacher(token):
            return found
        if found.pupil_of(token):
            raise NotAllowed(problem="pupil teaches")
        secret, mine = hashed(found.code, self.secret), hashed(found.code, token or "")
        if secret == found.key:
            return replace(found, teachers=(*found.teachers, Teacher(mine)), key=None)
        if secret != found.invite:
            raise NotAllowed(problem="invitation")
        second = Teacher(mine, clean_name(self.name) or _SECOND)
        return replace(found, teachers=(*found.teachers, second), invite=None)


@dataclass(frozen=True, slots=True)
class Dismiss(Action):
    """Another device is a teacher's no longer."""

    by = "first teacher"
    answers = False
    token: str
    """Hashed."""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if self.token == hashed(found.code, token or ""):
            raise NotAllowed(problem="teacher joins")
        return replace(
            found,
            teachers=tuple(one for one in found.teachers if one.token != self.token),
            version=found.version + 1,
        )
