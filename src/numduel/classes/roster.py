"""Who is in a class: joining, names, leaving, and other teachers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import SystemRandom

from numduel.classes.actions import Action
from numduel.classes.rounds import Rounds
from numduel.classes.school_class import Pupil, SchoolClass
from numduel.errors import InvalidSetup, NotAllowed
from numduel.match.setup import check_names
from numduel.players import PERSON
from numduel.rooms.names import LONGEST, clean_name, two_names
from numduel.rooms.tokens import hashed, new_class_code

MOST_PUPILS = 60


def opened(token: str, now: float) -> SchoolClass:
    code = new_class_code()
    return SchoolClass(code, datetime.fromtimestamp(now, UTC), frozenset({hashed(code, token)}))


@dataclass(frozen=True, slots=True)
class Join(Action):
    """Come in under this name, or one by chance; seated at once while a round is played."""

    by = ""
    answers = False
    looks_first = True
    name: str = ""

    def opens(self, seen: SchoolClass) -> int:
        return int(seen.is_playing and seen.me is None)

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if found.pupil_of(token) is not None:
            return found
        if found.is_teacher(token):
            raise NotAllowed(problem="teacher joins")
        if len(found.pupils) >= MOST_PUPILS:
            raise NotAllowed(problem="class is full", limit=MOST_PUPILS)
        number, name = found.joined + 1, _free_name(found.pupils, self.name)
        pupil = Pupil(number, name, hashed(found.code, token or ""))
        after = replace(found, pupils=(*found.pupils, pupil), joined=number)
        return rounds.seat_late(after, pupil)


@dataclass(frozen=True, slots=True)
class Rename(Action):
    """Call a pupil something else, wherever the old name stands."""

    answers = False
    number: int
    name: str

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        _check_number(found, self.number)
        others = [pupil for pupil in found.pupils if pupil.number != self.number]
        called = _free_name(others, self.name)
        rounds.rename(found, self.number, called)
        pupils = (each._replace(name=called) if each.number == self.number else each
                  for each in found.pupils)  # fmt: skip
        return replace(found, pupils=tuple(pupils), version=found.version + 1)


@dataclass(frozen=True, slots=True)
class Remove(Action):
    """Remove a pupil, with all votes and guesses; for the seats see `Rounds.free_seats`."""

    answers = False
    number: int

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        number = self.number
        _check_number(found, number)
        rounds.free_seats(found, number)
        tables = []
        for table in found.all_tables:
            one, two = (None if each == number else each for each in table.pupils)
            tables.append(table._replace(pupils=(one, two)))
        return replace(
            found,
            pupils=tuple(each for each in found.pupils if each.number != number),
            all_tables=tuple(tables),
            all_votes=tuple(vote for vote in found.all_votes if vote.pupil != number),
            all_guesses=tuple(guess for guess in found.all_guesses if guess.pupil != number),
            version=found.version + 1,
        )


@dataclass(frozen=True, slots=True)
class Invite(Action):
    """A secret that makes one other device a teacher's; the one before is void."""

    answers = False
    secret: str

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        return replace(found, invite=hashed(found.code, self.secret))


@dataclass(frozen=True, slots=True)
class LetIn(Action):
    """Become a teacher by the secret, which is used up."""

    by = ""
    answers = False
    looks_first = True
    secret: str

    def apply(self, found: SchoolClass, rounds: Rounds, token: str | None) -> SchoolClass:
        if found.is_teacher(token):
            return found
        if found.invite != hashed(found.code, self.secret):
            raise NotAllowed(problem="invitation")
        teachers = found.teachers | {hashed(found.code, token or "")}
        return replace(found, teachers=teachers, invite=None)


def _check_number(found: SchoolClass, number: int) -> None:
    if found.name_of(number) is None:
        raise NotAllowed(problem="no such pupil", number=number)


def _free_name(others: Iterable[Pupil], wanted: str) -> str:
    """The name, cleaned, with a number where somebody has it; one by chance if it is none."""
    name = clean_name(wanted)
    if not _is_name(name):
        name = two_names((PERSON, PERSON), SystemRandom())[0]
    taken = {pupil.name.casefold() for pupil in others}
    free, count = name, 1
    while free.casefold() in taken:
        count += 1
        end = f" {count}"
        free = name[: LONGEST - len(end)].strip() + end
    return free


def _is_name(name: str) -> bool:
    try:
        check_names((name, "\N{SOLIDUS}"))
        check_names(("\N{SOLIDUS}", name))
    except InvalidSetup:
        return False
    return True
