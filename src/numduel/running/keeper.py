"""Keeps a match in the history while it is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib import import_module
from threading import Timer
from typing import TYPE_CHECKING

from numduel.errors import StoreError, UnknownMatch
from numduel.match import Ending, Event, Moved, Over, Passed, Record, Series, Undone

if TYPE_CHECKING:
    from numduel.store import Kept, Store

_READY_AFTER = 0.03
"""Seconds after which the store is loaded in the background: the prompt comes first."""


class Keeper:
    """Writes each turn into the history before it is announced.

    A match is kept from its first move on; the next match of a series together with the end of
    the last one, so that the series can be continued. If somebody else has changed the match,
    what is played here becomes a match of its own. If the history cannot be used, the match goes
    on unkept. `warn` is called in both cases; then `match_id` tells them apart.
    """

    def __init__(self, warn: Callable[[StoreError | UnknownMatch], None]) -> None:
        self._warn = warn
        self._store: Store | None = None
        self._failed = self._readied = False
        self.match_id: int | None = None
        """The match's number in the history; None where it is not there."""
        self._changes = 0
        self._series: Series | None = None
        self._next_id: int | None = None

    def begin(self, series: Series | None = None, kept: Kept | None = None) -> None:
        """A new match begins, perhaps of a series; or one that is kept goes on."""
        self._series = series
        self.match_id = kept.id if kept else self._next_id
        self._changes = kept.changes if kept else 0
        self._next_id = None

    def get_ready(self) -> None:
        if not self._readied:
            self._readied = True
            timer = Timer(_READY_AFTER, import_module, ["numduel.store"])
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
            try:
                self._write(kinds, record)
            except (StoreError, UnknownMatch) as error:
                elsewhere = isinstance(error, UnknownMatch) or error.problem == "changed match"
                if self.match_id is None or not elsewhere:
                    raise
                self._part(error, record)
        except (StoreError, UnknownMatch) as error:
            self._failed = True
            self.match_id = None
            self._warn(error)

    def left(self, record: Record) -> Kept | None:
        """Somebody leaves the match: as it is kept, with all that was played here, or None."""
        if self.match_id is None:
            return None
        try:
            store = self._open()
            kept = store.load(self.match_id)
            if kept.record.turns[: len(record.turns)] != record.turns:  # somebody took some back
                self._part(StoreError(problem="changed match", id=kept.id), record)
                kept = store.load(self.match_id)
        except (StoreError, UnknownMatch) as error:
            self.match_id = None
            self._warn(error)
            return None
        finally:
            self.close()
        return kept

    def _part(self, error: StoreError | UnknownMatch, record: Record) -> None:
        """Keep the match as one of its own from now on, and say so."""
        self.match_id, self._changes = None, 0
        self._write(set(), record)
        self._warn(error)

    def _open(self) -> Store:
        if self._store is None:
            from numduel.store import open_store

            self._store = open_store()
        return self._store

    def _write(self, kinds: set[type[Event]], record: Record) -> None:
        store = self._open()
        with store.together():
            if self.match_id is None:
                self.match_id = store.add(record, self._series)
            else:
                self._change(store, self.match_id, kinds, record)
            if self._series and record.winner is not None:
                self._add_next(store, record, self._series.count(record.winner))

    def _change(self, store: Store, match_id: int, kinds: set[type[Event]], record: Record) -> None:
        """Change the match that is kept, unless somebody else has done so meanwhile."""
        if Undone in kinds:
            store.undo(match_id, len(record.turns), self._changes)
        elif kinds & {Moved, Passed}:
            store.append(match_id, record, self._changes)
        else:
            store.finish(match_id, record, self._changes)
        self._changes += 1

    def _add_next(self, store: Store, record: Record, series: Series) -> None:
        if series.winner is None:
            date = datetime.now(UTC).replace(microsecond=0)
            setup = record.setup.beginning_with(series.first)
            self._next_id = store.add(Record(date, setup, record.players), series)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None
