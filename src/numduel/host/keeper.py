"""Keeps a match in the history while it is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Timer
from typing import TYPE_CHECKING

from numduel.errors import StoreError, UnknownMatch
from numduel.match import Ending, Event, Moved, Over, Passed, Record, Undone

if TYPE_CHECKING:
    from numduel.store import Store

_READY_AFTER = 0.03
"""Seconds after which the store is loaded in the background: the prompt comes first."""


class Keeper:
    """Writes each turn into the history before it is announced.

    A match is kept from its first move on. When the history cannot be used,
    `warn` is told once, and the match goes on without being kept.
    """

    def __init__(self, warn: Callable[[StoreError | UnknownMatch], None]) -> None:
        self._warn = warn
        self._store: Store | None = None
        self._failed = self._readied = False
        self.match_id: int | None = None
        """The match's number in the history; None where it is not there."""

    def begin(self, match_id: int | None = None) -> None:
        """A new match begins, or one that is kept already goes on."""
        self.match_id = match_id

    def get_ready(self) -> None:
        """Load what the first move will need while a person thinks about it."""
        if not self._readied:
            self._readied = True
            timer = Timer(_READY_AFTER, _load)
            timer.daemon = True
            timer.start()

    def keep(self, events: Sequence[Event], record: Record) -> None:
        """Make durable what these events of one action changed; the record is as after them."""
        kinds = {type(event) for event in events}
        if self._failed or not kinds & {Moved, Passed, Undone, Over}:
            return
        if record.ending is Ending.NO_MOVE and not record.turns:
            return
        try:
            self._write(kinds, record)
        except (StoreError, UnknownMatch) as error:
            self._failed = True
            self._warn(error)

    def _write(self, kinds: set[type[Event]], record: Record) -> None:
        if self._store is None:
            from numduel.store import open_store

            self._store = open_store()
        if self.match_id is None:
            self.match_id = self._store.add(record)
        elif Undone in kinds:
            self._store.undo(self.match_id, len(record.turns))
        elif kinds & {Moved, Passed}:
            self._store.append(self.match_id, record)
        else:
            self._store.finish(self.match_id, record)

    def close(self) -> None:
        """Let go of the history."""
        if self._store is not None:
            self._store.close()
            self._store = None


def _load() -> None:
    import numduel.store  # noqa: F401
