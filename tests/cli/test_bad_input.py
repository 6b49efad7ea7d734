"""Bad input, piece by piece: a sentence about that very input, and nothing lost."""

from __future__ import annotations

import pytest

from terminal import on_terminal, piped

PROMPT = {
    "abc": '"abc" is not a number.',
    "": "Nothing was entered.",
    "0": "0 is not prime.",
    "-7": '"-7" is negative;',
    "7.0": '"7.0" is not a whole number; write it without a decimal point.',
    "1e3": '"1e3" is in exponent form;',
    "\u0667": '"\u0667" is not written in the digits 0 to 9.',
    "\u00b2": '"\u00b2" is not written in the digits 0 to 9.',
    "9" * 10_000: "A number of 10,000 digits is too large; the limit is 4,000 digits.",
    "9" * 1_000_000: "A number of more than 40,000 digits is too large; the limit is 4,000 digits.",
    "9" * 5000 + "!": "A number of 5,000 digits is too large; the limit is 4,000 digits.",
    "9": "9 is not prime.",
    "23": "23 is more than 20.",
    "1:": '"1:" does not say what to play there.',
    "1:1:1": 'In "1:1:1": "1:1" is not a whole number.',
    "2:3": '"2:3" names another number, but there is only one.',
    "\x1b[2J\x07": '"\\x1b[2J\\x07" is not a whole number.',
}


@pytest.mark.parametrize(("typed", "sentence"), PROMPT.items(), ids=lambda text: text[:12] or "-")
def test_the_prompt_says_what_is_wrong_and_what_is_right(typed: str, sentence: str) -> None:
    out, err, code = piped(["play", "subtract-a-prime"], f"{typed}\n11\nquit\n")
    assert (err, code) == ("", 0)
    assert f"{sentence} " in out
    assert "Play a prime up to 20, or type ? for help.\nEnter the prime number" in out
    assert "New number is: 9\n" in out, "the match goes on where it stood"
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("game", "typed", "sentence"),
    [
        ("divisor-duel", "7", "7 does not divide 60. Play a divisor of 60 other than 1 and 60"),
        ("divisor-duel", "1", "1 is not greater than 1 and less than 60."),
        ("divisor-duel", "60", "60 is not greater than 1 and less than 60."),
        ("power-play", "\n10", "10 is not prime. Play a prime factor of 30"),
        ("power-play", "\n7", "7 is not a factor of 30."),
        ("digit-subtraction-duel", "\n\n3", "3 is not a digit of 25. Play a digit of 25 other"),
        ("digit-subtraction-duel", "\n\n0", "0 is not a positive number."),
        ("prime-subtractor", "23", "23 is the starting total, which the opening leaves out."),
    ],
)
def test_each_game_in_its_own_terms(game: str, typed: str, sentence: str) -> None:
    out, _, code = piped(["play", game], f"{typed}\nquit\n")
    assert code == 0
    assert sentence in out


STARTS = ["1", "7", "x", "-4", "2.5", "", "\u0667", "9" * 4001]


@pytest.mark.parametrize("start", [*filter(None, STARTS)], ids=lambda text: text[:8])
def test_a_bad_start_that_was_typed_is_asked_again(start: str) -> None:
    out, _, code = piped(["play", "power-play"], f"{start}\n12\nquit\n")
    assert code == 0
    assert out.count("Enter the starting number (greater than 1): ") == 2
    assert "Choose a composite number, like 4, 8, 9 or 30.\n" in out
    assert "Current N is 12." in out


@pytest.mark.parametrize("start", STARTS, ids=lambda text: text[:8] or "-")
def test_a_bad_start_by_option_is_bad_usage(start: str) -> None:
    out, err, code = piped(["play", "power-play", f"--start={start}"])
    assert (out, code) == ("", 2)
    assert "Error: --start: " in err
    assert "Choose a composite number" in err


