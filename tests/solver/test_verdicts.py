"""Verdicts against the plain search, on boards of one, two and three numbers."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import reduce
from operator import xor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numduel import Board, Move, load, solve
from numduel.errors import TooLarge
from numduel.solver import Search
from numduel.theory import Theory
from numduel.theory.tabled import MOST
from soaking import SOAK

KINDS = [
    "subtract-a-prime:{}",
    "prime-subtractor:{}",
    "prime-subtractor:{},opening=any",
    "divisor-duel:{}",
    "divisor-duel:{},divisors=even",
    "divisor-duel:{},divisors=odd",
    "divisor-duel:{},divisors=prime",
    "power-play:{}",
    "digit-subtraction-duel:{}",
]


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
    if not misere:
        values = [search.grundy(number) for number in board.numbers]
        assert verdict.grundy == reduce(xor, values), board
    assert complete == (len(expected) <= 2)
    if misere:
        assert verdict.grundy is None
        assert verdict.grundy_basis is None
    else:
        assert (verdict.grundy == 0) == (verdict.outcome == "loss")
        assert verdict.grundy_basis is not None
    assert verdict.method in ("theorem", "table", "search", "conjecture")
    assert verdict.holds.endswith(".")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("misere", [False, True], ids=["normal", "misere"])
def test_one_number(kind: str, misere: bool) -> None:
    for n in range(1, 130):
        agree(Board.parse(kind.format(n)), misere)


def boards(most: int, largest: int) -> st.SearchStrategy[Board]:
    number = st.builds(str.format, st.sampled_from(KINDS), st.integers(1, largest))
    return st.lists(number, min_size=2, max_size=most).map(lambda n: Board.parse("+".join(n)))


@pytest.mark.no_cover
@settings(max_examples=60, deadline=None)
@given(boards(2, 45), st.booleans())
def test_two_numbers(board: Board, misere: bool) -> None:
    agree(board, misere)


@pytest.mark.no_cover
@settings(max_examples=40, deadline=None)
@given(boards(3, 20), st.booleans())
def test_three_numbers(board: Board, misere: bool) -> None:
    agree(board, misere)


@pytest.mark.no_cover
@pytest.mark.soak("rest", short=True)
def test_digit_sums_under_misere() -> None:
    """Pairs of numbers that are fickle, firm and wild."""
    stop = 61 if SOAK else 31
    search = Search(misere=True, limit=10**7)
    for a in range(stop):
        for b in range(a, stop):
            board = Board.parse(f"digit-subtraction-duel:{a}+digit-subtraction-duel:{b}")
            assert (solve(board, True).outcome == "loss") == search.lost(board), board


def test_search_goes_deep_without_trouble() -> None:
    search = Search()
    for text in ("digit-subtraction-duel:6001", "divisor-duel:6000,divisors=prime"):
        board = Board.parse(text)
        assert search.grundy(board.numbers[0]) == solve(board).grundy
        assert search.lost(board) == (solve(board).outcome == "loss")


@pytest.mark.no_cover
@pytest.mark.soak("rest", short=True)
def test_prime_divisors_under_misere() -> None:
    """The one variant without a rule: solve has a table, and plain search agrees."""
    stop = 5_000 if SOAK else 1_000
    game = load("divisor-duel", divisors="prime")
    lost = [False, False]
    for n in range(2, stop):
        options = [n - p for p in game.moves(n)]
        lost.append(bool(options) and not any(lost[m] for m in options))
    search = Search(misere=True, limit=10**7)
    for n in range(1, stop):
        assert search.lost(Board.of(game, n)) == lost[n], n
    for n in range(1, stop, 41):
        board = Board.of(game, n)
        winning = [Move(0, p) for p in game.moves(n) if lost[n - p]]
        assert list(solve(board, misere=True).winning_moves) == winning, n
        assert solve(board, misere=True).method == "table"


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a lower limit than usual, to be quick about it."""
    monkeypatch.setattr(Search.__init__, "__defaults__", (False, 20_000))
    wild = Board.parse("divisor-duel:5000+divisor-duel:4800+divisor-duel:4200~misere")
    with pytest.raises(TooLarge, match="Too large to solve") as refused:
        solve(wild)
    assert refused.value.board == wild
    assert refused.value.misere
    assert refused.value.limit == 20_000
    with pytest.raises(TooLarge, match="Too large to solve") as refused:
        solve(Board.parse("divisor-duel:30000000,divisors=prime~misere"))
    assert refused.value.largest == MOST - 1
    with pytest.raises(TooLarge, match="Too large to solve"):
        solve(Board.parse(f"divisor-duel:{10**40 + 2}+divisor-duel:18~misere"))
    with pytest.raises(TooLarge, match="too large to factor"):
        solve(Board.of(load("power-play"), (10**40 + 121) * (10**41 + 109)))


