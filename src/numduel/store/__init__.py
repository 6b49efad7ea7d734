"""Matches kept: a history in an SQLite file or in PostgreSQL, through SQLAlchemy Core.

Importing this package takes as long as SQLAlchemy does: do it once a prompt is
on the screen. `numduel.store.place` alone is light.
"""

from numduel.store.classes import ClassStore
from numduel.store.history import Store, open_store
from numduel.store.kept_class import KeptClass
from numduel.store.kept_room import KeptRoom
from numduel.store.matches import Damaged, Kept, is_whole
from numduel.store.news import GONE, News
from numduel.store.puzzle_answers import PuzzleAnswer
from numduel.store.rooms import RoomStore

__all__ = [
    "GONE",
    "ClassStore",
    "Damaged",
    "Kept",
    "KeptClass",
    "KeptRoom",
    "News",
    "PuzzleAnswer",
    "RoomStore",
    "Store",
    "is_whole",
    "open_store",
]
