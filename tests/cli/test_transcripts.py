"""What is shown: the rulebooks' samples, ends of matches, and lines that break between words."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel.cli.layout import wrapped
from numduel.games import keys
from numduel.wording import brief
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
    for answer, name in (("BOB", "Bob"), ("", "Alice")):
        out = run(*game, typed=f"\nnobody\n{answer}\nquit\n")
        assert 'There is no player "nobody". Enter Alice or Bob.' in out
        assert f"Current N: 25\nAvailable digits to subtract: 2, 5\n{name}, enter" in out


ENDS = {
    ("subtract-a-prime --start 3", "2"): "New number is: 1\n\nPlayer 2's turn.\n"
    "Valid primes to subtract: None\nPlayer 2 cannot make a valid move.\nPlayer 1 wins the game!\n",
    ("prime-subtractor --start 3 --names Alice,Bob", "2"): "New Total: 1\n\n--- Turn 2 ---\n"
    "Current Total: 1\nAvailable Primes: None\n"
    "Bob cannot make a valid move.\nAlice wins the game!\n",
    ("prime-subtractor --start 1", ""): "Available Primes: None\n"
    "Player 1 cannot make a valid move.\nPlayer 2 wins the game!\n",
    ("prime-subtractor --overshoot loses --names Alice,Bob", "13 13"): "You chose 13.\n"
    "New Total: -3\nBob drops the total below zero.\nAlice wins the game!\n",
    ("prime-subtractor --overshoot loses --names Alice,Bob --misere", "13 13"): "Alice wins the "
    "game!\n",
    ("prime-subtractor --set opening=any", "23"): "New Total: 0\nPlayer 1 wins the game!\n",
    ("divisor-duel --start 7", ""): "Game Start! Current Number (N): 7\n\nPlayer 1's turn.\n"
    "Proper divisors of 7: None\nNo valid moves left. Player 2 wins!\n",
    ("subtract-a-prime", "resign"): ": resign\nPlayer 1 resigns.\nPlayer 2 wins the game!\n",
    ("divisor-duel", "15 RESIGN"): "Player 2 resigns.\nPlayer 1 wins!\n",
    ("power-play --start 30", "resign"): "\n\nPlayer 1 resigns.\n\nPlayer 2 wins the game!\n",
    ("subtract-a-prime:3+divisor-duel:6", "2 1:3 2:7 3"): "1: Subtract a Prime 0. Legal moves: "
    "None\n2: Divisor Duel 3. Legal moves: None\n"
    "Player 1 cannot make a valid move.\nPlayer 2 wins the game!\n",
}


def test_the_ends_of_matches_and_a_penalty_that_passes() -> None:
    for (words, typed), end in ENDS.items():
        out = run("play", *words.split(), typed=typed.replace(" ", "\n"))
        assert out.endswith(end), words
    assert "2 can be played on several numbers: write 1:2 or 2:2." in out
    assert "Player 1 plays 3. Number 1 is now 0." in out
    assert "7 is not greater than 1 and less than 6." in out
    out = run("play", "power-play:50", "--penalty", "3", typed="4\n\n?\nx\n5\n2\n5\n")
    assert "\n\nPlayer 1 loses the turn after 3 invalid inputs.\n\n---\n\nCurrent N is 50.\n" in out
    assert out.endswith("Player 2 wins the game!\n")


def test_misere_shows_the_same_lines_and_the_other_winner() -> None:
    plain = run("play", "subtract-a-prime", typed="11\n7\n2\n")
    misere = run("play", "subtract-a-prime", "--misere", typed="11\n7\n2\n")
    rule = "Misère:\nTake away a prime. If you can't, because 0 or 1 is left, you win.\n"
    assert rule in misere
    other = plain.replace("Player 1 wins the game!", "Player 2 wins the game!")
    assert misere.replace(rule, "") == other
    assert run("play", "subtract-a-prime~misere", typed="11\n7\n2\n") == misere


def test_digits_are_listed_once_and_long_lists_are_shortened() -> None:
    game = ["play", "digit-subtraction-duel", "--first", "1"]
    for start, digits in (("41", "4, 1"), ("100332", "1, 3, 2"), ("990", "9")):
        out = run(*game, "--start", start, typed="quit\n")
        assert f"Available digits to subtract: {digits}\n" in out
    out = run("play", "subtract-a-prime", "--start", "1000", typed="moves\nquit\n")
    listed, longer = (next(line for line in out.split("\n") if line.startswith(head))
                      for head in ("Valid primes", "Legal moves"))  # fmt: skip
    assert len(listed) < len(longer) < 400
    out = run("play", "divisor-duel", "--start", "5040", typed="quit\n")
    assert "Proper divisors of 5040: 2,3,4,5,6,7,...,1260,1680,2520 (58 in all)\n" in out


def test_a_computers_move_fills_in_the_prompt_and_two_are_never_asked() -> None:
    out = run("play", "subtract-a-prime", "--p2", "largest", typed="11\n2\n")
    assert (
        "Greedy's turn.\nValid primes to subtract: 2, 3, 5, 7\n"
        "Enter the prime number to subtract: 7\nGreedy chose to subtract 7.\n"
        "New number is: 2\n"
    ) in out
    assert "You chose to subtract 11." in out
    out = run("play", "digit-subtraction-duel", "--p1", "largest", "--p2", "largest")
    assert out.startswith("Welcome to Digit Subtraction Duel!\n\nCurrent N: 25\n")
    out = run("play", "power-play", "--p1", "largest", "--p2", "random", "--seed", "4")
    assert out.startswith("Welcome to Power Play!\n\nPlayer 1 will start first.\n\n---\n")


def test_huge_numbers_are_played_and_those_too_large_to_factor_refused_in_words() -> None:
    out = run("play", "subtract-a-prime", "--start", str(10**99 + 6), typed="4\n2\nquit\n")
    assert "4 is not prime." in out
    assert f"New number is: {10**99 + 4}\n" in out
    assert max(map(len, out.split("\n"))) < 300
    hard = (10**40 + 121) * (10**41 + 109)
    out = run("play", "divisor-duel", "--start", str(2 * hard), typed="moves\n2\nquit\n")
    known = f"2,{brief(hard)}"
    assert f": {known},... (not all known, too large to factor: more than 50 digits)" in out
    assert f"New N is {2 * hard - 2}." in out
    out = run("play", "divisor-duel", "--start", str(hard), typed="quit\n")
    assert "not listed (too large to factor: more than 50 digits)" in out
    said = run("play", "power-play", "--start", str(hard), code=2)
    assert "is too large to factor" in said
    assert "the limit is 50." in said
    assert "too large to factor" in run("solve", f"power-play:{hard}", code=1)


def test_an_own_rule_is_read_in_the_words_that_numduel_says_it_with() -> None:
    assert "Take away 1, 3 or 4. Whoever" in run("rules", "Take away 1, 3 or 4")
    assert "the traps repeat every 4." in run("map", "subtract 1, 2 or 3")
    said = run("play", "Halve or take 1: 8", "--no-save", typed="Halve\n1\nhalve\nquit\n")
    assert "Player 1 plays ÷2. The number is now 4.\n" in said
    assert '"halve" is not a division that the rule allows here.' in said
    assert "Subtract a Prime\n===" in run("rules", "Subtract a Prime"), "the game comes first"


def test_puzzles_of_an_own_rule_have_one_winning_move() -> None:
    for rule in ("subtract-4-1-3", "subtract-square"):
        asked = json.loads(run("puzzle", rule, "--json", "--seed", "3"))
        verdict = json.loads(run("solve", asked["board"], "--json"))
        assert verdict["winning_moves"] == [asked["solution"]]


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
