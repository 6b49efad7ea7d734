"""Starts against the computer: for each game and rung, what matches come of them."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest

from numduel import Board
from numduel.board import Move
from numduel.games import load
from numduel.players import COMPUTERS, LADDER
from numduel.solver import Search
from numduel.study.duels import contest_starts, draw_contest

Visitor = Callable[[Board, Random], Move]
SEARCH = Search()
CHOSEN = ("subtract-a-prime", "prime-subtractor", "divisor-duel", "digit-subtraction-duel")


def at_random(board: Board, random: Random) -> Move:
    return random.choice(list(board.moves()))


def greedy(board: Board, random: Random) -> Move:
    wins = [move for move in board.moves() if board.play(move).is_over]
    return random.choice(wins or list(board.moves()))


def knowing(board: Board, random: Random) -> Move:
    return random.choice(list(SEARCH.winning_moves(board)))


class Shares(NamedTuple):
    won: float
    turns: float
    """The visitor's, in a match."""
    chose: float
    """Of the visitor's turns, those with more than one move."""
    replied: float
    """Of the opponent's turns, those with more than one move."""


def measured(boards: list[Board], visitor: Visitor, word: str) -> Shares:
    random = Random(word)
    won = turns = chose = replies = replied = 0
    for board in boards:
        opponent = COMPUTERS[word].make(random)
        while True:
            turns += 1
            chose += len(list(board.moves())) > 1
            board = board.play(visitor(board, random))
            if board.is_over:
                won += 1
                break
            replies += 1
            replied += len(list(board.moves())) > 1
            board = board.play(opponent.choose(board))
            if board.is_over:
                break
    return Shares(won / len(boards), turns / len(boards), chose / turns, replied / max(1, replies))


def drawn(key: str, word: str, count: int = 60) -> list[Board]:
    boards: list[Board] = []
    for seed in range(count):
        boards.append(draw_contest(load(key), word, str(seed), boards[-1] if boards else None))
    return boards


@pytest.mark.parametrize("key", CHOSEN)
def test_every_rung_is_a_contest(key: str) -> None:
    ladder = [drawn(key, word) for word in LADDER]
    knew = [measured(boards, knowing, word) for boards, word in zip(ladder, LADDER, strict=True)]
    for word, shares in zip(LADDER, knew, strict=True):
        assert shares.won == 1, (word, "whoever knows the pattern always wins")
        assert 2 <= shares.turns <= 15, (word, shares)
        assert shares.chose > 0.7, (word, shares)
    # Below 100, whoever faces a trap of Digit Subtraction Duel has one move: that is the pattern.
    assert key == "digit-subtraction-duel" or min(shares.replied for shares in knew) > 0.7
    assert knew[-1].turns > knew[0].turns
    tried = [measured(boards, greedy, word) for boards, word in zip(ladder, LADDER, strict=True)]
    assert all(shares.replied > 0.4 for shares in tried), tried
    assert tried[0].won > 0.7, "a first match is won by taking what is there"
    assert tried[-1].won < 0.15, "and the last is not"
    assert tried[0].won > tried[2].won > tried[-1].won
    chance = [measured(ladder[rung], at_random, LADDER[rung]).won for rung in (0, 2, -1)]
    assert chance[0] > 0.35, chance
    assert chance[0] > chance[1] > chance[2] < 0.1, chance


@pytest.mark.parametrize("key", CHOSEN)
def test_a_start_can_be_won_but_not_by_any_move_nor_by_the_last_ones(key: str) -> None:
    for word in LADDER:
        boards = drawn(key, word, 40)
        values = [board.numbers[0].value for board in boards]
        assert len(set(values)) > 8, (word, values)
        for board in boards:
            after = [board.play(move) for move in board.moves()]
            assert not SEARCH.lost(board)
            assert not any(left.is_over for left in after), board
            assert any(not SEARCH.lost(left) for left in after), (board, "a move can be wrong")
        first = [set(SEARCH.winning_moves(board)) for board in boards]
        for before, won, now, wins in zip(boards, first, boards[1:], first[1:], strict=False):
            assert won.isdisjoint(wins), (word, before, now)
    least = [contest_starts(load(key), word)[0] for word in LADDER]
    assert least == sorted(least), "the range grows"


def test_moves_that_won_do_not_win_the_next_contest() -> None:
    """Against those who play well; the weaker ones may stumble over anything."""
    for key in CHOSEN:
        for word in LADDER[-2:]:
            random, won = Random(1), 0
            row: list[Move] = []
            for board in drawn(key, word, 40):
                won += replayed(board, row, COMPUTERS[word].make(random).choose)
                row = []
                while not board.is_over:
                    row.append(knowing(board, random))
                    board = board.play(row[-1])
                    if not board.is_over:
                        board = board.play(COMPUTERS[word].make(random).choose(board))
            assert won <= (word != LADDER[-1]), (key, word, won)


def replayed(board: Board, row: list[Move], reply: Callable[[Board], Move]) -> bool:
    """Do these moves win, played one after another whatever the other does?"""
    for move in row:
        if board.is_over or not board.is_legal(move):
            return False
        board = board.play(move)
        if board.is_over:
            return True
        board = board.play(reply(board))
    return False


def test_a_start_that_nobody_drew_is_not_solved() -> None:
    """It would take minutes to factor, and anybody may name it."""
    hard = Board.parse(f"divisor-duel:{(10**30 + 57) * (10**31 + 33)}")
    drawn = draw_contest(load("divisor-duel"), "beginner", "x", hard)
    assert drawn == draw_contest(load("divisor-duel"), "beginner", "x")


def test_a_call_is_open() -> None:
    """Nothing that is chosen matters in Power Play: half of the starts are won."""
    boards = drawn("power-play", "beginner", 200)
    won = sum(not SEARCH.lost(board) for board in boards)
    assert 70 < won < 130
    assert len(set(boards)) > 50
    one, other = (draw_contest(load("power-play"), word, "7") for word in ("beginner", "level:5"))
    assert one == other, "there is one rung"


def test_whoever_lets_the_other_begin_can_win_too_and_an_own_rule_has_starts() -> None:
    for key in (*CHOSEN, "subtract-1-3-4"):
        for word in LADDER:
            assert SEARCH.lost(draw_contest(load(key), word, "x", begins=False)), (key, word)
            assert not SEARCH.lost(draw_contest(load(key), word, "x")), (key, word)
    none = load("subtract-1")  # every second number is won, whatever is played
    assert draw_contest(none, "beginner", "x") == Board.of(none, none.default_start)
    prime = draw_contest(load("divisor-duel", divisors="prime"), "level:2", "x")
    assert prime.numbers[0].game.settings == {"divisors": "prime"}
