"""The five games against the rules said again plainly, and against their rulebooks' examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel import Board, Move, load
from numduel.games import Fault
from rules.reference import MOVES, board_text

DEFAULT_STARTS = {
    "subtract-a-prime": 20,
    "prime-subtractor": 23,
    "divisor-duel": 60,
    "power-play": 30,
    "digit-subtraction-duel": 25,
}


@pytest.mark.parametrize("rule", MOVES)
def test_legal_moves_to_600(rule: str) -> None:
    least = load(rule.partition(",")[0]).least
    for n in range(least, 600):
        board = Board.parse(board_text(rule, n))
        game, value = board.numbers[0]
        expected = MOVES[rule](n)
        assert [move.amount for move in board.moves()] == expected, board
        assert list(game.moves(value)) == expected, board
        assert list(game.moves_down(value)) == expected[::-1], board
        assert game.count(value) == len(expected), board
        assert board.is_over == (not expected), board
        if n < 200 or n % 7 == 0:
            legal = [amount for amount in range(n + 12) if board.is_legal(Move(0, amount))]
            assert legal == expected, board


@pytest.mark.parametrize(("key", "start"), DEFAULT_STARTS.items())
def test_default_starts(key: str, start: int) -> None:
    assert load(key).default_start == start
    assert load(key).is_start(start)


@pytest.mark.parametrize(
    ("key", "starts", "others"),
    [
        ("subtract-a-prime", [2, 3, 20, 10**50], [0, 1]),
        ("prime-subtractor", [1, 2, 23], [0]),
        ("divisor-duel", [1, 2, 7, 60], [0]),
        ("power-play", [4, 6, 8, 9, 30, 2**200], [0, 1, 2, 3, 29, 2**89 - 1]),
        ("digit-subtraction-duel", [1, 9, 10, 25], [0]),
    ],
)
def test_starts(key: str, starts: list[int], others: list[int]) -> None:
    assert [n for n in starts if load(key).is_start(n)] == starts
    assert [n for n in others if load(key).is_start(n)] == []


EXAMPLES = [
    ("subtract-a-prime:10", [(5, 5), (5, 0)]),
    ("subtract-a-prime:15", [(2, 13), (13, 0)]),
    ("subtract-a-prime:20", [(3, 17), (17, 0)]),
    ("prime-subtractor:23", [(13, 10), (7, 3), (3, 0)]),
    ("divisor-duel:60", [(15, 45), (15, 30), (15, 15), (5, 10), (5, 5)]),
    ("power-play:30", [(5, 6), (3, 2), (2, 1)]),
    ("power-play:45", [(5, 9), (3, 3), (3, 1)]),
    ("digit-subtraction-duel:25", [(5, 20), (2, 18), (8, 10), (1, 9), (9, 0)]),
]
"""The playthroughs of the rulebooks: moves with the number after each, to the end."""


@pytest.mark.parametrize(("text", "moves"), EXAMPLES)
def test_the_rulebooks_playthroughs(text: str, moves: list[tuple[int, int]]) -> None:
    board = Board.parse(text)
    for amount, left in moves:
        assert not board.is_over
        board = board.play(Move(0, amount))
        assert board.numbers[0].value == left
    assert board.is_over


def test_digits_of_102_and_41_as_the_rulebook_has_them() -> None:
    game = load("digit-subtraction-duel")
    assert list(game.moves(102)) == [1, 2]
    board = Board.parse("digit-subtraction-duel:41")
    for amount, left in [(4, 37), (7, 30), (3, 27), (7, 20), (2, 18)]:
        board = board.play(Move(0, amount))
        assert board.numbers[0].value == left


def test_only_the_opening_of_prime_subtractor_differs() -> None:
    opening = Board.parse("prime-subtractor:23")
    assert opening.fault(Move(0, 23)) is Fault.STARTING_TOTAL
    assert str(opening.play(Move(0, 13))) == "prime-subtractor:10,opening=any"
    assert Board.parse("prime-subtractor:13,opening=any").is_legal(Move(0, 13))


@pytest.mark.parametrize(
    ("text", "amount", "fault"),
    [
        ("subtract-a-prime:20", 9, Fault.NOT_PRIME),
        ("subtract-a-prime:20", 0, Fault.NOT_PRIME),
        ("subtract-a-prime:20", -7, Fault.NOT_PRIME),
        ("subtract-a-prime:20", 23, Fault.TOO_LARGE),
        ("divisor-duel:60", 1, Fault.NOT_PROPER),
        ("divisor-duel:60", 60, Fault.NOT_PROPER),
        ("divisor-duel:60", 7, Fault.NOT_A_DIVISOR),
        ("divisor-duel:60,divisors=even", 15, Fault.NOT_EVEN),
        ("divisor-duel:60,divisors=odd", 4, Fault.NOT_ODD),
        ("divisor-duel:60,divisors=prime", 4, Fault.NOT_PRIME),
        ("power-play:50", 10, Fault.NOT_PRIME),
        ("power-play:50", 3, Fault.NOT_A_FACTOR),
        ("power-play:50", 0, Fault.NOT_A_FACTOR),
        ("digit-subtraction-duel:102", 0, Fault.NOT_POSITIVE),
        ("digit-subtraction-duel:102", 3, Fault.NOT_A_DIGIT),
        ("digit-subtraction-duel:102", 10, Fault.NOT_A_DIGIT),
    ],
)
def test_faults(text: str, amount: int, fault: Fault) -> None:
    assert Board.parse(text).fault(Move(0, amount)) is fault


@given(st.integers(10**99, 10**100), st.data())
def test_moves_of_a_hundred_digits_are_judged_at_once(n: int, data: st.DataObject) -> None:
    for key in DEFAULT_STARTS:
        game = load(key)
        amount = data.draw(st.integers(1, n))
        if game.fault(n, amount) is None:
            _, left = game.after(n, amount)
            assert 0 <= left < n
    assert load("subtract-a-prime").fault(n, 2) is None
    assert load("divisor-duel").fault(2 * n, n) is None
    assert next(load("subtract-a-prime").moves(n)) == 2
