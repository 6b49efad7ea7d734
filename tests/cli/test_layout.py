"""Lines break between words, at 80 columns and at 40, on a terminal and in a pipe."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from numduel.cli.layout import wrapped
from numduel.games import keys
from terminal import on_terminal, piped


def torn(text: str, columns: int) -> list[str]:
    """The lines that a terminal would break, though there is a blank to break them at."""
    return [line for line in text.split("\n") if len(line) > columns and " " in line.strip()]


LARGE = str(10**99 + 9)
THROWN = "subtract-a-prime:100/2.2.7.89"
PRINTED = [
    "--help", "play --help", "history delete --help", "games", *(f"rules {key}" for key in keys()),
    "solve subtract-a-prime:4321 --why", f"solve subtract-a-prime:{LARGE} --why",
    "solve divisor-duel:5040~misere --moves 100", f"solve power-play:{LARGE}{LARGE}",
    "play divisor-duel:30030", "play chess", "play divisor-duel --p2 deepblue", "play --colour",
    f"analyse {THROWN}", "analyse divisor-duel:60/2.2.9", f"map {THROWN}",
    "map subtract-a-prime --as graph --to 60", "map divisor-duel,divisors=even --misere --to 40",
]  # fmt: skip


def test_no_word_is_torn() -> None:
    for words in PRINTED:
        wide = "".join(piped(words.split(), "quit\n")[:2])
        for columns in (40, 80, 120):
            said = "".join(piped(words.split(), "quit\n", COLUMNS=str(columns))[:2])
            assert torn(said, columns) == []
            if words.startswith(("map", f"analyse {THROWN}")):
                assert max(map(len, said.split("\n"))) <= columns, "nor a picture"
            if "--help" not in words:
                assert words_of(said) == words_of(wide), "and none is lost"
    lines = piped(["solve", "subtract-a-prime:4321", "--why"], COLUMNS="")[0].split("\n")
    assert 60 < max(map(len, lines)) <= 80, "so wide is a pipe"


def words_of(text: str) -> list[str]:
    """The words, without the number line."""
    return [word for word in text.split() if not re.fullmatch(r"\.*[o!]?\.*", word)]


TYPED = [
    ("play subtract-a-prime", ["", "1e3", "9", "?", "hint", "moves", "quit"]),
    ("play digit-subtraction-duel", ["tea", "25", "nobody", "1", "x", "?", "quit"]),
    (f"play prime-subtractor --names {'A' * 30},B", ["7", "quit"]),
    (f"play subtract-a-prime --start {LARGE}", ["hint", "4", "moves", "quit"]),
    ("learn subtract-a-prime", ["3", "hint", "?", "1", "2", "skip", "quit"]),
    ("puzzle several --seed 7 --no-save", ["?", "moves", "9", "quit"]),
    ("", ["9", "?", "1", "x", "", "tea", "", "", "quit"]),
]


def test_no_word_is_torn_at_a_prompt() -> None:
    for columns, (words, lines) in [*((40, typed) for typed in TYPED), (80, TYPED[0])]:
        seen, code = on_terminal(words.split(), lines, columns)
        assert code == 0
        for typed in lines:
            seen = seen.replace(f": {typed}\n", ":\n", 1)
        assert torn(seen, columns) == []


@given(st.text("ab ,.", max_size=120), st.integers(1, 60))
def test_wrapping_keeps_every_word(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        assert len(line) <= width or " " not in line.strip(), lines


def test_what_stands_in_a_column_goes_on_in_it() -> None:
    assert wrapped("  hint     ask for a hint; ask again for more", 32) == [
        "  hint     ask for a hint; ask",
        "           again for more",
    ]
    assert wrapped("Proper divisors of 30030: 2,3,5,6,7,10,11,13", 26) == [
        "Proper divisors of 30030:", "2,3,5,6,7,10,11,13",
    ]  # fmt: skip
    assert wrapped("2,3,5,6,7,10,11,13", 8) == ["2,3,5,6,", "7,10,11,", "13"]
