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

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise

from numduel.arguments import checked
from numduel.arithmetic import read_number
from numduel.board import Board, Move
from numduel.errors import InvalidRecord, NumduelError
from numduel.match.events import Ending
from numduel.match.referee import Referee
from numduel.match.setup import Setup

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
    ) -> Record:
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
        self._at = 0

    def read(self) -> Record:
        heading = self._next()
        if heading != HEADING:
            raise self._broken("format", text=heading, format=FORMAT)
        date = self._read_date()
        try:
            setup, players = self._read_setup()
        except InvalidRecord:
            raise
        except NumduelError as error:
            raise self._broken("setup", error=error) from error
        referee = Referee(setup)
        referee.begin()
        while not (line := self._next()).startswith("Result: "):
            self._read_turn(line, referee)
        self._read_result(line.removeprefix("Result: "), referee)
        record = Record.of(referee, date, players)
        self._compare([line for line in str(record).split("\n") if line])
        return record

    def _compare(self, written: list[str]) -> None:
        for (number, line), right in zip(self._lines, written, strict=False):
            if line != right:
                raise InvalidRecord(line=number, problem="other line", text=line, expected=right)
        for number, line in self._lines[len(written) :]:
            raise InvalidRecord(line=number, problem="after the end", text=line)

    def _broken(self, problem: str, **fields: object) -> InvalidRecord:
        """The line read last breaks the record."""
        at = min(self._at, len(self._lines)) - 1
        return InvalidRecord(line=self._lines[at][0], problem=problem, **fields)

    def _next(self) -> str:
        self._at += 1
        if self._at > len(self._lines):
            raise self._broken("cut short")
        return self._lines[self._at - 1][1]

    def _value(self, name: str) -> str:
        line = self._next()
        label, colon, value = line.partition(": ")
        if label != name or not colon:
            raise self._broken("wrong line", text=line, expected=f"{name}: ")
        return value

    def _read_date(self) -> datetime:
        text = self._value("Date")
        try:
            date = datetime.fromisoformat(text)
        except ValueError:
            raise self._broken("date", text=text) from None
        if date.tzinfo is None:
            raise self._broken("date", text=text)
        return date

    def _read_setup(self) -> tuple[Setup, tuple[str, str]]:
        board = Board.parse(self._value("Board"))
        (name_1, player_1), (name_2, player_2) = self._player(1), self._player(2)
        names = (name_1, name_2)
        first, overshoot = self._name(self._value("First"), names), self._value("Overshoot")
        written = self._value("Penalty")
        penalty = None if written == "off" else read_number(written)
        return Setup(board, names, first, overshoot, penalty), (player_1, player_2)

    def _player(self, seat: int) -> tuple[str, str]:
        name, _, player = self._value(f"Player {seat}").partition(", ")
        if not player:
            raise self._broken("player", text=name)
        return name, player

    def _name(self, text: str, names: tuple[str, str]) -> int:
        if text not in names:
            raise self._broken("name", text=text, names=names)
        return names.index(text)

    def _read_turn(self, line: str, referee: Referee) -> None:
        found = _TURN.fullmatch(line)
        if not found:
            raise self._broken("turn", text=line)
        try:
            take(referee, found[1])
        except InvalidRecord as error:
            raise self._broken(error.problem) from error
        except NumduelError as error:
            raise self._broken("illegal turn", text=line, error=error) from error

    def _read_result(self, result: str, referee: Referee) -> None:
        if result == "unfinished":
            return
        winner = self._name(result.removesuffix(" wins"), referee.setup.names)
        text = self._value("Ending")
        ending = next((one for one in Ending if text.startswith(_ENDINGS[one])), None)
        try:
            finish(referee, winner, ending, text.removeprefix(_ENDINGS[Ending.OVERSHOT]))
        except NumduelError as error:
            raise self._broken("wrong ending", text=text) from error
