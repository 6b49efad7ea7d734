"""Who is who: one person against the computer reads "You" and the computer's own name."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from numduel.cli.menu import OPPONENTS
from numduel.games import keys, load
from numduel.match import DEFAULT_NAMES, read_records
from numduel.wording.players import KINDS, computer_name, player_word
from terminal import piped

WRONG = re.compile(r"\b[Yy]ou(?:'s| \w+s\b(?<!yes))|Player [12](?!:)")
"""Grammar that is not English after "you", and the names that nobody has here."""


def played(game: str, *options: str, first: str = "1", place: str) -> str:
    """A whole match, the smallest move each turn."""
    words = ["play", game, "--first", first, "--seed", "1", *options]
    start = ["--start", str(load(game).default_start)]
    moves: list[str] = []
    for _ in range(60):
        out, _, code = piped(
            [*words, *start], "".join(f"{m}\n" for m in moves), NUMDUEL_DATABASE_URL=place
        )
        if code == 0:
            return out
        asked = json.loads(
            piped([*words, *start, "--json"], "".join(f"{m}\n" for m in [*moves, "moves"]),
                  NUMDUEL_DATABASE_URL=place)[0].splitlines()[-1]
        )  # fmt: skip
        moves.append(asked["moves"][0])
    raise AssertionError("the match does not end")


@pytest.mark.parametrize("game", keys())
@pytest.mark.parametrize("first", ["1", "2"])
def test_you_and_the_computers_name_with_their_grammar(
    game: str, first: str, tmp_path: Path
) -> None:
    record = tmp_path / "match.txt"
    place = str(tmp_path / "history.sqlite3")
    seen = played(game, "--p2", "level:1", first=first, place=place)
    assert "\nYou play against Dot, who misses half of the wins.\n" in f"\n{seen}"
    assert re.search(r"You win\b.*!|Dot wins\b.*!", seen.splitlines()[-1]), seen
    assert not WRONG.search(seen), WRONG.search(seen)
    lines = ["play", game, "--p2", "level:1", "--record", str(record), "--first", first]
    piped(
        [*lines, "--start", str(load(game).default_start)], "resign\n", NUMDUEL_DATABASE_URL=place
    )
    [kept] = read_records(record.read_text())
    assert kept.setup.names == DEFAULT_NAMES
    assert kept.players == ("person", "level:1")


def test_json_and_given_names_and_two_people_stay_as_they_are(tmp_path: Path) -> None:
    place = str(tmp_path / "history.sqlite3")
    for options in (["--json", "--p2", "level:1"], ["--names", "Anna,Ben", "--p2", "level:1"], []):
        words = ["play", "subtract-a-prime", *options]
        out, _, _ = piped(words, "resign\n", NUMDUEL_DATABASE_URL=place)
        assert "You" not in out
        assert "Dot" not in out


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("word", KINDS)
def test_resigning_to_every_computer(word: str, seat: int) -> None:
    out, _, _ = piped(
        ["play", "subtract-a-prime", f"--p{2 - seat}", word, "--first", str(seat + 1), "--no-save"],
        "resign\n",
    )
    name = computer_name(word)
    assert out.endswith(f"You resign.\n{name} wins the game!\n")


def test_the_winner_of_a_series_and_a_lost_turn() -> None:
    words = ["play", "power-play", "--start", "8", "--p2", "largest", "--no-save", "--first", "1"]
    out, _, _ = piped([*words, "--penalty", "1"], "7\nresign\n")
    assert "You lose the turn after 1 invalid inputs." in out
    out, _, _ = piped([*words, "--best-of", "3"], "2\n2\n2\n2\n2\n2\n2\n")
    assert "You 1, Greedy 0." in out
    assert re.search(r"^(You win|Greedy wins) the series!$", out, re.MULTILINE)


RULES = {
    ("--misere",): "Misère:\nTake away a divisor of the number",
    ("--set", "divisors=odd"): "divisors=odd:\nTake away an odd divisor of the number",
    ("--misere", "--set", "divisors=odd"): "Misère, divisors=odd:\nTake away an odd divisor",
}


@pytest.mark.parametrize("options", RULES, ids=" ".join)
def test_misere_and_variants_are_announced(options: tuple[str, ...]) -> None:
    out, _, _ = piped(["play", "divisor-duel", "--no-save", *options], "quit\n")
    begun, _, _ = out.partition("Player 1's turn.")
    assert RULES[options] in begun
    assert ("you win" if "--misere" in options else "you lose") in begun


def test_the_usual_rules_are_not_announced() -> None:
    out, _, _ = piped(["play", "divisor-duel", "--no-save", "--set", "divisors=all"], "quit\n")
    assert out.startswith("Game Start! Current Number (N): 60\n\nPlayer 1's turn.\n")


@pytest.mark.parametrize("name", ["vera", "VERA", "Level:5"])
def test_a_computer_answers_to_its_name(tmp_path: Path, name: str) -> None:
    place = {"NUMDUEL_DATABASE_URL": str(tmp_path / "history.sqlite3")}
    out, _, code = piped(["play", "divisor-duel", "--p2", name], "15\nquit\n", **place)
    assert code == 0
    assert "You play against Vera" in out
    shown, _, _ = piped(["show"], **place)
    assert "Player 1: person\nPlayer 2: Vera, level:5\n" in shown
    assert "1. Player 1: 15 -> 45\n2. Vera: " in shown


def test_every_name_of_the_menu_is_known() -> None:
    assert [player_word(name) for name in OPPONENTS] == [*OPPONENTS.values()]
    assert [player_word(name) for name in ("person", "engine:./A", "Nobody")] == [
        "person", "engine:./A", "Nobody",
    ]  # fmt: skip
    _, err, code = piped(["arena", "--player", "dot", "--player", "Pip", "--rounds", "1",
                          "--board", "divisor-duel:6"])  # fmt: skip
    assert code == 0, err


def test_leaving_before_the_first_move_says_that_nothing_is_saved(tmp_path: Path) -> None:
    place = {"NUMDUEL_DATABASE_URL": str(tmp_path / "history.sqlite3")}
    piped(["play", "power-play", "--start", "30"], "2\nquit\n", **place)
    for game in ("divisor-duel", "power-play"):  # the second asks for a start first
        out, _, _ = piped(["play", game], "quit\n", **place)
        assert out.endswith("quit\nNo move was played, so there is nothing to save.\n")
    out, _, _ = piped(["resume"], "quit\n", **place)
    found = re.match("Match 1 continues: Power Play from 30, after 1 turn. It is your latest "
                     r"unfinished match, from \d{4}-\d\d-\d\d \d\d:\d\d\.\n", out)  # fmt: skip
    assert found, out


def test_leaving_says_that_the_match_is_kept_and_how_to_go_on(tmp_path: Path) -> None:
    place = {"NUMDUEL_DATABASE_URL": str(tmp_path / "history.sqlite3")}
    out, _, _ = piped(["play", "divisor-duel"], "15\nquit\n", **place)
    found = re.search(r"\nThe match is saved\. Continue with: numduel (resume \d+)\n$", out)
    assert found, out
    again, _, code = piped(found[1].split(), "15\nquit\n", **place)
    assert code == 0
    assert "continues: Divisor Duel from 60, after 1 turn." in again
    for words, typed in ((["--no-save"], "15\nquit\n"), ([], "quit\n"), (["--json"], "15\nquit\n")):
        out, _, _ = piped(["play", "divisor-duel", *words], typed, **place)
        assert "is kept" not in out


def test_an_analysis_names_the_computer(tmp_path: Path) -> None:
    place = {"NUMDUEL_DATABASE_URL": str(tmp_path / "history.sqlite3")}
    piped(["play", "divisor-duel:6", "--p2", "level:4"], "3\n", **place)
    out, _, _ = piped(["analyse"], **place)
    assert out.startswith("Divisor Duel from 6: You won against Otto in 1 turn.\n")
    assert json.loads(piped(["analyse", "--json"], **place)[0])["names"] == list(DEFAULT_NAMES)


PLAYS = {
    ("--p2", "largest"): "You against Greedy",
    ("--p1", "largest"): "Greedy against you",
    ("--p2", "largest", "--names", "Anna,Ben"): "Anna against Ben (Greedy)",
    (): "Player 1 against Player 2",
}


@pytest.mark.parametrize("options", PLAYS, ids=" ".join)
def test_history_and_analysis_say_who_was_the_computer(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    place = {"NUMDUEL_DATABASE_URL": str(tmp_path / "history.sqlite3")}
    piped(["play", "divisor-duel", "--first", "1", *options], "15\nquit\n", **place)
    for command in ("history", "analyse"):
        out, _, _ = piped([command], **place)
        assert f"Divisor Duel from 60: {PLAYS[options]}, unfinished after " in out
    out, _, _ = piped(["history", "--json"], **place)
    assert json.loads(out)[0]["names"] == (
        ["Anna", "Ben"] if "--names" in options else [*DEFAULT_NAMES]
    )


def test_the_accuracy_told_is_the_persons_own(tmp_path: Path) -> None:
    place = {"NUMDUEL_DATABASE_URL": str(tmp_path / "history.sqlite3")}
    game = ["play", "divisor-duel:12", "--p2", "largest"]
    piped(game, "3\n3\n", **place)
    out, _, _ = piped(["analyse"], **place)
    assert re.search(r"^Your accuracy: \d of \d \(\d+%\)\.$", out, re.MULTILINE), out
    assert "Accuracy" not in out
    found = json.loads(piped(["analyse", "--json"], **place)[0])
    assert [len(found["accuracy"])] == [2], "programs are told both"
    piped([*game, "--names", "Anna,Ben"], "3\n3\n", **place)
    assert "\nAnna's accuracy: " in piped(["analyse"], **place)[0]
    piped(["play", "divisor-duel:12", "--p1", "largest"], "resign\n", **place)
    rows = [line.split()[:6] for line in piped(["stats"], **place)[0].splitlines()[1:3]]
    assert rows == [
        ["Divisor", "Duel", "Anna", "Greedy", "1", "1"],
        ["Divisor", "Duel", "You", "Greedy", "2", "1"],
    ]
