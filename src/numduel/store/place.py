"""Where the history is: the user's data folder, unless the environment names another place."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "NUMDUEL_DATABASE_URL"
"""Names another file, or a PostgreSQL database."""

FILE_NAME = "history.sqlite3"
_POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")


def history_place() -> str:
    """A path of an SQLite file, or the address of a PostgreSQL database."""
    return os.environ.get(VARIABLE, "").strip() or data_file(FILE_NAME)


def data_file(name: str) -> str:
    """The path of a file in the user's data folder."""
    from platformdirs import user_data_path

    return str(user_data_path("numduel", appauthor=False) / name)


def is_postgres(place: str) -> bool:
    """Is the place a PostgreSQL database?"""
    scheme, colon, _ = place.partition("://")
    return bool(colon) and scheme in _POSTGRES


def file_of(place: str) -> Path:
    """The file of an SQLite history: `history.sqlite3` or `sqlite:///history.sqlite3`."""
    return Path(place.removeprefix("sqlite:///")).expanduser()
