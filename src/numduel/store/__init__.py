"""Matches kept: a history in an SQLite file or in PostgreSQL, through SQLAlchemy Core.

Importing this package takes as long as SQLAlchemy does: do it once a prompt is
on the screen. `numduel.store.place` alone is light.
"""

from numduel.store.answers import Answer
from numduel.store.history import Kept, Store, open_store

__all__ = ["Answer", "Kept", "Store", "open_store"]
