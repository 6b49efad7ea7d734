"""A match and its referee: inputs go in, events come out. Nothing here prints or reads."""

from numduel.match.events import (
    BadInput,
    Began,
    Ending,
    Event,
    Moved,
    Over,
    Passed,
    TurnBegan,
    Undone,
)
from numduel.match.record import Record
from numduel.match.record_reader import read_record, read_records
from numduel.match.referee import Referee, Turn
from numduel.match.series import Series
from numduel.match.setup import DEFAULT_NAMES, Setup
from numduel.match.word import read_word, write_word

__all__ = [
    "DEFAULT_NAMES",
    "BadInput",
    "Began",
    "Ending",
    "Event",
    "Moved",
    "Over",
    "Passed",
    "Record",
    "Referee",
    "Series",
    "Setup",
    "Turn",
    "TurnBegan",
    "Undone",
    "read_record",
    "read_records",
    "read_word",
    "write_word",
]
