"""Finding the match that somebody names: by a record file, notation, or number of the history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from numduel.cli.input_file import read_input
from numduel.cli.layout import say
from numduel.cli.usage import usage
from numduel.errors import FileError, NothingToStudy, UnreadableText
from numduel.match import Record, read_notation, read_records

if TYPE_CHECKING:
    from numduel.store import Damaged, Kept


def find_match(what: str | None) -> Record:
    """The match; the latest of the history where nothing is named.

    Of a file with several records, the last. Text that cannot be read is an error of usage.
    """
    with usage(UnreadableText):
        return _find(what)


def _find(what: str | None) -> Record:
    if what is None or (what.isascii() and what.isdigit()):
        return from_history(None if what is None else int(what))
    if "/" in what and ":" in what.partition("/")[0] and not _is_there(what):
        return read_notation(what)
    try:
        records = read_records(read_input(what))
    except OSError as error:
        raise FileError(
            what="record file", path=what, problem=error.strerror or str(error)
        ) from error
    if not records:
        raise FileError(what="record file", path=what, problem="it holds no record")
    return records[-1]


def _is_there(path: str) -> bool:
    """Is it a file? A long notation is too long for a file's name, which is an error of its own."""
    try:
        return Path(path).exists()
    except OSError:
        return False


def from_history(match_id: int | None) -> Record:
    """A match of the history, or its latest."""
    from numduel.store import open_store

    with open_store() as store:
        if match_id is not None:
            return store.load(match_id).record
        latest = store.matches(limit=2)
        if not latest:
            raise NothingToStudy(problem="nothing kept")
        # A series keeps its next match before anybody has moved: look back at the one before.
        first = store.load(latest[0].id)
        to_come = first.series is not None and not first.record.turns
        return store.load(latest[-1].id).record if to_come else first.record


def whole(matches: Iterable[Kept | Damaged]) -> Iterator[Kept]:
    """The matches that can be read and keep the rules; a sentence for each of the others."""
    from numduel.store import is_whole

    for match in matches:
        if is_whole(match):
            yield match
        else:
            say(f"numduel: Match {match.id} is damaged and was left out.", err=True)
