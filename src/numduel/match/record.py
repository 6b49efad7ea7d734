"""A match as text, made to be read by people and read back exactly: written, and read.

    numduel record 1
    Date: 2026-11-15T09:30:00+00:00
    Board: divisor-duel:60
    Player 1: Alice, person
    Player 2: Bob, random
    First: Alice
    Overshoot: again
    Penalty: off

    1. Alice: 15 -> 45
    2. Bob: 15 -> 30

    Result: unfinished

A finished match says `Result: Alice wins` and `Ending: no move left`, `resigned`,
`forfeited` or `overshot with 13`. A pass is written `pass`. A file may hold several records.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import TypeVar

from numduel.arguments import checked
from numduel.arithmetic import read_number
from numduel.board import Board, Move
from numduel.errors import InvalidRecord, NumduelError
from numduel.match.events import Ending
from numduel.match.referee import Referee
from numduel.match.setup import Setup

T = TypeVar("T")
FORMAT = 1
HEADING = f"numduel record {FORMAT}"
_TURN = re.compile(r"[0-9]+\. .+: (pass|[0-9:]+)( -> [0-9]+)?", re.ASCII)
_ENDINGS = {
    Ending.NO_MOVE: "no move left",
    Ending.RESIGNED: "resigned",
    Ending.OVERSHOT: "overshot with ",
    Ending.FORFEITED: "forfeited",
}


@dataclass(frozen=True, slots=True)
class Record:
    """One match: when, how it was set up, who played, each turn, how it ended."""

    date: datetime
    setup: Setup
    players: tuple[str, str] = ("person", "person")
    turns: tuple[Move | None, ...] = ()
    winner: int | None = None
    ending: Ending | None = None
    overshot: Move | None = None

    @classmethod
    def of(
        cls,
        referee: Referee,
        date: datetime | None = None,
        players: tuple[str, str] = ("person", "person"),
    ) -> "Record":
        """The match as the referee has it now; the date is now unless given."""
        date = (date or datetime.now(UTC)).replace(microsecond=0)
        turns = tuple(turn.move for turn in referee.turns)
        record = cls(date, referee.setup, players, turns)
        over = referee.over
        if over is None:
            return record
        return replace(record, winner=over.winner, ending=over.ending, overshot=over.move)

    @property
    def moves(self) -> list[str]:
        """Every turn as text; "pass" for a turn that was lost."""
        write = self.setup.board.write_move
        return ["pass" if move is None else write(move) for move in self.turns]

    def replay(self) -> Referee:
        """A referee who has seen the whole match. Raises the error of one that breaks the rules."""
        referee = Referee(self.setup)
        referee.begin()
        for move in self.turns:
            if move is None:
                referee.pass_turn(self.setup.penalty or 1)
            else:
                referee.play(move)
        overshot = "" if self.overshot is None else referee.board.write_move(self.overshot)
        finish(referee, self.winner, self.ending, overshot)
        return referee

    def __str__(self) -> str:
        both = zip(self.setup.names, self.players, strict=True)
        return f"{HEADING}\n{self.told([f'{name}, {player}' for name, player in both])}"

    def told(self, players: Sequence[str]) -> str:
        """The lines of the record, with these words for who played; `str` can be read back."""
        return "\n".join(self._lines(players)) + "\n"

    def _lines(self, players: Sequence[str]) -> Iterator[str]:
        setup, names = self.setup, self.setup.names
        yield f"Date: {self.date.isoformat()}"
        yield f"Board: {setup.board}"
        for seat in (0, 1):
            yield f"Player {seat + 1}: {players[seat]}"
        yield f"First: {names[setup.first]}"
        yield f"Overshoot: {setup.overshoot}"
        yield f"Penalty: {setup.penalty or 'off'}"
        yield ""
        board = setup.board
        for turn, move in enumerate(self.turns):
            said = "pass"
            if move is not None:
                written = board.write_move(move)
                board = board.play(move)
                said = f"{written} -> {board.numbers[move.place].value}"
            yield f"{turn + 1}. {names[(setup.first + turn) % 2]}: {said}"
        if self.turns:
            yield ""
        if self.winner is None or self.ending is None:
            yield "Result: unfinished"
            return
        yield f"Result: {names[self.winner]} wins"
        with_move = board.write_move(self.overshot) if self.overshot else ""
        yield f"Ending: {_ENDINGS[self.ending]}{with_move}"


def take(referee: Referee, turn: str) -> None:
    """A move, or "pass". Raises as the referee does; `InvalidRecord` for a pass without penalty."""
    if turn != "pass":
        referee.play(referee.board.parse_move(turn))
    elif referee.setup.penalty is None:
        raise InvalidRecord(line=0, problem="pass without penalty")
    else:
        referee.pass_turn(referee.setup.penalty)


def finish(referee: Referee, winner: int | None, ending: Ending | None, overshot: str) -> None:
    """For None, it goes on. Raises as the referee does, or `InvalidRecord` for another ending."""
    if ending is Ending.RESIGNED and winner is not None:
        referee.resign(1 - winner)
    elif ending is Ending.FORFEITED and winner is not None:
        referee.forfeit(1 - winner)
    elif ending is Ending.OVERSHOT and overshot:
        referee.enter(overshot)
    over = referee.over
    if (winner, ending) != ((over.winner, over.ending) if over else (None, None)):
        raise InvalidRecord(line=0, problem="wrong ending", text=str(ending))


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
    """Reads the filled lines of one record: the referee replays every turn, and what was read
    has to be written as it stands there, line by line.
    """

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
        setup = self._try("setup", Setup, board, names, first, overshoot, penalty)
        referee = Referee(setup)
        referee.begin()
        while not (line := self._next()).startswith("Result: "):
            if not (turn := _TURN.fullmatch(line)):
                raise self._broken("turn", text=line)
            self._try("illegal turn", take, referee, turn[1], text=line)
        result = line.removeprefix("Result: ").removesuffix(" wins")
        if result != "unfinished":
            winner = self._try("name", names.index, result, text=result, names=names)
            text = self._value("Ending", str)
            ending = next((one for one in Ending if text.startswith(_ENDINGS[one])), None)
            overshot = text.removeprefix(_ENDINGS[Ending.OVERSHOT])
            self._try("wrong ending", finish, referee, winner, ending, overshot, text=text)
        record = Record.of(referee, date, (one[1], two[1]))
        self._compare([line for line in str(record).split("\n") if line])
        return record

    def _compare(self, written: list[str]) -> None:
        for (number, line), right in zip(self._lines, written, strict=False):
            if line != right:
                raise InvalidRecord(line=number, problem="other line", text=line, expected=right)
        for number, more in self._left:
            raise InvalidRecord(line=number, problem="after the end", text=more)

    def _broken(self, problem: str, **fields: object) -> InvalidRecord:
        """The line read last breaks the record."""
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
        """What `make` gives for the line. Raises `InvalidRecord` in place of what it raises."""
        try:
            return make(*given)
        except InvalidRecord as error:
            raise self._broken(error.problem, **fields) from error
        except NumduelError as error:
            raise self._broken(problem, error=error, **fields) from error
        except ValueError:
            raise self._broken(problem, **fields) from None


def _date(text: str) -> datetime:
    date = datetime.fromisoformat(text)
    if date.tzinfo is None:
        raise ValueError(text)
    return date


def _player(text: str) -> tuple[str, str]:
    name, player = text.split(", ", 1)
    return name, player