USAGE = {
    ("play", "chess"): 'There is no game called "chess".',
    ("play", "divisor-deul"): "Did you mean divisor-duel?",
    ("play", "divisor-duel:sixty"): '"sixty" is not a number.',
    ("play", "divisor-duel:60~mirror"): 'A board can end in ~misere, but not in "~mirror".',
    ("play", "divisor-duel:60", "--start", "20"): "a board has its own numbers",
    ("play", "divisor-duel", "--set", "opening=any"): "No number of the board has a variant",
    ("play", "power-play", "--set", "divisors=even"): "It has no variants",
    ("play", "divisor-duel", "--set", "divisors"): "--set takes VARIANT=VALUE",
    ("play", "divisor-duel", "--set", "divisors=7"): "it can be all, even, odd or prime",
    ("play", "divisor-duel", "--penalty", "3"): "has a penalty rule; Power Play has one.",
    ("play", "power-play", "--penalty", "0"): "from 1 to 999, not 0",
    ("play", "power-play", "--penalty", "x"): "is not a valid integer",
    (
        "play",
        "divisor-duel",
        "--overshoot",
        "loses",
    ): "has an overshooting rule; Prime Subtractor has",
    ("play", "divisor-duel", "--best-of", "2"): "an odd number of matches",
    ("play", "divisor-duel", "--names", "Alice"): "Give two names",
    ("play", "divisor-duel", "--names", "A,B,C"): "Give two names",
    ("play", "divisor-duel", "--names", "A,a"): "Both players are called",
    ("play", "divisor-duel", "--first", "3"): "--first takes 1, 2 or random",
    ("play", "divisor-duel", "--p2", "deepblue"): 'There is no player called "deepblue".',
    ("play", "divisor-duel", "--record", "/no/such/folder/x"): "No such file or directory",
    ("play", "divisor-duel", "--record", "/"): "Is a directory",
    ("play", "--colour"): "No such option",
    ("play",): "Name a game",
    ("play", "--start", "7"): "Name a game",
    ("play", "divisor-duel", "--set", "divisors=odd", "--set", "divisors=even"): "twice",
    ("play", "divisor-duel:60/15.15"): "from there: numduel play divisor-duel:30",
    ("play", "divisor-duel:60/7"): "7 does not divide 60.",
    ("play", ""): "No game is named.",
    ("play", ":60"): "No game is named.",
    ("play", "power-play", "--record", ""): "Is a directory",
    ("play", "power-play", "--penalty", "1000"): "from 1 to 999, not 1000",
    ("play", "divisor-duel:60,opening=any"): 'Divisor Duel has no variant "opening".',
    ("play", "divisor-duel", "--names", "quit,Bob"): "could be mistaken for something else",
    ("rules", "chess"): "There is no game called",
    ("rules", "--json"): "Name a game",
    ("completion", "tcsh"): "is not one of 'bash', 'zsh', 'fish'",
    ("xyzzy",): 'There is no command "xyzzy".',
    ("paly",): 'There is no command "paly". Did you mean play?',
    ("analyze",): 'There is no command "analyze". Did you mean analyse?',
}


@pytest.mark.parametrize("arguments", USAGE, ids=" ".join)
def test_bad_usage_is_a_sentence_and_exit_2(arguments: tuple[str, ...]) -> None:
    out, err, code = piped(arguments)
    assert (out, code) == ("", 2)
    assert USAGE[arguments] in err
    assert "Traceback" not in err


def test_bytes_that_are_not_text() -> None:
    out, err, code = piped(["play", "subtract-a-prime"], b"\xff\xfe\n\x00\n11\nquit\n", apart=True)
    assert (err, code) == ("", 0)
    assert "New number is: 9" in out


def test_a_line_without_end_is_not_taken_for_a_number() -> None:
    out, _, code = piped(["play", "subtract-a-prime"], "0" * 150_000 + "7\n11\nquit\n")
    assert code == 0
    assert out.count("Enter the prime number") == 3
    assert "New number is: 9" in out


def test_a_record_file_that_is_something_else_is_left_alone(tmp_path: object) -> None:
    from pathlib import Path

    path = Path(str(tmp_path)) / "diary.txt"
    path.write_text("Dear diary\n")
    _, err, code = piped(["play", "divisor-duel", "--record", str(path)], "15\n")
    assert code == 2
    assert "it exists and holds something other than records" in err
    assert path.read_text() == "Dear diary\n"


def test_names_are_shown_in_any_alphabet() -> None:
    out, _, code = piped(
        ["play", "prime-subtractor", "--names", "Zoë,Иван"], "13\nquit\n", LC_ALL="C.UTF-8"
    )
    assert code == 0
    assert "Иван's Turn." in out
    _, err, code = piped(
        ["play", "prime-subtractor", "--names", "Zoë,Иван"],
        "13\nquit\n",
        apart=True,
        PYTHONIOENCODING="ascii",
    )
    assert (err, code) == ("", 0)


def test_commands_at_the_prompt_on_a_terminal() -> None:
    lines = ["?", "MOVES", "undo", "15", "undo", "30", "help", "quit"]
    seen, code = on_terminal(["play", "divisor-duel"], lines)
    assert code == 0
    assert "There is nothing to take back yet.\n" in seen
    assert "Legal moves at 60: 2, 3, 4, 5, 6, 10, 12, 15, 20, 30\n" in seen
    for word in ("moves", "undo", "resign", "quit"):
        assert f"\n  {word} " in seen
    assert "The last turn is taken back.\n\nPlayer 1's turn.\nProper divisors of 60:" in seen
    assert "Subtracting 30 from 60. New N is 30." in seen


def test_commands_before_the_match() -> None:
    lines = ["?", "undo", "moves", "resign", "quit"]
    seen, code = on_terminal(["play", "power-play"], lines)
    assert code == 0
    assert "Press Enter for 30, or type quit to leave.\n" in seen
    assert seen.count("The match has not begun yet.\n") == 3


def test_undo_against_the_computer_goes_back_to_your_own_turn() -> None:
    seen, _ = on_terminal(["play", "divisor-duel", "--p2", "largest"], ["15", "undo", "30", "quit"])
    assert "The last 2 turns are taken back.\n" in seen
    assert "Subtracting 30 from 60. New N is 30.\n" in seen
    seen, _ = on_terminal(["play", "divisor-duel", "--p1", "largest"], ["undo", "quit"])
    assert "There is nothing to take back yet." in seen
