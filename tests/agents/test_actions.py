"""An action is the number played, or its digits: positions and batches move as the board does.

And what agents observe in one match is as it was: a change there changes what they have learnt.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from libraries.playthroughs import ALL, PLACE, TESTED, differs

from later import Later
from numduel import Board, Move, errors, load
from numduel.games import Game, keys
from raised import raised

np, VectorDuel = Later("numpy"), Later("numduel.adaptors.vector", "VectorDuel")
Duel, illegal_moves_allowed = (
    Later("numduel.adaptors.duel", name) for name in ("Duel", "illegal_moves_allowed")
)
has_move = Later("numduel.adaptors.duel", "has_move")


def playable(position: Any, spelled: str = "") -> Iterator[int]:
    """Every number that can be played from here, whole or digit by digit."""
    for action in position.legal:
        after = position.after(action)
        if after.spelled:
            yield from playable(after, f"{spelled}{action}")
        else:
            yield int(f"{spelled}{action}")


@pytest.mark.parametrize("key", keys())
def test_positions_follow_the_board(key: str) -> None:
    random, game = Random(key), load(key)
    starts = [n for n in (game.default_start, 97, 360) if game.is_start(n) and not game.is_over(n)]
    for start, encoding, misere in product(starts, ("number", "digits"), (False, True)):
        duel = Duel.of(key, start, misere, encoding)
        whole = 10 if key == "digit-subtraction-duel" else start + 1
        assert duel.size == (whole if encoding == "number" else 10)
        position, board = duel.first, Board.of(game, start, misere)
        while not position.over:
            moves = [move.amount for move in board.moves()]
            assert [*playable(position)] == moves, board
            amount = random.choice(moves)
            for action in position.actions_for(amount):
                for wrong in {-1, *range(duel.size + 1)} - {*position.legal}:
                    raised(errors.IllegalMove, position.after, wrong)
                position = position.after(action)
            board = board.play(Move(0, amount))
            assert position.board == board
        assert board.is_over


def test_large_starts_are_spelled() -> None:
    start = 10**40 + 123
    duel = Duel.of("subtract-a-prime", start)
    assert (duel.size, duel.move_places) == (10, 41)
    position = duel.first
    for action in position.actions_for(2):
        position = pickle.loads(pickle.dumps(position.after(action)))
    assert position.board == Board.parse(f"subtract-a-prime:{start - 2}")
    assert Duel.of("digit-subtraction-duel", start).size == 10
    assert not has_move(load("prime-subtractor"), 10_000_019, 10_000_018, 10_000_019)
    assert has_move(load("prime-subtractor", opening="any"), 10_000_019, 10_000_018, 10_000_019)


CASES: list[tuple[str, dict[str, Any]]] = [
    *((key, {}) for key in keys()),
    ("subtract-a-prime", {"misere": True}),
    ("prime-subtractor", {"start": 29, "opening": "any"}),
    ("divisor-duel", {"start": 360, "divisors": "prime", "misere": True}),
    ("divisor-duel", {"start": 720_720}),
    ("divisor-duel", {"start": 4_620, "divisors": "odd"}),
    ("digit-subtraction-duel", {"start": 987_654}),
    ("power-play", {"start": 30030}),
]


@pytest.mark.parametrize(("key", "parameters"), CASES)
def test_batches_follow_the_board(key: str, parameters: dict[str, Any]) -> None:
    boards = VectorDuel(key, boards=4, seed=3, illegal="retry", retries=60, **parameters)
    variants = {n: v for n, v in parameters.items() if n not in ("start", "misere")}
    game = load(key, **variants)
    first = Board.of(game, parameters.get("start", game.default_start), "misere" in parameters)
    expected, players = [first] * len(boards), [0] * len(boards)
    for turn in range(60):
        boards.step(boards.numbers + 1)  # is illegal, and changes nothing
        masks, actions = boards.legal_masks(), boards.sample()
        for place, board in enumerate(expected):
            assert boards.board(place) == board
            legal = [move.amount for move in board.moves()]
            assert np.flatnonzero(masks[place]).tolist() == legal, (key, place)
            assert int(actions[place]) in legal
            if turn % 2:  # something else than was drawn
                actions[place] = legal[turn % len(legal)]
        rewards, over = boards.step(actions)
        for place, board in enumerate(expected):
            after = board.play(Move(0, int(actions[place])))
            assert bool(over[place]) == after.is_over, (key, board)
            assert rewards[place] == ((-1 if board.misere else 1) if after.is_over else 0)
            if after.is_over:
                assert boards.final[place] == after.numbers[0].value
            expected[place] = first if after.is_over else after
            players[place] = 0 if after.is_over else 1 - players[place]
        assert boards.players.tolist() == players


def test_samples_are_even_and_repeat() -> None:
    boards, again = (VectorDuel(start=12, boards=8_000, seed=5) for _ in range(2))
    drawn = boards.sample()
    assert drawn[:10].tolist() == [4, 6, 6, 4, 3, 6, 3, 4, 3, 4], "seeds draw as they always did"
    counts = np.bincount(drawn, minlength=13)
    assert all(1_800 < counts[move] < 2_200 for move in (2, 3, 4, 6))
    drawn = boards.sample()
    assert not np.array_equal(drawn, again.sample())
    boards.reset(7)
    again.reset(7)
    assert np.array_equal(boards.sample(), again.sample())
    boards.step(drawn)  # of the same numbers, though others were drawn since
    with pytest.raises(errors.IllegalMove):
        boards.step(drawn)  # who took 6 of 12 cannot take 6 once more


def test_every_wrong_action_of_a_batch_is_illegal() -> None:
    for key in keys():
        game = load(key)
        legal = next(game.moves(game.default_start))
        for action in (-1, 0, 10, 11, game.default_start + 1, 10**17):
            boards = VectorDuel(key, boards=2)
            if game.fault(game.default_start, action) is None:
                boards.step([action, action])
                continue
            assert raised(errors.IllegalMove, boards.step, [legal, action]).move == Move(0, action)
            assert boards.numbers.tolist() == [game.default_start] * 2


def test_illegal_actions_of_batches() -> None:
    boards = VectorDuel("divisor-duel", boards=2, illegal="retry", retries=1)
    rewards, over = boards.step([7, 15])
    assert (rewards.tolist(), over.tolist()) == ([0, 0], [False, False])
    assert (boards.numbers.tolist(), boards.players.tolist()) == ([60, 45], [0, 1])
    rewards, over = boards.step([7, 15])
    assert (rewards.tolist(), over.tolist()) == ([-1, 0], [True, False])
    assert (boards.numbers.tolist(), boards.final.tolist()) == ([60, 30], [60, -1])
    assert boards.step([7, 7])[1].tolist() == [False, False], "every turn is counted anew"
    for policy in ({"illegal": "forfeit"}, {"illegal": "retry", "retries": 0}):
        assert VectorDuel("divisor-duel", boards=1, **policy).step([7])[0].tolist() == [-1]


def test_what_cannot_be() -> None:
    for kind, start in product((Duel.of, VectorDuel), (7, 1, 0, -4)):
        raised(errors.InvalidSetup, kind, "divisor-duel", start, match="cannot start from")
    for make, wrong in (
        (Duel.of, {"game": "divisor-duel", "encoding": "index"}),
        (illegal_moves_allowed, {"policy": "ignore"}),
        (illegal_moves_allowed, {"policy": "retry", "retries": -1}),
        (VectorDuel, {"boards": 0}),
        (VectorDuel, {"illegal": "no"}),
        (VectorDuel(boards=3).step, {"actions": [2, 2]}),
    ):
        raised(errors.InvalidSetup, make, **wrong)
    raised(errors.InvalidSetup, Duel.of, "divisor-duel", colour="red", match="variant")
    with pytest.raises(ValueError, match="read-only"):
        VectorDuel(boards=1).numbers[0] = 10**9


def test_a_table_of_too_many_moves_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.adaptors.vector_table.MOST_MOVES", 60)
    for key, start in product(("subtract-a-prime", *keys()[2:]), (60, 10**18)):
        raised(errors.TooLarge, VectorDuel, key, start=start, match="cannot all be listed")


Moves, Left = Callable[[int], Iterable[int]], Callable[[int, int], int]


def made_up(moves: Moves, left: Left) -> Game:
    """A game that nobody has tried: what can be played, and what is left."""
    rules = {
        "key": "made-up", "title": "Made up", "default_start": 500,
        "moves": lambda self, n: iter(moves(n)), "after": lambda self, n, a: (self, left(n, a)),
    }  # fmt: skip
    game: Game = type("MadeUp", (Game,), rules)()
    return game


def few(n: int) -> range:
    return range(1, 4 if n > 3 else 1)


@pytest.mark.parametrize("encoding", ["number", "digits"])
def test_a_number_that_stays_is_refused_where_it_does(encoding: str) -> None:
    grows = made_up(few, lambda n, amount: n - amount if n < 300 else n)
    position = Duel.of(grows, encoding=encoding).first
    *spelled, last = position.actions_for(2)
    for action in spelled:
        position = position.after(action)
    error = raised(errors.InvalidGame, position.after, last)
    assert error.problem == "at 500 its move 2 leaves 500, which is not smaller"
    after = Duel.of(grows, 299, encoding="number").first.after(2)
    assert after.board.numbers[0].value == 297


OUTSIDE: list[tuple[Moves, Left]] = [
    (few, lambda n, amount: n - amount if n < 300 else n + 10**7),
    (few, lambda n, amount: n - amount if n < 300 else n),
    (few, lambda n, amount: n - amount if n < 300 else -(10**7)),
    (few, lambda n, amount: n - amount if n < 300 else 10**30),
    (lambda n: (10**7 * (n > 300) + 1,) if n else (), lambda n, amount: n - 1),
    (lambda n: (-(10**7) * (n > 300) + 1,) if n else (), lambda n, amount: n - 1),
    (lambda n: (3, 2, 1) if n > 300 else (1,) * (n > 0), lambda n, amount: n - amount),
]


def test_no_rule_leads_out_of_its_tables() -> None:
    """Compiled code reads them without looking."""
    for moves, left in OUTSIDE:
        raised(errors.InvalidGame, VectorDuel, made_up(moves, left), boards=2, match="at ")


@pytest.mark.parametrize("name", TESTED)
def test_what_an_agent_observes(name: str) -> None:
    assert not differs(name)


def test_every_adaptor_has_a_playthrough() -> None:
    assert {path.stem for path in PLACE.glob("*.txt")} == {*ALL}
    adaptors = PLACE.parents[1] / "src/numduel/adaptors"
    shared = "__init__ duel environment position vector_table"
    shared += " inspect"  # which tests/agents/test_inspect.py plays through
    found = {path.stem for path in adaptors.glob("*.py")} - {*shared.split()}
    assert found == {*ALL}
