"""Lines break between words, at 80 columns and at 40, on a terminal and in a pipe."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel.cli.layout import wrapped
from numduel.games import keys
from terminal import on_terminal, piped


def torn(text: str, columns: int) -> list[str]:
    """The lines that a terminal would break, though there is a blank to break them at."""
    return [line for line in text.split("\n") if len(line) > columns and " " in line.strip()]


LARGE = str(10**99 + 9)
PRINTED = {
    "help": ["--help"],
    "help of play": ["play", "--help"],
    "help of history": ["history", "delete", "--help"],
    "games": ["games"],
    **{f"rules of {key}": ["rules", key] for key in keys()},
    "why": ["solve", "subtract-a-prime:4321", "--why"],
    "a large number": ["solve", f"subtract-a-prime:{LARGE}", "--why"],
    "many moves": ["solve", "divisor-duel:5040~misere", "--moves", "100"],
    "a long list without blanks": ["play", "divisor-duel:30030"],
    "no such game": ["play", "chess"],
    "no such player": ["play", "divisor-duel", "--p2", "deepblue"],
    "no such board": ["solve", "divisor-duel:sixty"],
    "too large": ["solve", f"power-play:{LARGE}{LARGE}"],
    "no such option": ["play", "--colour"],
    "an analysis": ["analyse", "divisor-duel:60/2.2.7.7.6"],
    "no such match": ["analyse", "divisor-duel:60/2.2.9"],
}


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("name", PRINTED)
def test_no_word_is_torn(name: str, columns: int) -> None:
    out, err, _ = piped(PRINTED[name], "quit\n", COLUMNS=str(columns))
    wide_out, wide_err, _ = piped(PRINTED[name], "quit\n")
    assert torn(out + err, columns) == []
    if "help" not in name:
        assert (out + err).split() == (wide_out + wide_err).split(), "and none is lost"


def test_a_pipe_has_eighty_columns() -> None:
    out, _, _ = piped(["solve", "subtract-a-prime:4321", "--why"], COLUMNS="")
    assert torn(out, 80) == []
    assert max(map(len, out.split("\n"))) > 60


TYPED = {
    "a match": (["play", "subtract-a-prime"], ["", "1e3", "9", "?", "hint", "moves", "quit"]),
    "digits": (["play", "digit-subtraction-duel"], ["tea", "25", "nobody", "1", "x", "?", "quit"]),
    "a prompt with a long name": (["play", "prime-subtractor", "--names", f"{'A' * 30},B"],
                                  ["7", "quit"]),
    "large": (["play", "subtract-a-prime", "--start", LARGE], ["hint", "4", "moves", "quit"]),
    "a lesson": (["learn", "subtract-a-prime"], ["3", "hint", "?", "1", "2", "skip", "quit"]),
    "a puzzle": (["puzzle", "several", "--seed", "7", "--no-save"], ["?", "moves", "9", "quit"]),
    "the menu": ([], ["9", "?", "1", "x", "", "tea", "", "", "quit"]),
}  # fmt: skip


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("name", TYPED)
def test_no_word_is_torn_at_a_prompt(name: str, columns: int) -> None:
    arguments, lines = TYPED[name]
    seen, code = on_terminal(arguments, lines, columns)
    assert code == 0
    for typed in lines:
        seen = seen.replace(f": {typed}\n", ":\n", 1)
    assert torn(seen, columns) == []


@given(st.text("ab ,.", max_size=120), st.integers(1, 60))
def test_wrapping_keeps_every_word(text: str, width: int) -> None:
    lines = wrapped(text, width)
    kept = "".join("".join(lines).split())
    assert kept == "".join(text.split())
    for line in lines:
        word = line.strip()
        assert len(line) <= width or " " not in word, lines


def test_what_stands_in_a_column_goes_on_in_it() -> None:
    assert wrapped("  hint     ask for a hint; ask again for more", 32) == [
        "  hint     ask for a hint; ask",
        "           again for more",
    ]
    assert wrapped("Proper divisors of 30030: 2,3,5,6,7,10,11,13", 26) == [
        "Proper divisors of 30030:", "2,3,5,6,7,10,11,13",
    ]  # fmt: skip
    assert wrapped("2,3,5,6,7,10,11,13", 8) == ["2,3,5,6,", "7,10,11,", "13"]
