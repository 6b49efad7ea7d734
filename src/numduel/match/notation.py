"""The notation of a match, to be sent to somebody: `divisor-duel:60/15.15.15.5.5`.

The board, a slash, and the turns with dots between them; `pass` for a turn that was
lost. Anything unusual comes after a second slash, in this order:

    power-play:30/pass.2/first=2,penalty=3
    prime-subtractor:23/13/overshoot=loses,overshot=13
    subtract-a-prime:20+divisor-duel:60~misere/2:15/resigned=2

Names and dates are left out: it says what was played, not by whom.
"""

from __future__ import annotations

from datetime import UTC, datetime

from numduel.board import Board
from numduel.errors import InvalidNotation, NumduelError
from numduel.match.events import Ending
from numduel.match.record import Record
from numduel.match.referee import Referee
from numduel.match.setup import Setup

_NOTES = ("first", "overshoot", "penalty", "resigned", "forfeited", "overshot")
_GIVEN_UP = {"resigned": Ending.RESIGNED, "forfeited": Ending.FORFEITED}


def write_notation(record: Record) -> str:
    """The match's notation."""
    setup = record.setup
    board = setup.board
    notes = {}
    if setup.first:
        notes["first"] = "2"
    if setup.overshoot != "again":
        notes["overshoot"] = setup.overshoot
    if setup.penalty is not None:
        notes["penalty"] = str(setup.penalty)
    for name, ending in _GIVEN_UP.items():
        if record.ending is ending and record.winner is not None:
            notes[name] = str(2 - record.winner)
    if record.overshot is not None:
        notes["overshot"] = board.write_move(record.overshot)
    written = ",".join(f"{name}={value}" for name, value in notes.items())
    return f"{board}/{'.'.join(record.moves)}" + (f"/{written}" if written else "")


def read_notation(text: str) -> Record:
    """Read the notation of a match; every turn is replayed. Raises `InvalidNotation`."""
    notation = text.strip()
    board, stroke, rest = notation.partition("/")
    if not stroke:
        raise InvalidNotation(text=notation, problem="no stroke")
    turns, _, written = rest.partition("/")
    notes = _read_notes(notation, written)
    try:
        referee = Referee(_setup(Board.parse(board), notes))
        referee.begin()
    except NumduelError as error:
        if isinstance(error, InvalidNotation):
            raise
        raise InvalidNotation(text=notation, problem="setup", error=error) from error
    for number, turn in enumerate(turns.split(".") if turns else [], 1):
        _play(notation, referee, number, turn)
    _end(notation, referee, notes)
    return Record.of(referee, datetime.now(UTC))


def _read_notes(notation: str, written: str) -> dict[str, str]:
    notes: dict[str, str] = {}
    for note in written.split(",") if written else []:
        name, _, value = note.partition("=")
        if name not in _NOTES or name in notes or not value:
            raise InvalidNotation(text=notation, problem="note", note=note)
        notes[name] = value
    return notes


def _setup(board: Board, notes: dict[str, str]) -> Setup:
    seats = [(name, "12") for name in ("first", *_GIVEN_UP)]
    for name, allowed in (*seats, ("penalty", "0123456789")):
        value = notes.get(name, "1")
        if not set(value) <= set(allowed) or len(value) > (1 if allowed == "12" else 3):
            raise InvalidNotation(text=str(board), problem="note", note=f"{name}={value}")
    return Setup(
        board,
        first=int(notes.get("first", "1")) - 1,
        overshoot=notes.get("overshoot", "again"),
        penalty=int(notes["penalty"]) if "penalty" in notes else None,
    )


def _play(notation: str, referee: Referee, number: int, turn: str) -> None:
    try:
        if turn == "pass":
            if referee.setup.penalty is None:
                raise InvalidNotation(text=notation, problem="pass without penalty")
            referee.pass_turn(referee.setup.penalty)
        else:
            referee.play(referee.board.parse_move(turn))
    except InvalidNotation:
        raise
    except NumduelError as error:
        raise InvalidNotation(
            text=notation, problem="turn", number=number, turn=turn, error=error
        ) from error


def _end(notation: str, referee: Referee, notes: dict[str, str]) -> None:
    """Resigned, forfeited or overshot, as the notes say."""
    if not {*_GIVEN_UP, "overshot"} & set(notes):
        return
    try:
        if "resigned" in notes:
            referee.resign(int(notes["resigned"]) - 1)
        if "forfeited" in notes:
            referee.forfeit(int(notes["forfeited"]) - 1)
        if "overshot" in notes:
            referee.enter(notes["overshot"])
    except NumduelError as error:
        raise InvalidNotation(text=notation, problem="end", error=error) from error
    if not referee.over or ("overshot" in notes) != (referee.over.ending is Ending.OVERSHOT):
        raise InvalidNotation(text=notation, problem="overshot", note=notes.get("overshot", ""))
