"""Records: written to be read, read back exactly, and broken ones named by line."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from match.test_board import boards
from numduel import Board, errors
from numduel.match import (
    Record,
    Referee,
    Setup,
    read_notation,
    read_record,
    read_records,
    write_notation,
)
from numduel.wording import problem

DATE = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)

FINISHED = """\
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
3. Alice: 15 -> 15
4. Bob: 5 -> 10
5. Alice: 5 -> 5

Result: Alice wins
Ending: no move left
"""


def played(board: str, *lines: str, **setup: object) -> Referee:
    referee = Referee(Setup(Board.parse(board), **setup))  # type: ignore[arg-type]
    referee.begin()
    for line in lines:
        end = {"resign": referee.resign, "forfeit": referee.forfeit}.get(line)
        end() if end else referee.enter(line)
    return referee


def test_a_record_is_written_as_documented() -> None:
    referee = played("divisor-duel:60", "15", "15", "15", "5", "5", names=("Alice", "Bob"))
    record = Record.of(referee, DATE, ("person", "random"))
    assert str(record) == FINISHED
    assert read_record(FINISHED) == record
    assert record.replay().over == referee.over


NAMES = st.text(st.characters(categories=["L", "P", "Zs"]), min_size=1, max_size=20).filter(
    lambda name: name == name.strip() and name.isprintable() and "," not in name
)


@given(boards(3, 400), st.tuples(NAMES, NAMES), st.data())
def test_any_match_round_trips(board: Board, names: tuple[str, str], data: st.DataObject) -> None:
    try:
        setup = Setup(board, names, data.draw(st.integers(0, 1)))
    except errors.InvalidSetup:
        return
    referee = Referee(setup)
    referee.begin()
    for _ in range(data.draw(st.integers(0, 12))):
        if not referee.over:
            referee.play(data.draw(st.sampled_from(list(referee.board.moves()))))
    if not referee.over:
        data.draw(st.sampled_from([referee.resign, partial(referee.resign, 1), int]))()
    date = DATE.astimezone(timezone(timedelta(hours=data.draw(st.integers(-14, 14)))))
    record = Record.of(referee, date, ("person", "level:3"))
    assert read_record(str(record)) == record
    assert read_record(str(record).replace("\n", "\r\n")) == record
    word = write_notation(record)
    assert len(word.split()) == 1
    assert write_notation(read_notation(word)) == word
    assert read_notation(word).replay().over == referee.over


def test_a_file_holds_several_records() -> None:
    assert len(read_records(FINISHED + "\n" + FINISHED)) == 2
    assert read_records("") == read_records("\n\n") == []
    with pytest.raises(errors.InvalidRecord):
        read_record(FINISHED + FINISHED)


BROKEN = [
    ("numduel record 1", "numduel record 2", 1, "format"),
    ("numduel record 1\n", "", 1, "no heading"),
    ("Date: 2026-11-15T09:30:00+00:00", "Date: yesterday", 2, "date"),
    ("+00:00", "", 2, "date"),
    ("Board: divisor-duel:60", "Board: chess:8", 3, "setup"),
    ("Board:", "Bord:", 3, "wrong line"),
    ("Alice, person", "Alice", 4, "player"),
    ("Bob, random", "Alice, random", 8, "setup"),
    ("First: Alice", "First: Carol", 6, "name"),
    ("Overshoot: again", "Overshoot: loses", 8, "setup"),
    ("Penalty: off", "Penalty: 0", 8, "penalty"),
    ("Penalty: off", "Penalty: 3", 8, "setup"),
    ("1. Alice: 15 -> 45", "1. Alice: fifteen", 10, "turn"),
    ("1. Alice", "2. Alice", 10, "turn number"),
    ("1. Alice", "1. Bob", 10, "turn of"),
    ("15 -> 45", "7 -> 53", 10, "illegal turn"),
    ("15 -> 45", "15 -> 44", 10, "number after"),
    ("2. Bob: 15 -> 30", "2. Bob: pass", 11, "pass without penalty"),
    ("Result: Alice wins", "Result: draw", 16, "result"),
    ("Result: Alice wins", "Result: Carol wins", 16, "name"),
    ("Result: Alice wins", "Result: Bob wins", 17, "wrong ending"),
    ("Result: Alice wins", "Result: unfinished", 16, "finished"),
    ("no move left", "checkmate", 17, "ending"),
    ("no move left", "resigned", 17, "wrong ending"),
    ("no move left", "overshot with 3", 17, "wrong ending"),
    ("5. Alice: 5 -> 5\n", "", 16, "wrong ending"),
    ("\nResult: Alice wins\nEnding: no move left\n", "", 14, "cut short"),
    ("Ending: no move left\n", "", 16, "cut short"),
    ("no move left\n", "no move left\nThe end\n", 18, "after the end"),
]


def test_a_broken_record_names_its_line() -> None:
    for old, new, line, fault in BROKEN:
        with pytest.raises(errors.InvalidRecord) as caught:
            read_record(FINISHED.replace(old, new, 1))
        assert (caught.value.line, caught.value.problem) == (line, fault), (old, new)
        assert re.fullmatch(rf"Line {line}: [^{{]+\.", problem(caught.value))
    for wrong in ({"winner": 1}, {"winner": None, "ending": None}):
        with pytest.raises(errors.InvalidRecord):  # a result that the moves do not give
            replace(read_record(FINISHED), **wrong).replay()
