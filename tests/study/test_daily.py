"""The daily duel: a thousand days of it by plain search, and what a row of moves comes to."""

from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from statistics import mean

import pytest

from numduel import Board
from numduel.board import Move
from numduel.errors import IllegalMove, NothingToStudy
from numduel.solver import Search
from numduel.study.difficulty import match_rating
from numduel.study.duels import FIRST_DAY, TRIES, Duel, Play, as_json, daily_duel, play_duel
from numduel.wording import problem
from raised import raised

DAYS = [FIRST_DAY + timedelta(days) for days in range(1000)]
SEARCH = Search()


@cache
def ends(board: Board) -> tuple[int, int]:
    """Whoever keeps the win from here takes so many turns at least, and at most."""
    turns = []
    for move in SEARCH.winning_moves(board):
        left = board.play(move)
        later = (0,) if left.is_over else ends(left.play(replied(board, move)))
        turns += [1 + more for more in later]
    return min(turns), max(turns)


def replied(board: Board, move: Move) -> Move:
    duel = Duel(FIRST_DAY, 1, board, 0)
    (turn,) = play_duel(duel, [board.write_move(move)]).tries[0]
    assert turn.kept
    assert turn.reply is not None
    return turn.reply


def line_of(board: Board) -> list[tuple[Board, list[Move]]]:
    """The boards along the first winning moves, each with all the moves that win there."""
    line = []
    while not board.is_over:
        winning = list(SEARCH.winning_moves(board))
        line.append((board, winning))
        left = board.play(winning[0])
        board = left if left.is_over else left.play(replied(board, winning[0]))
    return line


def test_a_thousand_days() -> None:
    duels = [daily_duel(day) for day in DAYS]
    assert [duel.number for duel in duels] == list(range(1, 1001))
    for duel in duels[:340]:
        board = duel.board
        assert not SEARCH.lost(board), duel
        assert not any(board.play(move).is_over for move in board.moves()), duel
        fewest, most = ends(board)
        assert 2 <= fewest <= most <= 6, duel
        asked = line_of(board)
        can_fail = sum(len(winning) < len(list(at.moves())) for at, winning in asked)
        assert can_fail >= len(asked) / 2, (duel, "there is something to choose")
        assert len(board.numbers) <= 2, (duel, "nobody's first day is three numbers")
    last = {}
    for duel in duels:
        assert duel.number - last.get(duel.board, -999) > 300, "no board comes again for ten months"
        last[duel.board] = duel.number
    for monday in duels[::7]:
        (number,) = monday.board.numbers
        assert number.value < 100, monday
        assert number.game.key != "divisor-duel", monday
    week = [[duel.rating for duel in duels[weekday::7]] for weekday in range(7)]
    ratings = [mean(day) for day in week]
    assert all(later > day + 40 for day, later in pairwise(ratings)), ratings


def test_a_rating_is_that_of_a_panel_that_may_not_err_once() -> None:
    for duel in (daily_duel(DAYS[at]) for at in (0, 1, 2, 3, 4)):
        line = line_of(duel.board)
        assert match_rating(line, {}) == duel.rating
        assert match_rating(line, {}) >= match_rating(line[:1], {}), "more turns are harder"


def best_line(duel: Duel) -> str:
    return ".".join(board.write_move(winning[0]) for board, winning in line_of(duel.board))


def wrong_move(board: Board) -> str:
    return next(
        board.write_move(move) for move in board.moves() if not SEARCH.lost(board.play(move))
    )


@pytest.mark.parametrize("day", DAYS[:14])
def test_three_tries_and_a_row_of_squares(day: date) -> None:
    duel = daily_duel(day)
    wrong, won = wrong_move(duel.board), best_line(duel).split(".")
    play = play_duel(duel, [wrong, won[0]])
    assert (play.over, play.squares) == (False, "🟨 🟦")
    lost, kept = play.tries[0][0], play.tries[1][0]
    assert lost.reply is not None
    assert SEARCH.lost(lost.left.play(lost.reply)), "Perfect wins"
    assert kept.reply is not None
    assert play.board == kept.left.play(kept.reply)
    solved = play_duel(duel, [wrong, *won, "what comes after the end is not looked at"])
    assert solved.solved
    assert solved.over
    assert solved.shared == f"numduel {duel.number} 🟨 {'🟦' * len(won)}"
    assert solved.played == ".".join([wrong, *won])
    failed = play_duel(duel, [wrong] * 5)
    assert (failed.solved, failed.over, failed.squares) == (False, True, "🟨 🟨 🟨")
    assert play_duel(duel, [won[0], wrong_move(play.board), *won]).squares.startswith("🟦🟨 🟦")
    told = as_json(play)
    assert (told["left"], told["board"], told["start"]) == (2, str(play.board), str(duel.board))
    assert told["tries"][0][0]["reply"] == lost.left.write_move(lost.reply)
    raised(IllegalMove, play_duel, duel, [won[0], "1:999"])
    assert Play(duel, ()).shared == f"numduel {duel.number}"
    assert len(failed.tries) == TRIES


def test_a_duel_does_not_change_from_version_to_version() -> None:
    """Whoever changes these changes everybody's day."""
    duel = daily_duel(date(2026, 11, 18))
    assert (duel.number, str(duel.board)) == (318, "subtract-a-prime:171")
    assert best_line(duel) == "2.31.41.2"


def test_there_was_a_first_day() -> None:
    error = raised(NothingToStudy, daily_duel, FIRST_DAY - timedelta(1))
    said = "There was no daily duel on 2026-01-04. The first was on 2026-01-05."
    assert problem(error) == said
