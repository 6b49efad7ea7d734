"""Records and notations: written to be read, read back exactly, and broken ones told apart."""

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
from raised import raised

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
    raised(errors.InvalidRecord, read_record, FINISHED + FINISHED)


BROKEN = [
    ("numduel record 1", "numduel record 2", 1, "format"),
    ("numduel record 1\n", "", 1, "no heading"),
    ("numduel record 1\n", "A match:\nnumduel record 1\n", 1, "no heading"),
    ("Date: 2026-11-15T09:30:00+00:00", "Date: yesterday", 2, "date"),
    ("+00:00", "", 2, "date"),
    ("Board: divisor-duel:60", "Board: chess:8", 3, "setup"),
    ("Board:", "Bord:", 3, "wrong line"),
    ("Board: divisor-duel:60", "Board", 3, "wrong line"),
    ("Alice, person", "Alice", 4, "player"),
    ("Bob, random", "Alice, random", 8, "setup"),
    ("First: Alice", "First: Carol", 6, "name"),
    ("Overshoot: again", "Overshoot: loses", 8, "setup"),
    ("Penalty: off", "Penalty: 0", 8, "setup"),
    ("Penalty: off", "Penalty: 3", 8, "setup"),
    ("1. Alice: 15 -> 45", "1. Alice: fifteen", 10, "turn"),
    ("1. Alice", "2. Alice", 10, "other line"),
    ("1. Alice", "1. Bob", 10, "other line"),
    ("15 -> 45", "7 -> 53", 10, "illegal turn"),
    ("15 -> 45", "15 -> 44", 10, "other line"),
    ("2. Bob: 15 -> 30", "2. Bob: pass", 11, "pass without penalty"),
    ("Result: Alice wins", "Result: draw", 16, "name"),
    ("Result: Alice wins", "Result: Carol wins", 16, "name"),
    ("Result: Alice wins", "Result: Bob wins", 17, "wrong ending"),
    ("Result: Alice wins", "Result: unfinished", 16, "other line"),
    ("no move left", "checkmate", 17, "wrong ending"),
    ("no move left", "resigned", 17, "wrong ending"),
    ("no move left", "overshot with 3", 17, "wrong ending"),
    ("5. Alice: 5 -> 5\n", "", 16, "wrong ending"),
    ("\nResult: Alice wins\nEnding: no move left\n", "", 14, "cut short"),
    ("Ending: no move left\n", "", 16, "cut short"),
    ("no move left\n", "no move left\nThe end\n", 18, "after the end"),
    ("no move left", "no move left, or so", 17, "other line"),
    ("1. Alice: 15", "1. Alice: 015", 10, "other line"),
    ("15 -> 45", "15", 10, "other line"),
    ("Penalty: off", "Penalty: some", 8, "setup"),
    ("Alice wins", "Alice", 16, "other line"),
    ("09:30:00+00:00", "0930+00", 2, "other line"),
]


def test_a_broken_record_names_its_line() -> None:
    for old, new, line, fault in BROKEN:
        error = raised(errors.InvalidRecord, read_record, FINISHED.replace(old, new, 1))
        assert (error.line, error.problem) == (line, fault), (old, new)
        assert re.fullmatch(rf"Line {line}: [^{{]+\.", problem(error))
    for wrong in ({"winner": 1}, {"winner": None, "ending": None}):
        with pytest.raises(errors.InvalidRecord):  # a result that the moves do not give
            replace(read_record(FINISHED), **wrong).replay()


WORDS = {
    "divisor-duel:60/15.15.15.5.5": (
        played("divisor-duel:60", "15", "15", "15", "5", "5"), "Ending: no move left",
    ),
    "divisor-duel:60/": (played("divisor-duel:60"), "Result: unfinished"),
    "divisor-duel:7//first=2": (played("divisor-duel:7", first=1), "Ending: no move left"),
    "subtract-a-prime:2~misere/2": (
        played("subtract-a-prime:2~misere", "2"), "Ending: no move left",
    ),
    "divisor-duel:60,divisors=even/2/resigned=2": (
        played("divisor-duel:60,divisors=even", "2", "resign"), "Ending: resigned",
    ),
    "divisor-duel:60/15/forfeited=2": (
        played("divisor-duel:60", "15", "forfeit"), "Ending: forfeited",
    ),
    "power-play:30/pass.2/first=2,penalty=3": (
        played("power-play:30", "", "x", "x", "2", first=1, penalty=3), "Result: unfinished",
    ),
    "prime-subtractor:23/13/overshoot=loses,overshot=13": (
        played("prime-subtractor:23", "13", "13", overshoot="loses"), "Ending: overshot with 13",
    ),
    "prime-subtractor:23+power-play:30/2:2/overshoot=loses,overshot=1:29": (
        played("prime-subtractor:23+power-play:30", "2:2", "1:29", overshoot="loses"),
        "Ending: overshot with 1:29",
    ),
    "subtract-a-prime:20+divisor-duel:60~misere/2:15.1:3": (
        played("subtract-a-prime:20+divisor-duel:60~misere", "2:15", "1:3"), "Result: unfinished",
    ),
}  # fmt: skip
"""Matches of every ending: the one word for each, and the last line of its record."""


@pytest.mark.parametrize("word", WORDS)
def test_a_match_is_one_word_and_one_record(word: str) -> None:
    referee, last = WORDS[word]
    record = Record.of(referee, DATE)
    assert write_notation(record) == word
    again = read_notation(f" {word}\n")
    assert (again.setup, again.turns) == (record.setup, record.turns)
    ended = (record.winner, record.ending, record.overshot)
    assert (again.winner, again.ending, again.overshot) == ended
    assert str(record).rstrip().split("\n")[-1] == last
    assert ("1. Player 2: pass\n2. Player 1: 2 -> 15\n" in str(record)) == ("pass" in word)
    assert read_record(str(record)) == record
    with pytest.raises(errors.InvalidRecord):  # the last line says nothing more
        read_record(f"{str(record).rstrip()}, I think\n")
    replayed = record.replay()
    assert (replayed.over, replayed.board) == (referee.over, referee.board)


BROKEN_WORDS = [
    ("divisor-duel:60", "is not the notation of a match. It should be a board, a slash"),
    ("x/", 'There is no game called "x"'),
    ("divisor-duel:60/7", 'Turn 1 of the notation is "7": 7 does not divide 60.'),
    ("divisor-duel:60/15..15", 'Turn 2 of the notation is "": Nothing was entered.'),
    ("divisor-duel:6/3.3", "The match is over."),
    ("divisor-duel:60/15/first=3", 'A notation cannot end in "first=3".'),
    ("divisor-duel:60/15/first", 'A notation cannot end in "first".'),
    ("divisor-duel:60/15/tea=2", 'A notation cannot end in "tea=2".'),
    ("divisor-duel:60/15/first=2,first=2", "A notation cannot end in"),
    ("power-play:30/2/penalty=1234", "A notation cannot end in"),
    ("power-play:30/2/penalty=0", "The penalty must be a number of bad inputs"),
    ("divisor-duel:60/15/penalty=3", "has a penalty rule"),
    ("divisor-duel:60/pass", "has a pass, but no penalty=K at its end"),
    ("divisor-duel:60/15.15.15.5.5/resigned=1", "cannot end like that: The match is over."),
    ("prime-subtractor:23/13/overshoot=loses,overshot=4", "but it does not end that way."),
    ("divisor-duel:60/15/overshot=3", "but it does not end that way."),
]


def test_a_broken_notation_is_told() -> None:
    for word, said in BROKEN_WORDS:
        assert said in problem(raised(errors.InvalidNotation, read_notation, word)), word
