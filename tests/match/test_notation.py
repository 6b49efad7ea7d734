"""The notation of a match: written, read back, and broken ones told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from match.test_record import DATE, played
from numduel.errors import InvalidNotation, NumduelError
from numduel.match import Record, read_notation, read_record, write_notation
from numduel.wording import problem

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
    replayed = record.replay()
    assert (replayed.over, replayed.board) == (referee.over, referee.board)


BROKEN = [
    ("divisor-duel:60", "is not the notation of a match. It should be a board, a slash"),
    ("x/", 'There is no game called "x"'),
    ("chess:60/", "There is no game called"),
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
    for word, said in BROKEN:
        with pytest.raises(InvalidNotation) as caught:
            read_notation(word)
        assert said in problem(caught.value), word


@given(st.sampled_from(list(WORDS)), st.integers(0, 60), st.text(max_size=8))
def test_nonsense_is_told(word: str, at: int, text: str) -> None:
    try:
        record = read_notation(word[:at] + text + word[at:])
    except NumduelError as error:
        assert problem(error).isprintable()
    else:
        assert write_notation(read_notation(write_notation(record))) == write_notation(record)
