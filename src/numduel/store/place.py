"""Where the history is: the user's data folder, unless the environment names another place."""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from numduel.errors import StoreError

VARIABLE = "NUMDUEL_DATABASE_URL"  # names another file, or a PostgreSQL database
FILE_NAME = "history.sqlite3"
_FILE = "sqlite:///"
_ADDRESS = re.compile(
    r"\s*(?:[a-z][a-z0-9+.-]+:(?:/+|(?=.*@))|(?:host|dbname|user|password)=)", re.IGNORECASE
)
_POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")


def history_place() -> str:
    """A path of an SQLite file, or the address of a PostgreSQL database."""
    return os.environ.get(VARIABLE, "").strip() or data_file(FILE_NAME)


def data_file(name: str) -> str:
    from platformdirs import user_data_path

    return str(user_data_path("numduel", appauthor=False) / name)


def is_postgres(place: str) -> bool:
    scheme, colon, _ = place.partition("://")
    return bool(colon) and scheme.lower() in _POSTGRES


def is_address(place: str) -> bool:
    """Is it meant as the address of a database, however it is written? Else it is a file."""
    return not place.startswith(_FILE) and _ADDRESS.match(place) is not None


def hidden(place: str) -> str:
    """How an address begins: anything after that may be a password."""
    found = _ADDRESS.match(place)
    return f"{found[0].strip()}..." if found else "..."


def file_of(place: str) -> Path:
    """The file of an SQLite history: `history.sqlite3` or `sqlite:///history.sqlite3`."""
    return Path(place.removeprefix(_FILE)).expanduser()


@contextmanager
def sole_server(place: str) -> Iterator[None]:
    """Nobody else serves the file while the block lasts. Raises `StoreError` where somebody does.
    Two servers of one SQLite file would not hear of each other's changes; PostgreSQL tells them.
    """
    if is_address(place):
        yield
        return
    file = file_of(place)
    # Not the database itself: closing that anywhere would break SQLite's own locks.
    lock = os.open(f"{file}-server", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise StoreError(place=str(file), problem="served") from error
    finally:
        os.close(lock)
