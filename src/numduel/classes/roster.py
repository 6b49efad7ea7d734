"""Who is in a class: joining, the door, names, seats, leaving; and who teaches it."""

from dataclasses import replace
from datetime import UTC, datetime
from random import SystemRandom

from numduel.classes.actions import Action
from numduel.classes.parts import Pupil, Teacher
from numduel.classes.rounds import Rounds, name_beside
from numduel.classes.school_class import SchoolClass
from numduel.errors import InvalidSetup, NotAllowed
from numduel.match.events import check_names
from numduel.players import PERSON
from numduel.rooms import changes
from numduel.rooms.names import LONGEST, alike, clean_name, two_names
from numduel.rooms.room import Room
from numduel.rooms.tokens import hashed, new_class_code

MOST_PUPILS = 60  # pupils of a class, and as many at its door
MOST_TEACHERS = 20  # devices that teach it
TEACHER, _SECOND = "Teacher", "Second teacher"


def opened(token: str, now: float) -> SchoolClass:
    code = new_class_code()
    return SchoolClass(code, datetime.fromtimestamp(now, UTC), (Teacher(hashed(code, token)),))


class Join(Action):
    """Come in, or to a locked door; `again`, as this pupil on a new device if a teacher agrees."""

    by = ""
    answers = False
    opens = True
    name: str = ""
    again: bool = False

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        mine, number = hashed(found.code, token or ""), found.joined + 1
        if found.number_of(token) or any(one.token == mine for one in found.door):
            return found
        if mine in found.removed:
            raise NotAllowed(problem="removed")
        if found.is_teacher(token):
            raise NotAllowed(problem="teacher joins")
        if self.again:
            called = clean_name(self.name)
            who = next((one for one in found.pupils if alike(one.name, called)), None)
            if who is None:
                raise NotAllowed(problem="no such name", name=called)
            knock = Pupil(number, who.name, mine, who.number)
        else:
            knock = Pupil(number, _free_name(found, self.name), mine)
        after, waits = replace(found, joined=number), self.again or found.locked
        _check_full(found.door if waits else found.pupils)
        if waits:
            return replace(after, door=(*found.door, knock))
        return _let_in(after, rounds, knock)


class Arrange(Action):
    """Whether whoever comes waits at the door, and whether names are made up."""

    answers = False
    locked: bool
    made_up: bool

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        after = replace(found, locked=self.locked, made_up=self.made_up)
        return found if after == found else replace(after, version=found.version + 1)


class Admit(Action):
    """Let in who waits at the door: this one, or all of them but those who ask for a seat."""

    answers = False
    opens = True
    number: int = 0

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        waiting = [
            one for one in found.door if self.number == (one.number if self.number else one.seat)
        ]
        if self.number and not waiting:
            raise NotAllowed(problem="no such pupil", number=self.number)
        for knock in waiting:
            found = _let_in(found, rounds, knock)
        return replace(found, version=found.version + 1)


class Rename(Action):
    """Call a pupil something else, wherever the old name stands."""

    answers = False
    number: int
    name: str

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        pupil = _pupil(found, self.number)
        called = _free_name(found, self.name, self.number)

        def renamed(seat: int, room: Room, moment: float) -> Room:
            beside = name_beside(room.setup.names[1 - seat], called)
            return changes.renamed(room, seat, beside, moment)

        rounds.change_seats(found, self.number, renamed)
        after = _with_pupil(found, pupil._replace(name=called))
        return replace(after, version=found.version + 1)


class Remove(Action):
    """Remove pupils, or who waits at the door, for good: with all votes and guesses. Their tokens
    cannot come back. For the seats see `Rounds.free_seats`. One goes in each transaction: after a
    hundred rounds, a hundred rooms change with each.
    """

    answers = False
    numbers: tuple[int, ...]

    def is_done(self, after: SchoolClass) -> bool:
        return not self._left(after)

    def _left(self, found: SchoolClass) -> list[Pupil]:
        wanted = {*self.numbers}
        return [one for one in (*found.pupils, *found.door) if one.number in wanted]

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        left = self._left(found)
        if not left:
            raise NotAllowed(problem="no such pupil", number=min(self.numbers, default=0))
        gone = left[0].number
        found = rounds.free_seats(found, gone)
        return replace(
            found,
            pupils=tuple(each for each in found.pupils if each.number != gone),
            door=tuple(one for one in found.door if gone not in (one.number, one.seat)),
            removed=found.removed | {left[0].token},
            all_votes=tuple(vote for vote in found.all_votes if vote.pupil != gone),
            all_guesses=tuple(guess for guess in found.all_guesses if guess.pupil != gone),
            all_answers=tuple(one for one in found.all_answers if one.pupil != gone),
            version=found.version + 1,
        )


