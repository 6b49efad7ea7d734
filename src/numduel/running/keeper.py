"""Keeps a match in the history while it is played."""

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
        self._kept: Kept | None = None
        self._series: Series | None = None
        self._next: Kept | None = None

    @property
    def match_id(self) -> int | None:
        """The match's number in the history; None where it is not there."""
        return self._kept and self._kept.id

    def begin(self, series: Series | None = None, kept: "Kept | None" = None) -> None:
        """A new match begins, perhaps of a series; or one that is kept goes on."""
        self._series = series
        self._kept, self._next = kept or self._next, None

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
                self._write(record)
            except (StoreError, UnknownMatch) as error:
                elsewhere = isinstance(error, UnknownMatch) or error.problem == "changed match"
                if self._kept is None or not elsewhere:
                    raise
                self._part(error, record)
        except (StoreError, UnknownMatch) as error:
            self._failed = True
            self._kept = None
            self._warn(error)

    def left(self, record: Record) -> "Kept | None":
        """Somebody leaves the match: as it is kept, with all that was played here, or None."""
        if self._kept is None:
            return None
        try:
            kept = self._open().load(self._kept.id)
            if kept.record.turns[: len(record.turns)] == record.turns:
                return kept
            self._part(StoreError(problem="changed match", id=kept.id), record)  # some taken back
        except (StoreError, UnknownMatch) as error:
            self._kept = None
            self._warn(error)
        finally:
            self.close()
        return self._kept

    def _part(self, error: StoreError | UnknownMatch, record: Record) -> None:
        """Keep the match as one of its own from now on, and say so."""
        self._kept = None
        self._write(record)
        self._warn(error)

    def _open(self) -> "Store":
        if self._store is None:
            from numduel.store import open_store

            self._store = open_store()
        return self._store

    def _write(self, record: Record) -> None:
        store = self._open()
        with store.together():
            if self._kept is None:
                self._kept = store.add(record, self._series)
            else:
                self._kept = store.save(self._kept, record)
            series = (
                self._series and record.winner is not None and self._series.count(record.winner)
            )
            if series and series.winner is None:
                date = datetime.now(UTC).replace(microsecond=0)
                setup = record.setup.beginning_with(series.first)
                self._next = store.add(Record(date, setup, record.players), series)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None
