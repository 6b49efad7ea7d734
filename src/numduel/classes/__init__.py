"""A class: a roster, and rooms in which it plays. It knows nothing of pages or requests.

A front end calls `Classes`, beside the `Lobby` whose rooms they are.
"""

from numduel.classes.classes import Classes
from numduel.classes.pairing import PAIRINGS
from numduel.classes.school_class import Played, SchoolClass, Stage, Wall
from numduel.classes.wrong_codes import WrongCodes
from numduel.rooms.tokens import is_class_code
from numduel.store.kept_class import Guess, Pupil, Question, Round, RoundPlan, Table, Vote
from numduel.store.news import wall_of

__all__ = [
    "PAIRINGS",
    "Classes",
    "Guess",
    "Played",
    "Pupil",
    "Question",
    "Round",
    "RoundPlan",
    "SchoolClass",
    "Stage",
    "Table",
    "Vote",
    "Wall",
    "WrongCodes",
    "is_class_code",
    "wall_of",
]
