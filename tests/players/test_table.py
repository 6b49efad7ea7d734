"""The table of players: each is described, offered, and as strong as it says."""

from __future__ import annotations

import re
from random import Random

import pytest
from tools.strength import wins_kept

from numduel.board import Board
from numduel.errors import InvalidSetup
from numduel.players import COMPUTERS, LADDER, PERSON, make_computer, next_rung, player_words
from numduel.players.levels import winning_at_once
from numduel.wording import players as said
from terminal import Terminal, piped


def test_players_are_as_strong_as_the_table_says() -> None:
    """The tool repeats its matches, so this does not depend on luck."""
    measured = {word: wins_kept(word, 300) for word in COMPUTERS}
    claimed = {word: computer.keeps for word, computer in COMPUTERS.items()}
    assert measured == pytest.approx(claimed, abs=0.03)
    assert measured["level:5"] == measured["perfect"] == 1
    levels = [claimed[f"level:{level}"] for level in range(1, 6)]
    assert levels == sorted(levels)
    assert [claimed[word] for word in LADDER] == sorted(claimed[word] for word in LADDER)


def test_the_ladder_goes_up_rung_by_rung() -> None:
    assert [next_rung(word) for word in LADDER] == [*LADDER[1:], None]
    assert LADDER[0] == "beginner"
    assert [next_rung(word) for word in ("person", "perfect", "random", "nobody")] == [None] * 4


def test_the_first_rung_overlooks_most_wins_at_once() -> None:
    """Each of these boards can be won by one move, among others that do not end the match."""
    for text in ("subtract-a-prime:18", "prime-subtractor:12"):
        board = Board.parse(text)
        assert winning_at_once(board) is not None
        players = (make_computer("beginner", Random(seed)) for seed in range(200))
        assert sum(board.play(one.choose(board)).is_over for one in players) < 60


def test_every_player_is_described_and_no_other() -> None:
    assert {*said.KINDS} == {*COMPUTERS} == {*player_words()} - {PERSON}
    assert said.offered("level:3") == "Iris misses one win in seven"
    assert said.offered("perfect") == "Perfect wins whatever can be won"
    assert len({said.computer_name(word) for word in COMPUTERS}) == len(COMPUTERS)
    assert len({said.how_it_plays(word) for word in COMPUTERS}) == len(COMPUTERS)


def test_help_and_menu_say_the_same_of_a_player() -> None:
    helped = piped(["play", "--help"])[0]
    for word in COMPUTERS:
        (line,) = (one for one in helped.splitlines() if re.match(rf"    {word}\b", one))
        assert line.endswith(f"  {said.how_it_plays(word)}")
    with Terminal() as menu:
        menu.type("")
        menu.wait_for_prompt()
        assert "5  Iris     misses one win in seven" in menu.screen
        assert "8  Perfect  wins whatever can be won" in menu.screen


def test_a_computer_is_no_person_and_no_program() -> None:
    for word in ("person", "Random", "engine:true", "llm:m@http://localhost:1/", "level:6"):
        with pytest.raises(InvalidSetup, match="no player called") as caught:
            make_computer(word, Random())
        assert caught.value.known == [*COMPUTERS]
