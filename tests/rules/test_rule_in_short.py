"""The rule in one or two sentences: what it says of the end is what the game does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from numduel.board import Board
from numduel.wording.rule_in_short import rule_in_short
from rules.plain_rules import is_prime

SAID: dict[str, tuple[str, Callable[[int], bool]]] = {
    "subtract-a-prime:{n}": (
        "Take away a prime. If you can't, because 0 or 1 is left, you lose.",
        lambda n: n in (0, 1),
    ),
    "prime-subtractor:{n}": (
        "Take away a prime, but not the whole number with the first move. "
        "If you can't, because 0 or 1 is left, you lose.",
        lambda n: n in (0, 1) or n == 2,  # its one prime is the whole number
    ),
    "prime-subtractor:{n},opening=any": (
        "Take away a prime. If you can't, because 0 or 1 is left, you lose.",
        lambda n: n in (0, 1),
    ),
    "divisor-duel:{n}": (
        "Take away a divisor of the number, but not 1 or the number itself. "
        "If you can't, because the number is prime or 1, you lose.",
        lambda n: is_prime(n) or n == 1,
    ),
    "divisor-duel:{n},divisors=even": (
        "Take away an even divisor of the number, but not the number itself. "
        "If you can't, because the number is odd or 2, you lose.",
        lambda n: n % 2 == 1 or n == 2,
    ),
    "divisor-duel:{n},divisors=odd": (
        "Take away an odd divisor of the number, but not 1 or the number itself. "
        "If you can't, because the number is an odd prime, a power of 2 or 1, you lose.",
        lambda n: (is_prime(n) and n % 2 == 1) or n in {2**k for k in range(12)},
    ),
    "divisor-duel:{n},divisors=prime": (
        "Take away a prime divisor of the number, but not the number itself. "
        "If you can't, because the number is prime or 1, you lose.",
        lambda n: is_prime(n) or n == 1,
    ),
    "power-play:{n}": (
        "Divide the number by one of its prime factors. Whoever reaches 1 wins.",
        lambda n: n == 1,
    ),
    "digit-subtraction-duel:{n}": (
        "Take away one of the number's digits, but not 0. Whoever reaches 0 wins.",
        lambda n: n == 0,
    ),
}


@pytest.mark.parametrize("pattern", SAID)
def test_the_rule_in_short_says_when_it_is_over(pattern: str) -> None:
    said, is_over = SAID[pattern]
    least = Board.parse(pattern.format(n=30)).numbers[0].game.least
    for n in range(least, 200):
        board = Board.parse(pattern.format(n=n))
        assert rule_in_short(board) == [said]
        assert board.is_over == is_over(n), str(board)
    [misere] = rule_in_short(Board.parse(pattern.format(n=30) + "~misere"))
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
