"""Matches read from text, records and notations: the referee replays every turn of them."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

from numduel.arguments import checked
from numduel.arithmetic import read_number
from numduel.board import Board
from numduel.errors import InvalidNotation, InvalidRecord, NumduelError, UnreadableText
from numduel.match.events import DEFAULT_NAMES, Ending, Setup
from numduel.match.record import ENDINGS, FORMAT, HEADING, Record, finish
from numduel.match.referee import Referee

T = TypeVar("T")
_TURN = re.compile(r"[0-9]+\. .+: (pass|[0-9:]+)( -> [0-9]+)?", re.ASCII)
_SEAT, _ANY = "[12]", "(?s:.+)"
_NOTES = {  # what may stand after the second slash of a notation, each with a pattern of its value
    "first": _SEAT,
    "overshoot": _ANY,
    "penalty": "[0-9]{1,3}",
    "resigned": _SEAT,
    "forfeited": _SEAT,
    "overshot": _ANY,
}


@checked
def read_notation(text: str) -> Record:
    """Read the notation of a match. Raises `InvalidNotation`."""
    notation = text.strip()
    attempt = partial(_attempt, InvalidNotation, text=notation)
    board, stroke, rest = notation.partition("/")
    if not stroke:
        raise InvalidNotation(text=notation, problem="no stroke")
    turns, _, written = rest.partition("/")
    notes: dict[str, str] = {}
    for note in written.split(",") if written else []:
        name, _, value = note.partition("=")
        if name not in _NOTES or name in notes or not re.fullmatch(_NOTES[name], value):
            raise InvalidNotation(text=notation, problem="note", note=note)
        notes[name] = value
    first, overshoot = int(notes.get("first", "1")) - 1, notes.get("overshoot", "again")
    terms = (first, overshoot, int(notes["penalty"]) if "penalty" in notes else None)
    setup = attempt("setup", lambda: Setup(Board.parse(board), DEFAULT_NAMES, *terms))
    referee = Referee(setup)
    referee.begin()
    for number, turn in enumerate(turns.split(".") if turns else [], 1):
        attempt("turn", _take, referee, turn, number=number, turn=turn)
    for ending in Ending:
        if ending in notes:
            value = notes[ending]
            loser = referee.player if ending is Ending.OVERSHOT else int(value) - 1
            attempt("end", finish, referee, 1 - loser, ending, value, note=value)
    return Record.of(referee)


@checked
def read_record(text: str) -> Record:
    """Read the one record of a text. Raises `InvalidRecord`, which names the line."""
    records = read_records(text)
    if len(records) != 1:
        raise InvalidRecord(line=1, problem="not one record", count=len(records))
    return records[0]


@checked
def read_records(text: str) -> list[Record]:
    """Read all records of a file. Raises `InvalidRecord`, which names the line."""
    lines = [line.rstrip() for line in text.removeprefix("\ufeff").split("\n")]
    filled = [(number, line) for number, line in enumerate(lines, 1) if line]
    starts = [at for at, (_, line) in enumerate(filled) if line.startswith("numduel record")]
    if filled and (not starts or starts[0] > 0):
        raise InvalidRecord(line=filled[0][0], problem="no heading", text=filled[0][1])
    return [_Reader(filled[start:stop]).read() for start, stop in pairwise([*starts, None])]


class _Reader:
    """Reads the filled lines of one record: what was read has to be written as it stands there."""

    def __init__(self, lines: list[tuple[int, str]]) -> None:
        self._lines = lines
        self._left: Iterator[tuple[int, str | None]] = iter(lines)
        self._number = 0

    def read(self) -> Record:
        if (heading := self._next()) != HEADING:
            raise self._broken("format", text=heading, format=FORMAT)
        date = self._value("Date", _date, "date")
        board = self._value("Board", Board.parse)
        one, two = (self._value(f"Player {seat}", _player, "player") for seat in (1, 2))
        names = (one[0], two[0])
        first = self._value("First", names.index, "name", names=names)
        overshoot = self._value("Overshoot", str)
        penalty = self._value("Penalty", lambda text: None if text == "off" else read_number(text))
        referee = Referee(self._try("setup", Setup, board, names, first, overshoot, penalty))
        referee.begin()
        while not (line := self._next()).startswith("Result: "):
            if not (turn := _TURN.fullmatch(line)):
                raise self._broken("turn", text=line)
            self._try("illegal turn", _take, referee, turn[1], text=line)
        result = line.removeprefix("Result: ").removesuffix(" wins")
        if result != "unfinished":
            winner = self._try("name", names.index, result, text=result, names=names)
            text = self._value("Ending", str)
            ending = next((one for one in Ending if text.startswith(ENDINGS[one])), None)
            overshot = text.removeprefix(ENDINGS[Ending.OVERSHOT])
            self._try("wrong ending", finish, referee, winner, ending, overshot, text=text)
        record = Record.of(referee, date, (one[1], two[1]))
        written = [line for line in str(record).split("\n") if line]
        for (number, line), right in zip(self._lines, written, strict=False):
            if line != right:
                raise InvalidRecord(line=number, problem="other line", text=line, expected=right)
        for number, more in self._left:
            raise InvalidRecord(line=number, problem="after the end", text=more)
        return record

    def _broken(self, problem: str, **fields: object) -> InvalidRecord:
        return InvalidRecord(line=self._number, problem=problem, **fields)

    def _next(self) -> str:
        self._number, line = next(self._left, (self._number, None))
        if line is None:
            raise self._broken("cut short")
        return line

    def _value(
        self, name: str, read: Callable[[str], T], problem: str = "setup", **fields: object
    ) -> T:
        line = self._next()
        label, colon, value = line.partition(": ")
        if label != name or not colon:
            raise self._broken("wrong line", text=line, expected=f"{name}: ")
        return self._try(problem, read, value, text=value, **fields)

    def _try(self, problem: str, make: Callable[..., T], *given: object, **fields: object) -> T:
        return _attempt(InvalidRecord, problem, make, *given, line=self._number, **fields)


def _attempt(
    kind: type[UnreadableText], problem: str, make: Callable[..., T], *given: object, **fields: Any
) -> T:
    """What `make` gives. Raises the kind of error, with these fields, for what it raises."""
    try:
        return make(*given)
    except InvalidRecord as error:
        raise kind(problem=error.problem, **fields) from error
    except NumduelError as error:
        raise kind(problem=problem, error=error, **fields) from error
    except ValueError:
        raise kind(problem=problem, **fields) from None


def _take(referee: Referee, turn: str) -> None:
    """A move, or "pass". Raises as the referee does; `InvalidRecord` for a pass without penalty."""
    if turn != "pass":
        referee.play(referee.board.parse_move(turn))
    elif referee.setup.penalty is None:
        raise InvalidRecord(line=0, problem="pass without penalty")
    else:
        referee.pass_turn(referee.setup.penalty)


def _date(text: str) -> datetime:
    date = datetime.fromisoformat(text)
    if date.tzinfo is None:
        raise ValueError(text)
    return date


def _player(text: str) -> tuple[str, str]:
    name, player = text.split(", ", 1)
    return name, player
