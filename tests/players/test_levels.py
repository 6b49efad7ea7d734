"""The perfect player wins what can be won; the levels err less and less."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from match.test_board import boards
from numduel import Board, Move, errors, solve
from numduel.match import Referee, Setup
from numduel.players import Player, make_player
from numduel.players.levels import winning_at_once
from numduel.solver import Search

STARTS = {
    "subtract-a-prime": range(2, 60),
    "prime-subtractor": range(1, 60),
    "divisor-duel": range(2, 80),
    "digit-subtraction-duel": range(1, 80),
}


def player(word: str, seed: int = 1) -> Player:
    made = make_player(word, Random(seed))
    assert made is not None
    return made


def winner(board: Board, first: Player, second: Player) -> int:
    referee = Referee(Setup(board))
    referee.begin()
    while not referee.over:
        referee.play((first, second)[referee.player].choose(referee.board))
    return referee.over.winner


@pytest.mark.parametrize("misere", [False, True])
def test_perfect_wins_every_won_start_as_plain_search_sees_it(misere: bool) -> None:
    search = Search(misere=misere)
    for key, starts in STARTS.items():
        for n in starts:
            board = Board.parse(f"{key}:{n}{'~misere' if misere else ''}")
            if not search.lost(board) and not board.is_over:
                for opponent in ("random", "largest", "perfect"):
                    assert winner(board, player("perfect"), player(opponent)) == 0, board


@settings(max_examples=30, deadline=None)
@given(boards(3, 40), st.integers(0, 9))
def test_perfect_wins_won_boards_of_several_numbers(board: Board, seed: int) -> None:
    if board.is_over:
        return
    try:
        outcome = solve(board).outcome
        first = winner(board, player("perfect", seed), player("random", seed + 1))
    except errors.TooLarge:
        return
    if outcome == "win":
        assert first == 0


def test_perfect_and_level_5_never_slip() -> None:
    for key in ("subtract-a-prime", "divisor-duel", "digit-subtraction-duel"):
        for n in (*range(4, 150), 10**99 + 1234):
            board = Board.parse(f"{key}:{n}")
            if not board.is_over and solve(board).outcome == "win":
                word = "perfect" if n > 150 else "level:5"
                assert solve(board.play(player(word, n).choose(board))).outcome == "loss", board
        assert solve(board).outcome == "win"


def test_a_beginner_sees_one_move_ahead() -> None:
    board = Board.parse("divisor-duel:10")
    seen = [player("level:1", seed).choose(board) == Move(0, 5) for seed in range(200)]
    assert 120 < sum(seen) < 190, "more often than by chance, and not always"
    assert winning_at_once(Board.parse("divisor-duel:10")) == Move(0, 5)
    assert winning_at_once(Board.parse("divisor-duel:9")) is None
    assert winning_at_once(Board.parse("subtract-a-prime:19~misere")) is None
    assert winning_at_once(Board.parse("subtract-a-prime:19+divisor-duel:4")) is None
    assert winning_at_once(Board.parse("subtract-a-prime:1+divisor-duel:4")) == Move(1, 2)


def test_when_lost_the_move_with_the_fewest_winning_replies_is_played() -> None:
    board = Board.parse("subtract-a-prime:49")
    search = Search()
    assert search.lost(board)
    replies = {}
    for move in board.moves():
        after = board.play(move)
        replies[move] = sum(search.lost(after.play(reply)) for reply in after.moves())
    for word in ("perfect", *(f"level:{level}" for level in range(1, 6))):
        assert replies[player(word).choose(board)] == min(replies.values())


def test_a_seed_repeats_and_another_differs() -> None:
    def choices(seed: int) -> list[Move]:
        level = player("level:2", seed)
        return [level.choose(Board.parse(f"subtract-a-prime:{n}")) for n in range(30, 80)]

    assert choices(5) == choices(5)
    assert choices(5) != choices(6)


def test_perfect_refuses_rather_than_guess_and_a_level_plays_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("numduel.solver.ways.Search", partial(Search, limit=1000))
    board = Board.parse("divisor-duel:5040+divisor-duel:720720~misere")
    with pytest.raises(errors.TooLarge, match="Too large to solve"):
        player("perfect").choose(board)
    assert board.is_legal(player("level:5").choose(board))
