"""Analysis: each verdict against plain search, and what is said about it."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from match.test_board import boards
from numduel import Board
from numduel.analysis import Analysis, Judgement, analyse, as_json, judge, outcome, read_json
from numduel.match import Record, Referee, Setup, read_notation
from numduel.solver import Search
from numduel.wording.analysis import conclusions, judgement, rows, turn_lines


def of(word: str) -> Analysis:
    return analyse(read_notation(word))


def lines(analysis: Analysis) -> list[str]:
    """What is said of the turns, and in the end."""
    return [*(line for line, _ in turn_lines(analysis)), *conclusions(analysis)]


def test_a_thrown_away_win_and_none() -> None:
    analysis = of("divisor-duel:60/15.15.15.5.5")
    assert [judged.outcome_before for judged in analysis.moves] == ["win", "loss"] * 2 + ["win"]
    assert [judged.outcome_after for judged in analysis.moves] == ["win", "loss"] * 2 + ["win"]
    assert analysis.turning_point is None
    assert analysis.kept(0) == (2, 2), "at 10 every move wins: there was nothing to keep"
    assert analysis.accuracy(1) is None
    analysis = of("divisor-duel:60/15.15.2.14.7")
    point = as_json(analysis)["moves"][2]
    assert as_json(analysis)["turning_point"] == point["turn"] == 3
    assert (point["player"], point["move"], point["best"]) == (1, "2", "3")
    assert analysis.accuracy(0) == 2 / 3
    assert lines(analysis)[2:4] == [
        "3. Player 1  2 -> 28   ! mistake: 3 would have won",
        "4. Player 2  14 -> 14  ! mistake: 7 would have won",
    ]
    assert lines(analysis)[-2:] == [
        "Turn 3 was the first turning point: Player 1 played 2, but 3 would have kept the win.",
        "Accuracy: Player 1 2 of 3 (67%), Player 2 0 of 1 (0%).",
    ]
    found = as_json(of("divisor-duel:60/2.2.7"))
    assert (found["turning_point"], found["accuracy"]) == (1, [0.5, 0.0])
    assert found["moves"][0] == {
        "turn": 1, "player": 1, "board": "divisor-duel:60", "move": "2", "outcome_before": "win",
        "outcome_after": "loss", "best": "3", "judgement": "mistake", "mistake": True,
    }  # fmt: skip


def test_games_without_choices_have_no_accuracy_and_say_why() -> None:
    for word in ("power-play:50/5.2.5", "power-play:30/pass.2/first=2,penalty=3"):
        analysis = of(word)
        assert [analysis.accuracy(player) for player in (0, 1)] == [None, None]
        assert lines(analysis)[-3:] == [
            "Accuracy: Player 1 none, Player 2 none.",
            "Every move takes away exactly one prime factor, so the number of moves is fixed.",
            "No move throws a win away, so there is no accuracy.",
        ]
    odd = conclusions(of("divisor-duel:60,divisors=odd/15.9"))
    assert odd[-2].startswith("An odd divisor always turns even into odd")
    assert odd[-1] == "No move throws a win away, so there is no accuracy."
    both = conclusions(of("divisor-duel:60,divisors=odd+power-play:30/1:15"))
    assert both[-3:-1] == [odd[-2], conclusions(of("power-play:50/5"))[-2]]
    assert of("divisor-duel:60+power-play:30/1:15").no_choice is False


def test_a_lost_turn_can_cost_the_win_or_save_the_match() -> None:
    analysis = of("power-play:30/pass/penalty=3")
    assert analysis.moves[0].mistake
    assert "! lost the turn, and with it the win" in lines(analysis)[0]
    # At 4 two moves are left, so whoever has to move loses; a pass hands that on.
    analysis = of("power-play:4/pass.2.2/penalty=2")
    assert [judged.judgement for judged in analysis.moves] == ["spared", "lost", "won"]
    assert (analysis.winner, analysis.always_ahead) == (0, None)
    assert rows(analysis)[0]["said"] == "- lost the turn, and was winning after it"
    assert not any("No win was thrown away" in line for line in conclusions(analysis))


def test_a_win_that_was_given_up_was_not_kept() -> None:
    for word, gave in (
        ("divisor-duel:60/15.15/resigned=1", "resigned"),
        ("divisor-duel:60/15/forfeited=1", "forfeited"),
        ("prime-subtractor:23/13.7/overshoot=loses,overshot=5", "overshot"),
    ):
        analysis = of(word)
        assert (analysis.winner, analysis.always_ahead, analysis.given_up) == (1, 0, 0)
        assert conclusions(analysis)[0] == f"Player 1 was winning when they {gave}."
        assert not any("No win was thrown away" in line for line in conclusions(analysis))
    assert "Player 1 was winning when they resigned." in lines(of("divisor-duel:60//resigned=1"))
    assert of("divisor-duel:60/15/resigned=2").given_up is None
    assert of("divisor-duel:60/15/resigned=1").given_up == 0, "on the other's turn as well"
    assert lines(of("divisor-duel:60/"))[0] == "No moves were played."


def test_what_is_too_large_is_said() -> None:
    huge = Board.parse(f"divisor-duel:{10**30 + 1}+digit-subtraction-duel:{10**30}~misere")
    assert outcome(huge) is None
    referee = Referee(Setup(huge))
    referee.begin()
    referee.enter("2:1")
    analysis = analyse(Record.of(referee))
    assert analysis.moves[0].outcome_before is None
    assert not analysis.moves[0].mistake
    assert "? too large to judge" in lines(analysis)[0]
    assert as_json(analysis)["moves"][0]["outcome_before"] is None
    judged = of("divisor-duel:60/2").moves[0]
    assert judgement(replace(judged, best=None)) == "threw the win away"
    assert judgement(replace(judged, judgement=Judgement.UNKNOWN)) == "too large to judge"


def test_every_move_is_looked_at() -> None:
    """The first 201 of 800 moves win, and 402 is the first that does not."""
    analysis = of("subtract-201-to-1000:1602/201")
    assert analysis.moves[0].judgement is Judgement.KEPT
    assert analysis.accuracy(0) == 1
    board = Board.parse("subtract-201-to-1000:401")
    assert judge(board, board.play(board.parse_move("201"))) is Judgement.WON
    many = Board.parse(f"divisor-duel:{2 * 3**8 * 5**5 * 7**4 * 11**3 * 13**3},divisors=odd")
    assert judge(many, many.play(many.parse_move("3"))) is Judgement.WON
    # A choice among moves that nobody can list is not counted.
    hard = (10**40 + 121) * (10**41 + 109)
    one = Board.parse(f"divisor-duel:{hard}+subtract-any:1")
    assert judge(one, one.play(one.parse_move("2:1"))) is Judgement.UNKNOWN
    two = Board.parse(f"divisor-duel:{hard}+subtract-any:2")
    assert judge(two, two.play(two.parse_move("2:2"))) is Judgement.KEPT


@given(boards(2, 40), st.data())
def test_every_verdict_is_that_of_plain_search(board: Board, data: st.DataObject) -> None:
    referee = Referee(Setup(board))
    referee.begin()
    for _ in range(3):
        if not referee.over:
            referee.play(data.draw(st.sampled_from(list(referee.board.moves()))))
    search = Search(misere=board.misere)
    analysis = analyse(Record.of(referee))
    assert read_json(json.loads(json.dumps(as_json(analysis)))) == analysis
    for judged in analysis.moves:
        assert judged.move is not None
        before, after = search.lost(judged.board), search.lost(judged.board.play(judged.move))
        assert judged.outcome_before == ("loss" if before else "win")
        assert judged.outcome_after == ("win" if after else "loss")
        assert judged.mistake == (not before and not after)
        assert (judged.best is not None) == (not before)
        if judged.best:
            assert search.lost(judged.board.play(judged.best))
        wrong = [m for m in judged.board.moves() if not search.lost(judged.board.play(m))]
        assert judged.judgement.had_choice == (not before and bool(wrong))
