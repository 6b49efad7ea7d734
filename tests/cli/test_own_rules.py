"""Own rules at the command line: lists, rules, maps, matches and sequences take them."""

from __future__ import annotations

import json
import subprocess

import pytest

from numduel.games.own.amounts import WORDS
from patience import PATIENT
from terminal import COMMAND, piped


def numduel(*arguments: str, answers: str = "") -> str:
    command = [*COMMAND, *arguments]
    done = subprocess.run(command, input=answers, capture_output=True, text=True, timeout=PATIENT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*arguments: str) -> str:
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=PATIENT)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


def test_the_grammar_is_shown_with_the_games() -> None:
    said = numduel("games")
    assert all(word in said for word in [*WORDS, "-or-", "halve", "divide-by-"])
    assert {"divisor-duel", "power-play"} <= {game["key"] for game in json.loads(
        numduel("games", "--json"))}  # fmt: skip


def test_any_rule_is_explained_and_drawn() -> None:
    said = numduel("rules", "subtract-4-3")
    assert "Take away 3 or 4. If you can't, because less than 3 is left, you lose." in said
    said = numduel("map", "subtract-1-3-4", "--to", "20")
    assert "[ 7]" in said
    assert "Proved: the traps repeat every 7." in said
    assert "not proved" in numduel("map", "subtract-power-of-2", "--to", "20")
    lost = json.loads(numduel("map", "subtract-square", "--to", "1000", "--json"))["lost"]
    assert lost[:8] == [2, 5, 7, 10, 12, 15, 17, 20]


def test_a_match_is_played_and_a_division_is_typed() -> None:
    said = numduel("play", "halve-or-subtract-1:8", "--no-save", answers="/2\n1\n1\n/2\n/2\n1\n1\n")
    assert "Legal moves at 8: 1, /2" in said
    assert "Player 1 plays ÷2. The number is now 4." in said
    assert "Player 1 wins the game!" in said or "Player 2 wins the game!" in said


def test_a_sequence_of_a_rule_comes_from_its_table() -> None:
    said = numduel("sequence", "subtract-1-to-3", "--kind", "P", "--terms", "5")
    assert [line.split()[1] for line in said.splitlines()] == ["0", "4", "8", "12", "16"]


def test_a_wrong_rule_is_a_usage_error_with_the_nearest() -> None:
    assert "Did you mean subtract-prime?" in refused("play", "subtract-pime:30")
    assert "Did you mean halve-or-subtract-1?" in refused("solve", "halve-or-take-1:9")
    for command in ("play", "map", "rules"):
        assert "Did you mean subtract-1-2?" in piped([command, "substract-1-2"])[1]


def test_a_rule_is_read_in_the_words_that_numduel_says_it_with() -> None:
    assert "Take away 1, 3 or 4. Whoever" in piped(["rules", "Take away 1, 3 or 4"])[0]
    assert "the traps repeat every 4." in piped(["map", "subtract 1, 2 or 3"])[0]
    moves = "Halve\n1\nhalve\nquit\n"
    said, _, _ = piped(["play", "Halve or take 1: 8", "--no-save"], moves)
    assert "Player 1 plays ÷2. The number is now 4.\n" in said
    assert '"halve" is not a division that the rule allows here.' in said
    assert "Subtract a Prime\n===" in piped(["rules", "Subtract a Prime"])[0], (
        "the game comes first"
    )


@pytest.mark.parametrize("command", ["arena", "play"])
def test_perfect_is_refused_where_it_could_not_play(command: str) -> None:
    """Before the first match, with what can be solved."""
    board = f"halve-or-subtract-1:{10**30}"
    if command == "play":
        said = refused("play", board, "--p2", "perfect", "--no-save")
    else:
        said = refused("arena", "--player", "perfect", "--player", "random", "--board", board)
    assert "can be solved" in said


def test_puzzles_of_a_rule_have_one_winning_move() -> None:
    for rule in ("subtract-4-1-3", "subtract-square"):
        asked = json.loads(numduel("puzzle", rule, "--json", "--seed", "3"))
        verdict = json.loads(numduel("solve", asked["board"], "--json"))
        assert verdict["winning_moves"] == [asked["solution"]]
    assert "Did you mean subtract-prime?" in refused("puzzle", "subtract-prme")
