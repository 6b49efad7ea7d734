"""The rulebooks' command-line samples, character for character, in a real terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from numduel.games import keys
from terminal import on_terminal, piped, terminal_after

TRANSCRIPTS = Path(__file__).parent.parent / "transcripts"
PLAYS = {
    "subtract-a-prime": ([], ["11", "7", "2"]),
    "prime-subtractor": (["--names", "Alice,Bob"], ["13", "7", "3"]),
    "divisor-duel": ([], ["15", "15", "15", "5", "5"]),
    "power-play": ([], ["50", "5", "2", "5"]),
    "digit-subtraction-duel": ([], ["25", "Player 1", "5", "2", "8", "1", "9"]),
}


@pytest.fixture(params=PLAYS)
def play(request: pytest.FixtureRequest) -> tuple[str, list[str], list[str]]:
    options, lines = PLAYS[request.param]
    sample = (TRANSCRIPTS / f"{request.param}.txt").read_text()
    return sample, ["play", request.param, *options], lines


def test_every_built_in_game_has_a_transcript() -> None:
    assert set(PLAYS) == {path.stem for path in TRANSCRIPTS.glob("*.txt")}
    assert set(PLAYS) <= set(keys())


def test_a_terminal_shows_the_sample(play: tuple[str, list[str], list[str]]) -> None:
    sample, arguments, lines = play
    assert on_terminal(arguments, lines) == (sample, 0)


def test_colour_changes_no_character(play: tuple[str, list[str], list[str]]) -> None:
    sample, arguments, lines = play
    terminal, code = terminal_after(arguments, lines, NO_COLOR="")
    assert len(terminal.looks()) > 2
    assert (terminal.screen, code) == (sample, 0)


def test_a_pipe_shows_the_sample(play: tuple[str, list[str], list[str]]) -> None:
    sample, arguments, lines = play
    assert piped(arguments, "\n".join(lines), apart=True) == (sample, "", 0)


def test_subtract_a_prime_says_its_number_where_no_move_has(tmp_path: Path) -> None:
    """The sample does not: it follows a move. `resume`, `undo` and `moves` follow none."""
    place = {"NUMDUEL_DATABASE_URL": str(tmp_path / "history.sqlite3")}
    out, _, _ = piped(["play", "subtract-a-prime"], "11\nmoves\n7\nundo\nquit\n", **place)
    assert "Legal moves at 9: 2, 3, 5, 7\n" in out
    turn = "The number is 9.\n\nPlayer 2's turn.\nValid primes to subtract: 2, 3, 5, 7\n"
    assert f"The last turn is taken back.\n{turn}" in out
    assert out.count("The number is") == 1
    out, _, _ = piped(["resume", "1"], "quit\n", **place)
    assert f"after 1 turn.\n{turn}" in out


def test_without_names_prime_subtractor_leaves_its_name_lines_out() -> None:
    sample = (TRANSCRIPTS / "prime-subtractor.txt").read_text()
    expected = re.sub(r"Player \d: \w+\n", "", sample)
    expected = expected.replace("Alice", "Player 1").replace("Bob", "Player 2")
    assert on_terminal(["play", "prime-subtractor"], ["13", "7", "3"]) == (expected, 0)


def test_an_option_drops_its_question_and_the_blank_line() -> None:
    sample = (TRANSCRIPTS / "power-play.txt").read_text()
    expected = sample.replace("\nEnter the starting number (greater than 1): 50\n", "")
    seen, _ = on_terminal(["play", "power-play", "--start", "50"], ["5", "2", "5"])
    assert seen == expected
    sample = (TRANSCRIPTS / "digit-subtraction-duel.txt").read_text()
    moves = ["5", "2", "8", "1", "9"]
    game = ["play", "digit-subtraction-duel"]
    no_start = sample.replace("Enter the starting number N:\n>> 25\n", "")
    assert on_terminal([*game, "--start", "25"], ["Player 1", *moves])[0] == no_start
    no_first = sample.replace("Who will go first? (Enter Player 1 or Player 2)\n>> Player 1\n", "")
    assert on_terminal([*game, "--first", "1"], ["25", *moves])[0] == no_first


def test_enter_takes_the_default_start() -> None:
    seen, _ = on_terminal(["play", "power-play"], ["", "quit"])
    assert "Current N is 30." in seen
    seen, _ = on_terminal(["play", "digit-subtraction-duel"], ["", "", "quit"])
    assert "Current N: 25\n" in seen
    assert "Player 1, enter the digit" in seen


@pytest.mark.parametrize("answer", ["2", "Player 2", "player 2", "bob", "BOB"])
def test_who_goes_first_is_understood(answer: str) -> None:
    game = ["play", "digit-subtraction-duel", "--names", "Alice,Bob", "--start", "25"]
    seen, _ = on_terminal(game, ["nobody", answer, "quit"])
    assert 'There is no player "nobody". Enter Alice or Bob.' in seen
    assert "Bob, enter the digit to subtract:" in seen
