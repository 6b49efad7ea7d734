"""A match and its referee: inputs go in, events come out. Nothing here prints or reads."""

from numduel.match.events import (
    DEFAULT_NAMES,
    BadInput,
    Began,
    Ending,
    Event,
    Moved,
    Over,
    Passed,
    Series,
    Setup,
    TurnBegan,
    Undone,
)
from numduel.match.reading import read_notation, read_record, read_records
from numduel.match.record import Record, write_notation
from numduel.match.referee import Referee, Turn

__all__ = ["DEFAULT_NAMES", "BadInput", "Began", "Ending", "Event", "Moved", "Over", "Passed",
           "Record", "Referee", "Series", "Setup", "Turn", "TurnBegan", "Undone", "read_notation",
           "read_record", "read_records", "write_notation"]  # fmt: skip
