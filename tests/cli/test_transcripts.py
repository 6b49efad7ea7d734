"""The rulebooks' command-line samples, character for character, in a real terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from numduel.games import keys
from terminal import on_terminal, piped, run, terminal_after

TRANSCRIPTS = Path(__file__).parent.parent / "transcripts"
PLAYS = {
    "subtract-a-prime": ([], ["11", "7", "2"]),
    "prime-subtractor": (["--names", "Alice,Bob"], ["13", "7", "3"]),
    "divisor-duel": ([], ["15", "15", "15", "5", "5"]),
    "power-play": ([], ["50", "5", "2", "5"]),
    "digit-subtraction-duel": ([], ["25", "Player 1", "5", "2", "8", "1", "9"]),
}


def sample_of(game: str) -> str:
    return (TRANSCRIPTS / f"{game}.txt").read_text()


@pytest.mark.parametrize("game", PLAYS)
def test_a_terminal_with_and_without_colour_and_a_pipe_show_the_sample(game: str) -> None:
    options, lines = PLAYS[game]
    words, sample = ["play", game, *options], sample_of(game)
    assert {*PLAYS} == {path.stem for path in TRANSCRIPTS.glob("*.txt")} <= {*keys()}
    assert on_terminal(words, lines) == (sample, 0)
    terminal, code = terminal_after(words, lines, NO_COLOR="")
    assert (terminal.screen, code) == (sample, 0)
    assert len(terminal.looks()) > 2
    apart = game == "power-play"
    assert piped(words, "\n".join(lines), apart=apart) == (sample, "", 0)


def test_what_the_samples_leave_open() -> None:
    """A number is said where no move has: after `resume`, `undo` and `moves`. Names may lack."""
    out = run("play", "subtract-a-prime", typed="11\nmoves\n7\nundo\nquit\n")
    assert "Legal moves at 9: 2, 3, 5, 7\n" in out
    turn = "The number is 9.\n\nPlayer 2's turn.\nValid primes to subtract: 2, 3, 5, 7\n"
    assert f"The last turn is taken back.\n{turn}" in out
    assert out.count("The number is") == 1
    assert f"after 1 turn.\n{turn}" in run("resume", "1", typed="quit\n")
    expected = re.sub(r"Player \d: \w+\n", "", sample_of("prime-subtractor"))
    expected = expected.replace("Alice", "Player 1").replace("Bob", "Player 2")
    assert run("play", "prime-subtractor", typed="13\n7\n3\n") == expected


def test_an_option_drops_its_question_and_the_blank_line() -> None:
    sample = sample_of("power-play")
    expected = sample.replace("\nEnter the starting number (greater than 1): 50\n", "")
    assert run("play", "power-play", "--start", "50", typed="5\n2\n5\n") == expected
    sample = sample_of("digit-subtraction-duel")
    game, moves = ["play", "digit-subtraction-duel"], "5\n2\n8\n1\n9\n"
    no_start = sample.replace("Enter the starting number N:\n>> 25\n", "")
    assert run(*game, "--start", "25", typed=f"Player 1\n{moves}") == no_start
    no_first = sample.replace("Who will go first? (Enter Player 1 or Player 2)\n>> Player 1\n", "")
    assert run(*game, "--first", "1", typed=f"25\n{moves}") == no_first


def test_who_goes_first_is_understood() -> None:
    game = ["play", "digit-subtraction-duel", "--names", "Alice,Bob"]
    answers = dict.fromkeys(["2", "Player 2", "bob", "BOB"], "Bob") | {"": "Alice"}
    for answer, name in answers.items():
        out = run(*game, typed=f"\nnobody\n{answer}\nquit\n")
        assert 'There is no player "nobody". Enter Alice or Bob.' in out
        assert "Current N: 25\n" in out, "Enter takes the default"
        assert f"{name}, enter the digit to subtract:" in out
