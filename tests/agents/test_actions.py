"""The convention: an action is the number played, or its digits; never a place in a list."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from numduel import Board, Move, errors, load
from numduel.adaptors.duel import Duel, has_move
from numduel.adaptors.policy import IllegalMoves
from numduel.games import Game, keys


@pytest.mark.parametrize("key", keys())
def test_positions_follow_the_board(key: str) -> None:
    random = Random(key)
    for encoding, misere in product(("number", "digits"), (False, True)):
        duel = Duel(key, misere=misere, encoding=encoding)
        if encoding == "number":  # a small start has an action for every number
            assert duel.size == (10 if key == "digit-subtraction-duel" else duel.start + 1)
            assert duel.first.legal == tuple(load(key).moves(duel.start))
            assert not duel.spells
        for _ in range(4):
            position, board = duel.first, duel.board
            while not position.over:
                spelled = []
                while not spelled or position.spelled:
                    action = random.choice(position.legal)
                    assert 0 <= action < duel.size
                    for wrong in set(range(duel.size)) - set(position.legal):
                        with pytest.raises(errors.IllegalMove):
                            position.after(wrong)
                    spelled.append(action)
                    position = position.after(action)
                amount = int("".join(map(str, spelled))) if encoding == "digits" else spelled[0]
                board = board.play(Move(0, amount))
                assert position.board == board
            assert board.is_over


@pytest.mark.parametrize("key", keys())
def test_every_move_can_be_spelled_and_nothing_else(key: str) -> None:
    game = load(key)
    for start in (game.default_start, 97, 360):
        if not game.is_start(start) or game.is_over(start):
            continue
        first = Duel(game, start, encoding="digits").first
        reached = []
        waiting = [(first, "")]
        while waiting:
            position, spelled = waiting.pop()
            for digit in position.legal:
                if len(spelled) + 1 == len(str(start if key != "digit-subtraction-duel" else 9)):
                    reached.append(int(f"{spelled}{digit}"))
                else:
                    waiting.append((position.after(digit), f"{spelled}{digit}"))
        assert sorted(reached) == list(game.moves(start)), (key, start)


def test_large_starts_are_spelled() -> None:
    start = 10**40 + 123
    duel = Duel("subtract-a-prime", start)
    assert (duel.size, duel.spells) == (10, True)
    position = duel.first
    for action in position.actions_for(2):
        position = pickle.loads(pickle.dumps(position.after(action)))
    assert position.board == Board.parse(f"subtract-a-prime:{start - 2}")
    assert Duel("digit-subtraction-duel", start).size == 10
    assert not has_move(load("prime-subtractor"), 10_000_019, 10_000_018, 10_000_019)
    assert has_move(load("prime-subtractor", opening="any"), 10_000_019, 10_000_018, 10_000_019)


def test_what_cannot_be() -> None:
    for start in (7, 1, 0, -4):
        with pytest.raises(errors.InvalidSetup, match="cannot start from"):
            Duel("divisor-duel", start)
    for wrong in (lambda: Duel("divisor-duel", encoding="index"), lambda: IllegalMoves("ignore"),
                  lambda: IllegalMoves("retry", -1)):  # fmt: skip
        with pytest.raises(errors.InvalidSetup):
            wrong()
    with pytest.raises(errors.InvalidSetup, match="variant"):
        Duel("divisor-duel", colour="red")


class Rebound(Game):
    """Falls like any game while numbers are small, and grows above."""

    key = "rebound"
    title = "Rebound"
    default_start = 500

    def moves(self, n: int) -> Iterator[int]:
        return iter(range(1, min(n, 3) + 1))

    def after(self, n: int, amount: int) -> tuple[Game, int]:
        return self, n - amount if n < 300 else n + 1000


@pytest.mark.parametrize("encoding", ["number", "digits"])
def test_a_number_that_grows_is_refused_where_it_does(encoding: str) -> None:
    duel = Duel(Rebound(), encoding=encoding)
    position = duel.first
    *spelled, last = position.actions_for(2)
    for action in spelled:
        position = position.after(action)
    with pytest.raises(errors.InvalidGame) as caught:
        position.after(last)
    assert caught.value.problem == "at 500 its move 2 leaves 1500, which is not smaller"
    assert Duel(Rebound(), 299, encoding="number").first.after(2).number == 297
