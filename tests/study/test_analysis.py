"""Analysis: each verdict against plain search, and what is said about it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from match.test_board import boards
from numduel import Board
from numduel.match import Record, Referee, Setup, read_word
from numduel.solver import Search
from numduel.study.analysis import Analysis, analyse, as_json, outcome
from numduel.study.report import judgement, lines


def of(word: str) -> Analysis:
    return analyse(read_word(word))


def test_the_sample_match_of_divisor_duel() -> None:
    analysis = of("divisor-duel:60/15.15.15.5.5")
    assert [judged.outcome_before for judged in analysis.moves] == ["win", "loss"] * 2 + ["win"]
    assert [judged.outcome_after for judged in analysis.moves] == ["win", "loss"] * 2 + ["win"]
    assert analysis.turning_point is None
    assert analysis.kept(0) == (2, 2), "at 10 every move wins: there was nothing to keep"
    assert analysis.accuracy(1) is None


def test_a_thrown_away_win() -> None:
    analysis = of("divisor-duel:60/15.15.2.14.7")
    point = analysis.turning_point
    assert point is not None
    assert (point.turn, point.player, point.written) == (3, 0, "2")
    assert point.board.write_move(point.best) == "3" if point.best else False
    assert analysis.accuracy(0) == 2 / 3
    assert lines(analysis)[4:6] == [
        "3. Player 1  2 -> 28   ! threw the win away; 3 kept it",
        "4. Player 2  14 -> 14  ! threw the win away; 7 kept it",
    ]
    assert lines(analysis)[-2:] == [
        "First turning point: turn 3, Player 1.",
        "Accuracy: Player 1 2 of 3 (67%), Player 2 0 of 1 (0%).",
    ]


@pytest.mark.parametrize("word", ["power-play:50/5.2.5", "power-play:30/pass.2/first=2,penalty=3"])
def test_power_play_has_no_accuracy(word: str) -> None:
    analysis = of(word)
    assert [analysis.accuracy(player) for player in (0, 1)] == [None, None]
    assert lines(analysis)[-3:] == [
        "Accuracy: Player 1 -, Player 2 -.",
        "In Power Play the start says how many moves there will be, whatever anyone plays.",
        "No move throws a win away, so there is no accuracy.",
    ]


def test_a_lost_turn_can_cost_the_win() -> None:
    analysis = of("power-play:30/pass/penalty=3")
    assert analysis.moves[0].mistake
    assert "! lost the turn, and with it the win" in lines(analysis)[2]


def test_resigning_a_won_match_is_told() -> None:
    assert "Player 1 resigned with a win on the board." in lines(of("divisor-duel:60//resigned=1"))
    assert not of("divisor-duel:60/15/resigned=2").resigned_won
    assert not of("divisor-duel:60/15/resigned=1").resigned_won, "it was the other's turn"
    assert lines(of("divisor-duel:60/"))[2] == "No turn was played."


def test_what_is_too_large_is_said() -> None:
    huge = Board.parse(f"divisor-duel:{10**30 + 1}+digit-subtraction-duel:{10**30}~misere")
    assert outcome(huge) is None
    referee = Referee(Setup(huge))
    referee.begin()
    referee.enter("2:1")
    analysis = analyse(Record.of(referee))
    assert analysis.moves[0].outcome_before is None
    assert not analysis.moves[0].mistake
    assert "? too large to judge" in lines(analysis)[2]
    assert as_json(analysis)["moves"][0]["outcome_before"] is None


def test_what_is_said_where_little_is_known() -> None:
    judged = of("divisor-duel:60/2").moves[0]
    assert judgement(replace(judged, best=None)) == "! threw the win away"
    assert judgement(replace(judged, outcome_after=None)) == "? too large to judge"
    assert lines(replace(of("divisor-duel:60/2"), moves=()))[2] == "No turn was played."


def test_json_has_what_is_promised() -> None:
    found = as_json(of("divisor-duel:60/2.2.7"))
    assert found["turning_point"] == 1
    assert found["moves"][0] == {
        "turn": 1,
        "player": 1,
        "board": "divisor-duel:60",
        "move": "2",
        "outcome_before": "win",
        "outcome_after": "loss",
        "best": "3",
        "mistake": True,
    }
    assert found["accuracy"] == [0.5, 0.0]


@given(boards(2, 40), st.data())
def test_every_verdict_is_that_of_plain_search(board: Board, data: st.DataObject) -> None:
    referee = Referee(Setup(board))
    referee.begin()
    for _ in range(3):
        if not referee.over:
            referee.play(data.draw(st.sampled_from(list(referee.board.moves()))))
    search = Search(misere=board.misere)
    for judged in analyse(Record.of(referee)).moves:
        assert judged.move is not None
        before, after = search.lost(judged.board), search.lost(judged.board.play(judged.move))
        assert judged.outcome_before == ("loss" if before else "win")
        assert judged.outcome_after == ("win" if after else "loss")
        assert judged.mistake == (not before and not after)
        assert (judged.best is not None) == (not before)
        if judged.best:
            assert search.lost(judged.board.play(judged.best))
        wrong = [m for m in judged.board.moves() if not search.lost(judged.board.play(m))]
        assert judged.had_choice == (not before and bool(wrong))
