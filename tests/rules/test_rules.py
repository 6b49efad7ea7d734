"""The five games against the rules said again plainly, and against their rulebooks' examples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel import Board, Move, load
from numduel.games import Fault, keys
from numduel.wording.rules import rule_in_short
from rules.plain_rules import MOVES


@pytest.mark.parametrize("rule", MOVES)
def test_legal_moves_to_400(rule: str) -> None:
    key, comma, variant = rule.partition(",")
    for n in range(load(key).least, 400):
        board = Board.parse(f"{key}:{n}{comma}{variant}")
        expected = MOVES[rule](n)
        assert [move.amount for move in board.moves()] == expected, board
        assert board.numbers[0].game.count(n) == len(expected), board


def test_starts() -> None:
    for key, start, starts, others in (
        ("subtract-a-prime", 20, [2, 3, 20, 10**50], [0, 1]),
        ("prime-subtractor", 23, [1, 2, 23], [0]),
        ("divisor-duel", 60, [1, 2, 7, 60], [0]),
        ("power-play", 30, [4, 6, 8, 9, 30, 2**200], [0, 1, 2, 3, 29, 2**89 - 1]),
        ("digit-subtraction-duel", 25, [1, 9, 10, 25], [0]),
    ):
        assert load(key).default_start == start
        assert [n for n in (*starts, *others) if load(key).is_start(n)] == starts


EXAMPLES = [
    ("subtract-a-prime:10", [(5, 5), (5, 0)]),
    ("subtract-a-prime:15", [(2, 13), (13, 0)]),
    ("subtract-a-prime:20", [(3, 17), (17, 0)]),
    ("prime-subtractor:23", [(13, 10), (7, 3), (3, 0)]),
    ("divisor-duel:60", [(15, 45), (15, 30), (15, 15), (5, 10), (5, 5)]),
    ("power-play:30", [(5, 6), (3, 2), (2, 1)]),
    ("power-play:45", [(5, 9), (3, 3), (3, 1)]),
    ("digit-subtraction-duel:25", [(5, 20), (2, 18), (8, 10), (1, 9), (9, 0)]),
    ("digit-subtraction-duel:41", [(4, 37), (7, 30), (3, 27), (7, 20), (2, 18)]),
]
"""The playthroughs of the rulebooks: moves with the number after each, to the end but for 41."""


def test_the_rulebooks_playthroughs() -> None:
    for text, moves in EXAMPLES:
        board = Board.parse(text)
        for amount, left in moves:
            assert not board.is_over
            board = board.play(Move(0, amount))
            assert board.numbers[0].value == left
        assert board.is_over == ("41" not in text)
    opened = Board.parse("prime-subtractor:23").play(Move(0, 13))
    assert str(opened) == "prime-subtractor:10,opening=any"


FAULTS = {
    "subtract-a-prime:20": {9: "NOT_PRIME", 0: "NOT_PRIME", -7: "NOT_PRIME", 23: "TOO_LARGE"},
    "prime-subtractor:23": {23: "STARTING_TOTAL", 29: "TOO_LARGE"},
    "divisor-duel:60": {1: "NOT_PROPER", 60: "NOT_PROPER", 7: "NOT_A_DIVISOR"},
    "divisor-duel:60,divisors=even": {15: "NOT_EVEN"},
    "divisor-duel:60,divisors=odd": {4: "NOT_ODD"},
    "divisor-duel:60,divisors=prime": {4: "NOT_PRIME"},
    "power-play:50": {10: "NOT_PRIME", 3: "NOT_A_FACTOR", 0: "NOT_A_FACTOR"},
    "digit-subtraction-duel:102": {0: "NOT_POSITIVE", 3: "NOT_A_DIGIT", 10: "NOT_A_DIGIT"},
}


def test_faults() -> None:
    for text, faults in FAULTS.items():
        board = Board.parse(text)
        found = {amount: board.fault(Move(0, amount)) for amount in faults}
        assert found == {amount: Fault[name] for amount, name in faults.items()}, text


@given(st.integers(10**99, 10**100), st.data())
def test_moves_of_a_hundred_digits_are_judged_at_once(n: int, data: st.DataObject) -> None:
    for key in keys():
        game = load(key)
        amount = data.draw(st.integers(1, n))
        if game.fault(n, amount) is None:
            _, left = game.after(n, amount)
            assert 0 <= left < n
    assert load("subtract-a-prime").fault(n, 2) is None
    assert load("divisor-duel").fault(2 * n, n) is None
    assert next(load("subtract-a-prime").moves(n)) == 2


SAID = {
    "subtract-a-prime:30": "Take away a prime. If you can't, because 0 or 1 is left, you lose.",
    "prime-subtractor:30": "Take away a prime, but not the whole number with the first move. "
    "If you can't, because 0 or 1 is left, you lose.",
    "prime-subtractor:30,opening=any": "Take away a prime. "
    "If you can't, because 0 or 1 is left, you lose.",
    "divisor-duel:30": "Take away a divisor of the number, but not 1 or the number itself. "
    "If you can't, because the number is prime or 1, you lose.",
    "divisor-duel:30,divisors=even": "Take away an even divisor of the number, "
    "but not the number itself. If you can't, because the number is odd or 2, you lose.",
    "divisor-duel:30,divisors=odd": "Take away an odd divisor of the number, "
    "but not 1 or the number itself. "
    "If you can't, because the number is an odd prime, a power of 2 or 1, you lose.",
    "divisor-duel:30,divisors=prime": "Take away a prime divisor of the number, "
    "but not the number itself. If you can't, because the number is prime or 1, you lose.",
    "power-play:30": "Divide the number by one of its prime factors. Whoever reaches 1 wins.",
    "digit-subtraction-duel:30": "Take away one of the number's digits, but not 0. "
    "Whoever reaches 0 wins.",
}


def test_the_rule_in_short() -> None:
    for text, said in SAID.items():
        assert rule_in_short(Board.parse(text)) == [said]
        [misere] = rule_in_short(Board.parse(f"{text}~misere"))
        turned = said.replace("you lose", "you win").replace(" wins.", " loses.")
        assert misere == turned != said


def test_on_several_numbers_each_game_is_told_once() -> None:
    board = Board.parse("divisor-duel:60+subtract-a-prime:20+divisor-duel:12")
    assert rule_in_short(board) == [
        "On your turn, choose one of the numbers and play its game. "
        "If you can't move on any of them, you lose.",
        "Divisor Duel: Take away a divisor of the number, but not 1 or the number itself.",
        "Subtract a Prime: Take away a prime.",
    ]
    assert rule_in_short(Board.parse("digit-subtraction-duel:25+digit-subtraction-duel:9")) == [
        "On your turn, choose one of the numbers. If you can't move on any of them, you lose.",
        "Take away one of the number's digits, but not 0.",
    ]
