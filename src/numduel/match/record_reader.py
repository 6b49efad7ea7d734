"""Reading records back: every line is checked, and the referee replays every turn."""

from __future__ import annotations

import re
from datetime import datetime

from numduel.arguments import checked
from numduel.board import Board
from numduel.errors import InvalidRecord, NumduelError
from numduel.match.events import Ending
from numduel.match.record import ENDINGS, FORMAT, HEADING, Record, finish, take
from numduel.match.referee import Referee
from numduel.match.setup import Setup

_TURN = re.compile(r"([0-9]+)\. (.+): (pass|[0-9:]+ -> [0-9]+)", re.ASCII)


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
    return [
        _Reader(filled[start:stop]).read()
        for start, stop in zip(starts, [*starts[1:], None], strict=False)
    ]


class _Reader:
    """Reads the filled lines of one record from top to bottom."""

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
        if self._at < len(self._lines):
            raise self._broken("after the end", text=self._next())
        return Record.of(referee, date, players)

    def _broken(self, problem: str, **fields: object) -> InvalidRecord:
        """The line read last breaks the record."""
        at = min(max(self._at - 1, 0), len(self._lines) - 1)
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
        if date.tzinfo is None or date.isoformat() != text:
            raise self._broken("date", text=text)
        return date

    def _read_setup(self) -> tuple[Setup, tuple[str, str]]:
        board = Board.parse(self._value("Board"))
        (name_1, player_1), (name_2, player_2) = self._player(1), self._player(2)
        names = (name_1, name_2)
        first = self._name(self._value("First"), names)
        overshoot = self._value("Overshoot")
        written = self._value("Penalty")
        if written != "off" and not re.fullmatch("[1-9][0-9]{0,2}", written, re.ASCII):
            raise self._broken("penalty", text=written)
        penalty = None if written == "off" else int(written)
        return Setup(board, names, first, overshoot, penalty), (player_1, player_2)

    def _player(self, seat: int) -> tuple[str, str]:
        name, comma, player = self._value(f"Player {seat}").partition(", ")
        if not comma or not player:
            raise self._broken("player", text=name)
        return name, player

    def _name(self, text: str, names: tuple[str, str]) -> int:
        if text not in names:
            raise self._broken("name", text=text, names=names)
        return names.index(text)

    def _read_turn(self, line: str, referee: Referee) -> None:
        found = _TURN.fullmatch(line)
        names = referee.setup.names
        if not found:
            raise self._broken("turn", text=line)
        if found[1] != str(len(referee.turns) + 1):
            raise self._broken("turn number", text=found[1], expected=len(referee.turns) + 1)
        if found[2] != names[referee.player]:
            raise self._broken("turn of", text=found[2], expected=names[referee.player])
        try:
            turn, _, left = found[3].partition(" -> ")
            move = take(referee, turn)
        except InvalidRecord as error:
            raise self._broken(error.problem) from error
        except NumduelError as error:
            raise self._broken("illegal turn", text=line, error=error) from error
        value = None if move is None else referee.board.numbers[move.place].value
        if value is not None and str(value) != left:
            raise self._broken("number after", text=left, expected=value)

    def _read_result(self, result: str, referee: Referee) -> None:
        """End the match as the record says it ended, and compare."""
        if result == "unfinished":
            if referee.over:
                raise self._broken("finished", winner=referee.setup.names[referee.over.winner])
            return
        if not result.endswith(" wins"):
            raise self._broken("result", text=result)
        winner = self._name(result.removesuffix(" wins"), referee.setup.names)
        text = self._value("Ending")
        endings = [ending for ending in Ending if text.startswith(ENDINGS[ending])]
        if not endings:
            raise self._broken("ending", text=text)
        try:
            finish(referee, winner, endings[0], text.removeprefix(ENDINGS[Ending.OVERSHOT]))
        except NumduelError as error:
            raise self._broken("wrong ending", text=text) from error
