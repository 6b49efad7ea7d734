"""Matches kept: a history in an SQLite file or in PostgreSQL, through SQLAlchemy Core.

That takes long to import: do it once a prompt is on the screen. `store.place` alone is light.
"""

from numduel.store.matches import Damaged, Kept, PuzzleAnswer, Store, is_whole, open_store

__all__ = ["Damaged", "Kept", "PuzzleAnswer", "Store", "is_whole", "open_store"]