def test_misere_is_said_by_the_board_or_the_argument() -> None:
    assert solve(Board.parse("subtract-a-prime:2~misere")).outcome == "loss"
    assert solve(Board.parse("subtract-a-prime:2"), misere=True).outcome == "loss"
    assert solve(Board.parse("subtract-a-prime:2")).outcome == "win"


def test_beyond_theory_and_table_a_board_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse("subtract-a-prime:20+divisor-duel:12")
    alone = Board.parse("divisor-duel:60")
    expected = sorted(solve(board).winning_moves), list(solve(alone).winning_moves)
    monkeypatch.setattr(Theory, "reaches", lambda _theory, _n: False)
    assert (sorted(solve(board).winning_moves), list(solve(alone).winning_moves)) == expected
    assert solve(alone).method == "search"
    assert solve(alone).grundy == 2
    assert solve(alone, misere=True).method == "search"


def random_of(digits: int) -> int:
    return random.randrange(10 ** (digits - 1), 10**digits)


RULED = [
    (kind, misere)
    for kind in KINDS
    for misere in (False, True)
    if "power" not in kind and not (misere and "divisors=prime" in kind)
]
"""Games that are solved at any size; the others by search or factoring only."""


@pytest.mark.parametrize("digits", [12, 100, 400])
@pytest.mark.parametrize(("kind", "misere"), RULED)
def test_large_numbers_are_consistent(kind: str, misere: bool, digits: int) -> None:
    random.seed(digits)
    for _ in range(4 if digits < 400 else 1):
        board = Board.parse(kind.format(random_of(digits)))
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
            for move in sampled(board):
                assert solve(board.play(move), misere).outcome == "win", (board, move)


def sampled(board: Board) -> list[Move]:
    """Some legal moves, without a hard factoring."""
    candidates = [Move(0, d) for d in range(1, 120)]
    return [move for move in candidates if board.is_legal(move)]


@pytest.mark.soak("rest", short=True)
def test_large_sums() -> None:
    random.seed(5)
    for _ in range(4 if SOAK else 2):
        numbers = [kind.format(random_of(30)) for kind in (KINDS[0], KINDS[3], KINDS[8])]
        board = Board.parse("+".join(numbers))
        verdict = solve(board)
        for move in verdict.first_moves(2)[0]:
            assert solve(board.play(move)).outcome == "loss"
    board = Board.parse(f"{KINDS[0].format(10**50)}+{KINDS[1].format(10**40 + 1)}~misere")
    moves, _ = solve(board).first_moves(2)
    assert moves
    assert all(solve(board.play(move)).outcome == "loss" for move in moves)


def test_listing_of_a_rare_value_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    import numduel.theory.subtract_a_prime as theory

    monkeypatch.setattr(theory, "_TRIES", 60)
    found = theory.SubtractAPrimeTheory(load("subtract-a-prime")).moves_to(10**30, 10)
    with pytest.raises(TooLarge, match="cannot all be listed"):
        list(found)
    board = Board.parse(f"subtract-a-prime:{10**30}+subtract-a-prime:43")
    moves, complete = solve(board).first_moves(10**4)
    assert not complete
    assert moves
    assert all(solve(board.play(move)).outcome == "loss" for move in moves[:3])


def test_small_verdict_loads_nothing_heavy() -> None:
    code = (
        "import sys, numduel; v = numduel.solve(numduel.Board.parse('subtract-a-prime:20'));"
        "print(v.outcome, v.grundy, list(v.winning_moves)[0].amount,"
        " 'flint' in sys.modules, 'numpy' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["win", "5", "11", "False", "False"]


def test_sums_beside_huge_digits_under_misere() -> None:
    """A tame sum whose moves reach a wild number: those are searched, or left out and said so."""
    huge = 10**40 + 7
    board = Board.parse(f"digit-subtraction-duel:30+digit-subtraction-duel:{huge}~misere")
    moves, complete = solve(board).first_moves(20)
    assert not complete
    assert moves
    assert all(solve(board.play(move)).outcome == "loss" for move in moves)


def test_a_sum_with_a_hard_number_names_what_it_can() -> None:
    hard = (10**40 + 121) * (10**41 + 109)
    board = Board.parse(f"divisor-duel:{hard * 4}+subtract-a-prime:9")
    moves, complete = solve(board).first_moves(50)
    assert moves
    assert not complete
    assert all(solve(board.play(move)).outcome == "loss" for move in moves)
    odd = f"divisor-duel:{hard * 2},divisors=odd"
    moves, complete = solve(Board.parse(f"{odd}+power-play:3~misere")).first_moves(50)
    assert not complete
    assert solve(Board.parse(f"{odd}+{odd}~misere")).outcome == "win"


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
    assert repr(solve("divisor-duel:9", True)) == "<Verdict loss of divisor-duel:9 under misère>"
    with pytest.raises(TypeError, match=r"Board\.parse"):
        Board("divisor-duel:60")  # type: ignore[arg-type]
