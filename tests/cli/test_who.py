"""Who is who: one person against the computer reads "You" and the computer's own name."""

import json
import re
from pathlib import Path

import pytest

from numduel.board import Board
from numduel.cli.menu import OPPONENTS
from numduel.games import keys, load
from numduel.match import DEFAULT_NAMES, read_records
from numduel.wording.players import KINDS, computer_name, player_word
from numduel.wording.rules import rule_in_short
from terminal import run

WRONG = re.compile(r"\b[Yy]ou(?:'s| \w+s\b(?<!yes))|Player [12](?!:)")
"""Grammar that is not English after "you", and the names that nobody has here."""
MOVES = "".join(f"{number}\n" for number in range(1, 61)) * 20
"""Whatever is asked for, something of this is legal."""


@pytest.mark.parametrize("first", ["1", "2"])
@pytest.mark.parametrize("game", keys())
def test_you_and_the_computer_with_their_grammar(game: str, first: str, tmp_path: Path) -> None:
    words = ["play", game, "--first", first, "--p2", "level:1", "--no-save"]
    words += ["--start", str(load(game).default_start)]
    seen = run(*words, "--seed", "1", typed=MOVES)
    how = "" if game == "power-play" else ", who misses half of the chances to win"
    assert f"\nYou play against Dot{how}.\n" in f"\n{seen}"
    rule = " ".join(rule_in_short(Board.of(load(game), 25)))
    assert rule in " ".join(seen.partition("nter ")[0].split()), "before the first prompt"
    assert re.search(r"You win\b.*!|Dot wins\b.*!", seen.splitlines()[-1]), seen
    assert not WRONG.search(seen), WRONG.search(seen)
    record = tmp_path / "match.txt"
    run(*words, "--record", str(record), typed="resign\n")
    [kept] = read_records(record.read_text())
    assert kept.setup.names == DEFAULT_NAMES
    assert kept.players == ("person", "level:1")


def test_json_and_given_names_and_two_people_stay_as_they_are() -> None:
    for options in ("--json --p2 level:1", "--names Anna,Ben --p2 level:1", ""):
        out = run("play", "subtract-a-prime", *options.split(), typed="resign\n")
        assert "You" not in out
        assert "Dot" not in out


def test_resigning_to_every_computer_a_lost_turn_and_a_series() -> None:
    for word in KINDS:
        for seat in (0, 1):
            options = [f"--p{2 - seat}", word, "--first", str(seat + 1), "--no-save"]
            out = run("play", "subtract-a-prime", *options, typed="resign\n")
            assert out.endswith(f"You resign.\n{computer_name(word)} wins the game!\n")
    words = ["play", "power-play", "--start", "8", "--p2", "largest", "--no-save", "--first", "1"]
    out = run(*words, "--penalty", "1", typed="7\nresign\n")
    assert "You lose the turn after 1 invalid inputs." in out
    out = run(*words, "--best-of", "3", typed="2\n2\n2\n2\n2\n2\n2\n")
    assert "You 1, Greedy 0." in out
    assert re.search(r"^(You win|Greedy wins) the series!$", out, re.MULTILINE)


def test_misere_and_variants_are_announced_and_the_usual_rules_not() -> None:
    game = ["play", "divisor-duel", "--no-save", "--set"]
    for more, head, end in (([], "", "you lose"), (["--misere"], "Misère, ", "you win")):
        out = run(*game, "divisors=odd", *more, typed="quit\n")
        begun, _, _ = out.partition("Player 1's turn.")
        assert f"{head}divisors=odd:\nTake away an odd divisor of the number" in begun
        assert end in begun
    out = run(*game, "divisors=all", typed="quit\n")
    assert out.startswith("Game Start! Current Number (N): 60\n\nPlayer 1's turn.\n")


def test_computers_answer_to_their_names() -> None:
    for name in ("vera", "VERA", "Level:5"):
        out = run("play", "divisor-duel", "--p2", name, typed="15\nquit\n")
        assert "You play against Vera" in out
        shown = run("show")
        assert "Player 1: person\nPlayer 2: Vera, level:5\n" in shown
        assert "1. Player 1: 15 -> 45\n2. Vera: " in shown
    assert [player_word(name) for name in OPPONENTS] == [*OPPONENTS.values()]
    for word in ("person", "engine:./A", "Nobody"):
        assert player_word(word) == word
    run("arena", "--player", "dot", "--player", "Pip", "--board", "divisor-duel:6")


def test_leaving_says_whether_the_match_is_kept_and_how_to_go_on() -> None:
    out = run("play", "divisor-duel", typed="15\nquit\n")
    assert out.endswith("\nThe match is saved. Continue with: numduel resume 1\n")
    for game in ("divisor-duel", "power-play"):  # the second asks for a start first
        out = run("play", game, typed="quit\n")
        assert out.endswith("quit\nNo move was played, so there is nothing to save.\n")
    for option in ("--no-save", "--json"):
        assert "saved" not in run("play", "divisor-duel", option, typed="15\nquit\n")
    for word in ("quit", "q", "exit"):
        assert "is not" not in run("learn", "divisor-duel", typed=f"{word}\n")


PLAYS = {
    "--p2 largest": "You against Greedy",
    "--p1 largest": "Greedy against you",
    "--p2 largest --names Anna,Ben": "Anna against Ben (Greedy)",
    "": "Player 1 against Player 2",
}


def test_history_and_analysis_say_who_was_the_computer() -> None:
    for options, players in PLAYS.items():
        run("play", "divisor-duel", "--first", "1", *options.split(), typed="15\nquit\n")
        for words in (["history", "--last", "1"], ["analyse"]):
            assert f"Divisor Duel from 60: {players}, unfinished after " in run(*words)
        names = json.loads(run("history", "--json"))[-1]["names"]
        assert names == (["Anna", "Ben"] if "Anna" in options else [*DEFAULT_NAMES])


def test_the_accuracy_told_is_the_persons_own() -> None:
    game = ["play", "divisor-duel:12", "--p2", "largest"]
    run(*game, typed="3\n3\n")
    out = run("analyse")
    assert out.startswith("Divisor Duel from 12: You won against Greedy in ")
    assert re.search(r"^Your accuracy: \d of \d \(\d+%\)\.$", out, re.MULTILINE), out
    assert "Accuracy" not in out
    found = json.loads(run("analyse", "--json"))
    assert (found["names"], len(found["accuracy"])) == ([*DEFAULT_NAMES], 2), "in JSON both"
    run(*game, "--names", "Anna,Ben", typed="3\n3\n")
    assert "\nAnna's accuracy: " in run("analyse")
    run("play", "divisor-duel:12", "--p1", "largest", typed="resign\n")
    assert run("stats").splitlines()[1].startswith("  Greedy   won 2 of 3"), "by any name"
