"""The vectorised environment against the board, move for move."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from later import Later
from numduel import Board, Move, errors
from numduel.games import keys, load
from patience import PATIENT

np, VectorDuel = Later("numpy"), Later("numduel.adaptors.vector", "VectorDuel")

CASES: list[tuple[str, dict[str, Any]]] = [
    *((key, {}) for key in keys()),
    ("subtract-a-prime", {"misere": True}),
    ("prime-subtractor", {"start": 29, "opening": "any"}),
    ("divisor-duel", {"start": 360, "divisors": "prime", "misere": True}),
    ("divisor-duel", {"start": 720_720}),
    ("divisor-duel", {"start": 4_620, "divisors": "odd"}),
    ("digit-subtraction-duel", {"start": 987_654_321_012_345_678}),
    ("power-play", {"start": 30030}),
]


@pytest.mark.parametrize(("key", "parameters"), CASES)
def test_it_plays_as_the_board_does(key: str, parameters: dict[str, Any]) -> None:
    boards = VectorDuel(key, boards=4, seed=3, **parameters)
    variants = {n: v for n, v in parameters.items() if n not in ("start", "misere")}
    game = load(key, **variants)
    start = parameters.get("start", game.default_start)
    first = Board.of(game, start, parameters.get("misere", False))
    expected = [first] * len(boards)
    players = [0] * len(boards)
    for _ in range(60):
        masks = boards.legal_masks()
        actions = boards.sample()
        for place, board in enumerate(expected):
            assert boards.board(place) == board
            legal = [move.amount for move in board.moves()]
            assert np.flatnonzero(masks[place]).tolist() == legal, (key, place)
            assert int(actions[place]) in legal
        rewards, over = boards.step(actions)
        for place, board in enumerate(expected):
            after = board.play(Move(0, int(actions[place])))
            assert bool(over[place]) == after.is_over, (key, board)
            winner = players[place] if not board.misere else 1 - players[place]
            won = 1 if winner == players[place] else -1
            assert rewards[place] == (won if after.is_over else 0)
            if after.is_over:
                assert boards.final[place] == after.numbers[0].value
            expected[place] = first if after.is_over else after
            players[place] = 0 if after.is_over else 1 - players[place]
        assert boards.players.tolist() == players


def test_samples_are_even_and_repeat() -> None:
    boards = VectorDuel("divisor-duel", start=12, boards=8_000, seed=5)
    counts = np.bincount(boards.sample(), minlength=13)
    assert all(1_800 < counts[move] < 2_200 for move in (2, 3, 4, 6))
    again = VectorDuel("divisor-duel", start=12, boards=8_000, seed=5)
    assert np.array_equal(boards.sample(), again.sample()) is False
    boards.reset(7)
    again.reset(7)
    assert np.array_equal(boards.sample(), again.sample())


def test_every_wrong_action_is_illegal() -> None:
    for key in keys():
        game = load(key)
        for action in (-1, 0, 10, 11, game.default_start + 1, 10**17):
            boards = VectorDuel(key, boards=2)
            if game.fault(game.default_start, action) is None:
                boards.step([action, action])
                continue
            with pytest.raises(errors.IllegalMove):
                boards.step([action, action])
            assert boards.numbers.tolist() == [game.default_start] * 2


def test_illegal_actions_by_policy() -> None:
    boards = VectorDuel("divisor-duel", boards=2, illegal="retry", retries=1)
    rewards, over = boards.step([7, 15])
    assert (rewards.tolist(), over.tolist()) == ([0, 0], [False, False])
    assert (boards.numbers.tolist(), boards.players.tolist()) == ([60, 45], [0, 1])
    rewards, over = boards.step([7, 15])
    assert (rewards.tolist(), over.tolist()) == ([-1, 0], [True, False])
    assert (boards.numbers.tolist(), boards.final.tolist()) == ([60, 30], [60, -1])
    boards = VectorDuel("divisor-duel", boards=1, illegal="forfeit")
    assert boards.step([7])[0].tolist() == [-1]


def test_what_cannot_be() -> None:
    for key, wrong in (("divisor-duel", {"boards": 0}), ("divisor-duel", {"illegal": "no"}),
                       ("digit-subtraction-duel", {"start": 10**19})):  # fmt: skip
        with pytest.raises(errors.InvalidSetup):
            VectorDuel(key, **wrong)
    with pytest.raises(errors.InvalidSetup):
        VectorDuel("divisor-duel", boards=3).step([2, 2])
    with pytest.raises(errors.InvalidSetup, match="cannot start from"):
        VectorDuel("divisor-duel", start=7)
    boards = VectorDuel("divisor-duel", boards=2)
    with pytest.raises(ValueError, match="read-only"):
        boards.numbers[0] = 10**9


GROWS = """
import sys
from numduel.adaptors.vector import VectorDuel
from numduel.errors import InvalidGame
from numduel.games import Game
from numduel.wording import problem

class Grows(Game):
    key, title, default_start = "grows", "Grows", 500

    def moves(self, n):
        return iter(eval(moves))

    def after(self, n, amount):
        return self, eval(left)

for moves, left in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        boards = VectorDuel(Grows(), boards=1000)
        for _ in range(2000):
            boards.step(boards.sample())
            boards.legal_masks()
    except InvalidGame as error:
        print(problem(error))
"""
FEW = "range(1, 4) if n > 3 else ()"
OUTSIDE = [
    (FEW, "n - amount if n < 300 else n + 10**7"),
    (FEW, "n - amount if n < 300 else n"),
    (FEW, "n - amount if n < 300 else -(10**7)"),
    (FEW, "n - amount if n < 300 else 10**30"),
    ("(10**7 * (n > 300) + 1,) if n else ()", "n - 1"),
    ("(-(10**7) * (n > 300) + 1,) if n else ()", "n - 1"),
    ("(3, 2, 1) if n > 300 else (1,) * (n > 0)", "n - amount"),
]


def test_no_rule_leads_out_of_its_tables() -> None:
    """In a process of its own: what reads past a table may end it without a word."""
    rules = [text for rule in OUTSIDE for text in rule]
    done = subprocess.run(
        [sys.executable, "-c", GROWS, *rules], capture_output=True, text=True, timeout=PATIENT
    )
    assert (done.returncode, done.stderr) == (0, "")
    said = 'The installed game "grows" cannot be used: at '
    assert [line.startswith(said) for line in done.stdout.splitlines()] == [True] * len(OUTSIDE)
