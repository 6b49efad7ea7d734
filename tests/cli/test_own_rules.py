"""Own rules at the command line: lists, rules, maps, matches and sequences take them."""

from __future__ import annotations

import json

from numduel.games.own.amounts import WORDS
from terminal import run


def test_the_grammar_is_shown_with_the_games() -> None:
    said = run("games")
    assert all(word in said for word in [*WORDS, "-or-", "halve", "divide-by-"])


def test_any_rule_is_explained_and_drawn() -> None:
    said = run("rules", "subtract-4-3")
    assert "Take away 3 or 4. If you can't, because less than 3 is left, you lose." in said
    said = run("map", "subtract-1-3-4", "--to", "20")
    assert "[ 7]" in said
    assert "Proved: the traps repeat every 7." in said
    assert "not proved" in run("map", "subtract-power-of-2", "--to", "20")
    lost = json.loads(run("map", "subtract-square", "--to", "1000", "--json"))["lost"]
    assert lost[:8] == [2, 5, 7, 10, 12, 15, 17, 20]


def test_a_match_is_played_and_a_division_is_typed() -> None:
    said = run("play", "halve-or-subtract-1:8", typed="/2\n1\n1\n/2\n/2\n1\n1\n")
    assert "Legal moves at 8: 1, /2" in said
    assert "Player 1 plays ÷2. The number is now 4." in said
    assert said.endswith("wins the game!\n")


def test_a_sequence_of_a_rule_comes_from_its_table() -> None:
    said = run("sequence", "subtract-1-to-3", "--kind", "P", "--terms", "5")
    assert [line.split()[1] for line in said.splitlines()] == ["0", "4", "8", "12", "16"]


def test_a_rule_is_read_in_the_words_that_numduel_says_it_with() -> None:
    assert "Take away 1, 3 or 4. Whoever" in run("rules", "Take away 1, 3 or 4")
    assert "the traps repeat every 4." in run("map", "subtract 1, 2 or 3")
    said = run("play", "Halve or take 1: 8", "--no-save", typed="Halve\n1\nhalve\nquit\n")
    assert "Player 1 plays ÷2. The number is now 4.\n" in said
    assert '"halve" is not a division that the rule allows here.' in said
    assert "Subtract a Prime\n===" in run("rules", "Subtract a Prime"), "the game comes first"


def test_puzzles_of_a_rule_have_one_winning_move() -> None:
    for rule in ("subtract-4-1-3", "subtract-square"):
        asked = json.loads(run("puzzle", rule, "--json", "--seed", "3"))
        verdict = json.loads(run("solve", asked["board"], "--json"))
        assert verdict["winning_moves"] == [asked["solution"]]
