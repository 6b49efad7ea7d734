"""Verdicts against the plain search, on boards of one, two and three numbers."""

import subprocess
import sys
from functools import reduce
from operator import xor
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numduel import Board, Move, load, solve
from numduel.board import Number
from numduel.errors import TooLarge
from numduel.games import Game
from numduel.solver import Search, is_settled
from numduel.theory import find
from numduel.theory.own_rule import MOST
from raised import raised
from rules.plain_rules import HARD
from rules.test_conformance import every_variant

GAMES = every_variant()
SEARCHES = {misere: Search(misere, limit=10**9) for misere in (False, True)}
"""Each remembers what it has searched, whichever test asked."""


def agree(board: Board, misere: bool) -> None:
    verdict, search = solve(board, misere), SEARCHES[misere]
    assert (verdict.outcome == "loss") == search.lost(board), (board, misere)
    expected = sorted(search.winning_moves(board))
    assert sorted(verdict.winning_moves) == expected, (board, misere)
    moves, complete = verdict.first_moves(2)
    first = list(verdict.winning_moves)[:2]
    assert moves == (sorted(first) if complete else first)
    assert complete == (len(expected) <= 2)
    if misere:
        assert (verdict.grundy, verdict.grundy_basis) == (None, None)
    else:
        values = [search.grundy(number) for number in board.numbers]
        assert verdict.grundy == reduce(xor, values), board
        assert verdict.grundy_basis is not None
    assert verdict.method in ("theorem", "table", "search", "conjecture")
    assert verdict.holds.endswith(".")


@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("misere", [False, True], ids=["normal", "misere"])
def test_one_number(game: Game, misere: bool) -> None:
    for n in range(1, 130):
        agree(Board.of(game, n), misere)


def boards(count: int, largest: int) -> st.SearchStrategy[Board]:
    number = st.builds(Number, st.sampled_from(GAMES), st.integers(1, largest))
    return st.builds(Board, st.tuples(*[number] * count))


@pytest.mark.no_cover
@settings(max_examples=100)
@given(boards(2, 45) | boards(3, 20), st.booleans())
def test_two_and_three_numbers(board: Board, misere: bool) -> None:
    agree(board, misere)


def test_search_goes_deep_without_trouble() -> None:
    search = Search()
    for text in ("digit-subtraction-duel:6001", "divisor-duel:6000,divisors=prime"):
        board = Board.parse(text)
        assert search.grundy(board.numbers[0]) == solve(board).grundy
        assert search.lost(board) == (solve(board).outcome == "loss")