class Relieve(Action):
    """A pupil is away: the computer plays on instead, or this lone pupil begins anew."""

    answers = False
    opens = True
    number: int
    partner: int = 0

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        _pupil(found, self.number)
        return rounds.relieve(found, self.number, self.partner)


class Seat(Action):
    """Seat pupils who are back and have no board in this round."""

    answers = False
    opens = True
    numbers: tuple[int, ...]

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        for pupil in [_pupil(found, number) for number in self.numbers]:
            if not found.table_of(pupil.number):
                found = rounds.seat_late(found, pupil)
        return replace(found, version=found.version + 1)


class Invite(Action):
    """A secret that makes one other device a teacher's; the one before is void. `own`: the first
    teacher's own, else a second teacher's. An empty one lets nobody in.
    """

    by = "first teacher"
    answers = False
    secret: str
    own: bool = False

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        secret = hashed(found.code, self.secret) if self.secret else None
        return replace(found, key=secret) if self.own else replace(found, invite=secret)


class LetIn(Action):
    """Become a teacher by the secret, which is used up. The others see the name."""

    by = ""
    answers = False
    secret: str
    name: str = ""

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if found.is_teacher(token):
            return found
        if found.number_of(token):
            raise NotAllowed(problem="pupil teaches")
        secret, mine = hashed(found.code, self.secret), hashed(found.code, token or "")
        if len(found.teachers) >= MOST_TEACHERS:
            raise NotAllowed(problem="teachers", limit=MOST_TEACHERS)
        if secret == found.key:
            return replace(found, teachers=(*found.teachers, Teacher(mine)), key=None)
        if secret != found.invite:
            raise NotAllowed(problem="invitation")
        second = Teacher(mine, clean_name(self.name) or _SECOND)
        return replace(found, teachers=(*found.teachers, second), invite=None)


class Dismiss(Action):
    """Another device is a teacher's no longer."""

    by = "first teacher"
    answers = False
    token: str  # hashed

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if self.token == hashed(found.code, token or ""):
            raise NotAllowed(problem="teacher joins")
        return replace(
            found,
            teachers=tuple(one for one in found.teachers if one.token != self.token),
            version=found.version + 1,
        )


def _let_in(found: SchoolClass, rounds: Rounds, knock: Pupil) -> SchoolClass:
    """The class without this one at its door: a pupil, seated while a round is played."""
    door = tuple(one for one in found.door if one.number != knock.number)
    found = replace(found, door=door)
    if knock.seat:
        pupil = _pupil(found, knock.seat)

        def handed(seat: int, room: Room, moment: float) -> Room:
            tokens = changes.with_seat(room.tokens, seat, knock.token)
            return changes.touched(room, moment, tokens=tokens)

        rounds.change_seats(found, knock.seat, handed)
        return _with_pupil(found, pupil._replace(token=knock.token))
    _check_full(found.pupils)
    return rounds.seat_late(replace(found, pupils=(*found.pupils, knock)), knock)


def _check_full(there: tuple[Pupil, ...]) -> None:
    if len(there) >= MOST_PUPILS:
        raise NotAllowed(problem="class is full", limit=MOST_PUPILS)


def _pupil(found: SchoolClass, number: int) -> Pupil:
    for pupil in found.pupils:
        if pupil.number == number:
            return pupil
    raise NotAllowed(problem="no such pupil", number=number)


def _with_pupil(found: SchoolClass, pupil: Pupil) -> SchoolClass:
    pupils = (pupil if one.number == pupil.number else one for one in found.pupils)
    return replace(found, pupils=tuple(pupils))


def _free_name(found: SchoolClass, wanted: str, number: int = 0) -> str:
    """The name, cleaned, or one that is made up if the class has it so. Raises `NotAllowed`. Nobody
    else's, nobody's whom it would be taken for, and not the teacher's; `number` may have it.
    """
    there = [one.name for one in (*found.pupils, *found.door) if one.number != number]
    if found.made_up and not number:
        made, random = "", SystemRandom()
        while not made or any(alike(made, name) for name in there):
            made = two_names((PERSON, PERSON), random)[0]
        return made
    name = clean_name(wanted)
    try:
        check_names((name, "\N{SOLIDUS}"))
        check_names(("\N{SOLIDUS}", name))
    except InvalidSetup:
        raise NotAllowed(problem="no name") from None
    bare = "".join(one for one in name if not one.isdecimal())
    if alike(bare, TEACHER) or alike(name, TEACHER):
        raise NotAllowed(problem="name of a teacher")
    if any(alike(name, other) for other in there):
        like = f"{name[: LONGEST - 2].strip()} B"
        raise NotAllowed(problem="name is taken", name=name, like=like)
    return name
