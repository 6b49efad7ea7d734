"""Who is in a class: joining, names, leaving. Classes go in and classes come out."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from random import Random

from numduel.classes.school_class import SchoolClass
from numduel.errors import InvalidSetup, NotAllowed
from numduel.match.setup import check_names
from numduel.players import PERSON
from numduel.rooms.names import LONGEST, clean_name, two_names
from numduel.rooms.tokens import hashed, new_class_code
from numduel.store.kept_class import KeptClass, Pupil

MOST_PUPILS = 60
"""Pupils in one class."""


def opened(token: str, now: float) -> SchoolClass:
    """A new class, taught by whoever has the token."""
    code = new_class_code()
    return SchoolClass(
        KeptClass(code, datetime.fromtimestamp(now, UTC), frozenset({hashed(code, token)}))
    )


def joined(school_class: SchoolClass, token: str, wanted: str, random: Random) -> SchoolClass:
    """The class with one pupil more, under the wanted name if it can be used.

    For a pupil of the class nothing changes. Raises `NotAllowed`.
    """
    if school_class.pupil_of(token) is not None:
        return school_class
    if school_class.is_teacher(token):
        raise NotAllowed(problem="teacher joins")
    if len(school_class.pupils) >= MOST_PUPILS:
        raise NotAllowed(problem="class is full", limit=MOST_PUPILS)
    number = school_class.kept.joined + 1
    name = free_name(school_class.pupils, wanted, random)
    pupil = Pupil(number, name, hashed(school_class.code, token))
    return school_class.having(pupils=(*school_class.pupils, pupil), joined=number)


def renamed(school_class: SchoolClass, number: int, name: str) -> SchoolClass:
    """The class in which the pupil is called so."""
    pupils = (each._replace(name=name) if each.number == number else each
              for each in school_class.pupils)  # fmt: skip
    return school_class.having(pupils=tuple(pupils), version=school_class.version + 1)


def without(school_class: SchoolClass, number: int) -> SchoolClass:
    """The class without the pupil, and without what that pupil voted and guessed."""
    kept = school_class.kept
    tables = []
    for table in kept.tables:
        one, two = (None if each == number else each for each in table.pupils)
        tables.append(table._replace(pupils=(one, two)))
    return school_class.having(
        pupils=tuple(each for each in kept.pupils if each.number != number),
        tables=tuple(tables),
        votes=tuple(vote for vote in kept.votes if vote.pupil != number),
        guesses=tuple(guess for guess in kept.guesses if guess.pupil != number),
        version=kept.version + 1,
    )


def check_number(school_class: SchoolClass, number: int) -> Pupil:
    """The pupil of this number. Raises `NotAllowed`."""
    for pupil in school_class.pupils:
        if pupil.number == number:
            return pupil
    raise NotAllowed(problem="no such pupil", number=number)


def free_name(others: Iterable[Pupil], wanted: str, random: Random) -> str:
    """The name, cleaned, with a number where somebody has it; one by chance if it is none."""
    name = clean_name(wanted)
    if not _is_name(name):
        name = two_names((PERSON, PERSON), random)[0]
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