def too_large(board: Board | str) -> TooLarge:
    return raised(TooLarge, solve, board, match="Too large to solve")


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a lower limit than usual, to be quick about it."""
    monkeypatch.setattr(Search.__init__, "__defaults__", (False, 20_000))
    wild = Board.parse("divisor-duel:5000+divisor-duel:4800+divisor-duel:4200~misere")
    refused = too_large(wild)
    assert (refused.board, refused.misere, refused.limit) == (wild, True, 20_000)
    assert solve("divisor-duel:3000,divisors=prime~misere").method == "table"
    assert too_large("divisor-duel:30000000,divisors=prime~misere").largest == MOST - 1
    too_large(f"divisor-duel:{10**40 + 2}+divisor-duel:18~misere")
    both = too_large("subtract-square:20000000+subtract-a-prime:9~misere").board
    assert len(both.numbers) == 2
    hard = Board.of(load("power-play"), HARD)
    raised(TooLarge, solve, hard, match="too large to factor")
    settled = [Board.parse("divisor-duel:60"), Board.parse("divisor-duel:60+power-play:8")]
    searched = [Board.parse(f"halve:{2**300}"), Board.parse(f"{settled[1]}~misere"), hard]
    assert [is_settled(board) for board in settled + searched] == [True] * 2 + [False] * 3


def test_beyond_theory_and_table_a_board_is_searched() -> None:
    """Halving reaches few numbers: a third, say, of 3 * 2^300."""
    alone = Board.parse(f"divide-by-2-3:{3 * 2**300}")
    for misere in (False, True):
        verdict = solve(alone, misere)
        assert verdict.method == "search"
        assert (verdict.outcome == "win") is not misere
        winning = [] if misere else [3 * 2**299, 2**301]
        assert [move.amount for move in verdict.winning_moves] == winning
    assert (solve(alone).grundy, solve(alone).grundy_basis.method) == (1, "search")
    both = solve(f"{alone}+subtract-a-prime:20")
    assert (both.grundy, both.method) == (1 ^ 5, "search")
    for move in both.winning_moves:
        assert solve(both.board.play(move)).outcome == "loss"


RULED = [
    (game, misere)
    for game in GAMES
    for misere in (False, True)
    if game.key != "power-play" and not (misere and game.settings.get("divisors") == "prime")
]
"""Games that are solved at any size; the others by search or factoring only."""


@pytest.mark.parametrize("digits", [12, 100, 400])
@pytest.mark.parametrize(("game", "misere"), RULED)
def test_large_numbers_are_consistent(game: Game, misere: bool, digits: int) -> None:
    random = Random(digits)
    for _ in range(4 if digits < 400 else 1):
        board = Board.of(game, random.randrange(10 ** (digits - 1), 10**digits))
        verdict = solve(board, misere)
        if verdict.outcome == "win":
            moves, complete = verdict.first_moves(3)
            # An odd number without small factors has winning moves that nobody can name.
            assert moves or not complete or board.is_over, board
            assert moves == sorted(moves)
            for move in moves:
                assert solve(board.play(move), misere).outcome == "loss", (board, move)
        else:
            assert verdict.first_moves(5) == ([], True)
            # Some legal moves, without a hard factoring.
            for move in filter(board.is_legal, (Move(0, d) for d in range(1, 120))):
                assert solve(board.play(move), misere).outcome == "win", (board, move)


def some_win(text: str, count: int) -> None:
    """Some winning moves can be named, each of which leaves a loss, and not all."""
    board = Board.parse(text)
    moves, complete = solve(board).first_moves(count)
    assert moves, board
    assert not complete, board
    for move in moves[:5]:
        assert solve(board.play(move)).outcome == "loss", (board, move)


def test_sums_of_large_numbers_name_the_moves_that_they_can() -> None:
    """Also beside a wild number, and one that is hard to factor: what is left out is said."""
    for k in range(4):
        some_win(f"subtract-a-prime:{10**30 + k}+divisor-duel:{10**31 + 8}+power-play:30", 2)
    some_win(f"subtract-a-prime:{10**50}+prime-subtractor:{10**40 + 1}~misere", 2)
    some_win(f"digit-subtraction-duel:30+digit-subtraction-duel:{10**40 + 7}~misere", 20)
    some_win(f"divisor-duel:{HARD * 4}+subtract-a-prime:9", 50)
    odd = f"divisor-duel:{HARD * 2},divisors=odd"
    assert solve(f"{odd}+power-play:3~misere").first_moves(50)[1] is False
    assert solve(f"{odd}+{odd}~misere").outcome == "win"


def test_listing_of_a_rare_value_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.theory.subtract_a_prime._TRIES", 60)
    with pytest.raises(TooLarge, match="cannot all be listed"):
        list(find(load("subtract-a-prime")).moves_to(10**30, 10))
    some_win(f"subtract-a-prime:{10**30}+subtract-a-prime:43", 10**4)


def test_small_verdict_loads_nothing_heavy() -> None:
    code = (
        "import sys, numduel; v = numduel.solve(numduel.Board.parse('subtract-a-prime:20'));"
        "print(v.outcome, v.grundy, list(v.winning_moves)[0].amount,"
        " 'flint' in sys.modules, 'numpy' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["win", "5", "11", "False", "False"]


def test_texts_and_keys_are_taken_from_python() -> None:
    assert solve("divisor-duel:60").as_dict(2) == {
        "board": "divisor-duel:60",
        "misere": False,
        "outcome": "win",
        "grundy": 2,
        "winning_moves": ["3", "5"],
        "complete": False,
        "method": "theorem",
        "holds": solve(Board.of("divisor-duel", 60)).holds,
    }
    assert solve("divisor-duel:60~misere").misere
    two = "subtract-a-prime:2"
    verdicts = solve(two), solve(f"{two}~misere"), solve(two, misere=True)
    assert [verdict.outcome for verdict in verdicts] == ["win", "loss", "loss"]
    assert repr(solve("divisor-duel:9", True)) == "<Verdict loss of divisor-duel:9 under misère>"
    with pytest.raises(TypeError, match="numbers must be"):
        Board("divisor-duel:60")  # type: ignore[arg-type]
