"""`map` at the prompt, and maps at the width of the terminal."""

from __future__ import annotations

import re

import pytest

from numduel import Board, solve
from numduel.games import keys, load
from terminal import on_terminal, run, terminal_after


def mapped(seen: str) -> dict[int, str]:
    """The numbers of the last map, each with the sign before it."""
    rows = re.findall(r"^(?:[ \[>] *\d+[ \]<]?)+$", seen, re.MULTILINE)
    return {int(n): sign for row in rows for sign, n in re.findall(r"([ \[>]) *(\d+)", row)}


@pytest.mark.parametrize("misere", ["", "~misere"])
def test_the_map_shows_where_you_are_and_what_is_lost(misere: str) -> None:
    for game in keys():
        here = load(game).default_start
        board = f"{game}:{here}{misere}"
        out = run("play", board, "--no-save", "--first", "1", typed="map\nquit\n")
        cells = mapped(out)
        assert cells.pop(here) == ">"
        assert max(cells) <= -(-here // 10) * 10
        for number, sign in cells.items():
            text = f"{game}:{number}{',opening=any' if game == 'prime-subtractor' else ''}{misere}"
            assert (sign == "[") == (solve(Board.parse(text)).outcome == "loss"), text
        trap = "a" if solve(Board.parse(board)).outcome == "loss" else "no"
        assert f">{here}<: you are here, and it is {trap} trap.\n" in out


def test_a_map_that_cannot_be_drawn_is_a_sentence_and_costs_nothing() -> None:
    for board, said in (
        ("divisor-duel:123456789", "A map goes up to a number from 1 to 10000, not 123456789."),
        ("divisor-duel:60+power-play:30", "A map shows one number, but the board has 2."),
    ):
        out = run("play", board, "--no-save", typed="map\nquit\n")
        assert f"{said}\n" in out
        assert out.count("Player 1's turn.") == 1


def test_a_map_takes_the_columns_that_there_are() -> None:
    for columns, in_a_row in ((40, 5), (80, 10), (120, 20)):
        seen, code = on_terminal(["map", "divisor-duel"], [], columns)
        assert code == 0
        row = next(line for line in seen.splitlines() if "60" in line)
        assert len(re.findall(r"\d+", row)) == in_a_row
        values, _ = on_terminal(["map", "divisor-duel", "--as", "values"], [], columns)
        played, _ = on_terminal(["play", "divisor-duel:60"], ["map", "quit"], columns)
        assert max(map(len, (seen + values + played).splitlines())) <= columns


def test_the_turn_and_the_new_number_stand_out_in_colour() -> None:
    game = ["play", "divisor-duel", "--no-save"]
    terminal, _ = terminal_after(game, ["15", "map", "quit"], NO_COLOR="")
    assert terminal.looks("Player 2's turn.") == {"bold cyan"}
    assert terminal.looks("Subtracting 15 from 60. New N is 45.") == {"bold default"}
    assert "bold reverse default" in terminal.looks(">45<")
    plain, _ = terminal_after(game, ["15", "map", "quit"])
    assert plain.looks() == {"default"}
    shorn = [re.sub(r" +$", "", one.screen, flags=re.MULTILINE) for one in (terminal, plain)]
    assert shorn[0] == shorn[1]
    terminal, _ = terminal_after(["map", "divisor-duel", "--to", "6"], [], NO_COLOR="")
    assert "bold brown" in terminal.looks()  # ANSI's yellow
