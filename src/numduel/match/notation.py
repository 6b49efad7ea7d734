"""The notation of a match, to be sent to somebody: `divisor-duel:60/15.15.15.5.5`.

The board, a slash, and the turns with dots between them; `pass` for a turn that was
lost. Anything unusual comes after a second slash, in this order:

    power-play:30/pass.2/first=2,penalty=3
    prime-subtractor:23/13/overshoot=loses,overshot=13
    subtract-a-prime:20+divisor-duel:60~misere/2:15/resigned=2

Names and dates are left out: it says what was played, not by whom.
"""

import re
from datetime import UTC, datetime

from numduel.arguments import checked
from numduel.board import Board
from numduel.errors import InvalidNotation, InvalidRecord, NumduelError
from numduel.match.events import Ending
from numduel.match.record import Record, finish, take
from numduel.match.referee import Referee
from numduel.match.setup import Setup

_SEAT, _ANY = "[12]", "(?s:.+)"
_NOTES = {
    "first": _SEAT,
    "overshoot": _ANY,
    "penalty": "[0-9]{1,3}",
    "resigned": _SEAT,
    "forfeited": _SEAT,
    "overshot": _ANY,
}
"""What may stand after the second slash, each with a pattern of its value."""


@checked
def write_notation(record: Record) -> str:
    setup = record.setup
    notes: dict[str, str] = {}
    if setup.first:
        notes["first"] = "2"
    if setup.overshoot != "again":
        notes["overshoot"] = setup.overshoot
    if setup.penalty is not None:
        notes["penalty"] = str(setup.penalty)
    if record.overshot is not None:
        notes["overshot"] = setup.board.write_move(record.overshot)
    elif record.ending in _NOTES and record.winner is not None:
        notes[record.ending] = str(2 - record.winner)
    written = ",".join(f"{name}={value}" for name, value in notes.items())
    return f"{setup.board}/{'.'.join(record.moves)}" + (f"/{written}" if written else "")


@checked
def read_notation(text: str) -> Record:
    """Read the notation of a match; every turn is replayed. Raises `InvalidNotation`."""
    notation = text.strip()
    board, stroke, rest = notation.partition("/")
    if not stroke:
        raise InvalidNotation(text=notation, problem="no stroke")
    turns, _, written = rest.partition("/")
    notes = _read_notes(notation, written)
    try:
        setup = Setup(
            Board.parse(board),
            first=int(notes.get("first", "1")) - 1,
            overshoot=notes.get("overshoot", "again"),
            penalty=int(notes["penalty"]) if "penalty" in notes else None,
        )
    except NumduelError as error:
        raise InvalidNotation(text=notation, problem="setup", error=error) from error
    referee = Referee(setup)
    referee.begin()
    for number, turn in enumerate(turns.split(".") if turns else [], 1):
        try:
            take(referee, turn)
        except InvalidRecord as error:
            raise InvalidNotation(text=notation, problem=error.problem) from error
        except NumduelError as error:
            raise InvalidNotation(
                text=notation, problem="turn", number=number, turn=turn, error=error
            ) from error
    for ending in Ending:
        if ending in notes:
            _end(notation, referee, ending, notes[ending])
    return Record.of(referee, datetime.now(UTC))


def _read_notes(notation: str, written: str) -> dict[str, str]:
    notes: dict[str, str] = {}
    for note in written.split(",") if written else []:
        name, _, value = note.partition("=")
        if name not in _NOTES or name in notes or not re.fullmatch(_NOTES[name], value):
            raise InvalidNotation(text=notation, problem="note", note=note)
        notes[name] = value
    return notes


def _end(notation: str, referee: Referee, ending: Ending, value: str) -> None:
    """End the match by overshooting with this move, or by what the player of this number did."""
    loser = referee.player if ending is Ending.OVERSHOT else int(value) - 1
    try:
        finish(referee, 1 - loser, ending, value)
    except InvalidRecord as error:
        raise InvalidNotation(text=notation, problem="overshot", note=value) from error
    except NumduelError as error:
        raise InvalidNotation(text=notation, problem="end", error=error) from error
