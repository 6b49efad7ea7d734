"""A class: a roster, and rooms in which it plays. A front end calls `Classes`."""

from numduel.classes.classes import AWAY, Classes, WrongCodes
from numduel.classes.parts import Pupil, Question, RoundPlan, Stage
from numduel.classes.school_class import SchoolClass, Wall
from numduel.rooms.tokens import is_class_code
from numduel.store.news import wall_of

__all__ = [
    "AWAY", "Classes", "Pupil", "Question", "RoundPlan", "SchoolClass", "Stage", "Wall",
    "WrongCodes", "is_class_code", "wall_of",
]  # fmt: skip
