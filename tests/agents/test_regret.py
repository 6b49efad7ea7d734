"""Regret is what plain search says that a policy gives away."""

from functools import cache
from random import Random
from typing import Any

import pytest

from later import Later
from numduel import Board, Move, errors, load, regret
from numduel.games import Game, keys
from raised import raised

pyspiel = Later("pyspiel")
DuelEnv = Later("numduel.adaptors.gymnasium", "DuelEnv")
RANGES = [(2, 60), (61, 200), (201, 999)]


@cache
def searched(game: Game, n: int) -> tuple[bool, int]:
    """Is the number won, and in how many moves? Straight from the rules; small ones come first."""
    after = [searched(*game.after(n, amount)) for amount in game.moves(n)]
    lost = [depth for won, depth in after if not won]
    return bool(lost), 1 + min(lost) if lost else 1 + max((d for _, d in after), default=-1)


def largest(board: Board) -> Move:
    return max(board.moves())


def at_random(board: Board) -> int:
    return Random(str(board)).choice([move.amount for move in board.moves()])


@pytest.mark.parametrize(
    ("key", "policy"), [*((key, at_random) for key in keys()), ("divisor-duel", largest)]
)
def test_regret_is_that_of_plain_search(key: str, policy: Any) -> None:
    game = load(key)
    boards = [Board.of(game, n) for n in range(2, 1000)]
    asked, thrown, lost, stayed = (dict.fromkeys(RANGES, 0) for _ in range(4))
    for n in range(2, 1000):
        (band,) = (band for band in RANGES if band[0] <= n <= band[1])
        (won, depth), after = searched(game, n), {}
        for amount in game.moves(n):
            after[amount] = searched(*game.after(n, amount))
        if not after:
            continue
        chosen = policy(Board.of(game, n))
        theirs, left = after[chosen.amount if isinstance(chosen, Move) else chosen]
        if won and any(w for w, _ in after.values()):
            asked[band] += 1
            thrown[band] += theirs
        if theirs is not won:
            stayed[band] += 1
            lost[band] += abs(left + 1 - depth)
    found = regret(policy, boards, RANGES)
    for band, figures in found.by_range.items():
        assert figures.asked == asked[band]
        if not asked[band]:
            assert (figures.thrown, figures.thrown_interval) == (None, None), "no choice matters"
        else:
            assert figures.thrown == pytest.approx(thrown[band] / asked[band])
            assert figures.thrown_interval[0] <= figures.thrown <= figures.thrown_interval[1]
        assert figures.depth == pytest.approx(lost[band] / stayed[band])
    assert found.all.asked == sum(asked.values())
    assert [*regret(policy, boards).by_range] == [(1, 9), (10, 99), (100, 999)]


def test_any_board_is_judged() -> None:
    for text in (
        "subtract-a-prime:9+divisor-duel:12~misere",
        "subtract-1-3-4:21",
        "halve-or-subtract-1:9~misere",
    ):
        found = regret(lambda board: next(board.moves()), [Board.parse(text)])
        assert found.all.depth is not None
        assert "all" in str(found)
        assert found._repr_html_().count("<tr>") == 3
    large = [Board.of("divisor-duel", 10**40 + n) for n in range(0, 20, 2)]
    found = regret(lambda board: 2, large)
    assert (found.all.asked, found.all.thrown, found.all.depth) == (10, 1.0, None)
    assert found.by_range[10**40, 10**41 - 1] == found.all
    assert found.all.thrown_interval[0] > 0.5


def test_what_cannot_be_judged() -> None:
    board = Board.of("divisor-duel", 60)
    raised(errors.IllegalMove, regret, lambda _: 7, [board])
    for policy in (7, "perfect", None):
        raised(errors.InvalidArgument, regret, policy, [board], match="function of a board")
    raised(errors.InvalidArgument, regret, largest, ["divisor-duel:60"])
    with pytest.raises(errors.InvalidSetup, match="environment"):
        regret(Model(DuelEnv("divisor-duel"), None), [board])
    with pytest.raises(errors.InvalidSetup, match="too large"):
        regret(Model(DuelEnv("divisor-duel", start=40)), [board])


class Model:
    """As Stable-Baselines3 has them: plays the largest legal action of the mask."""

    def __init__(self, env: Any, given: Any = 0) -> None:
        self.envs = [env]
        self.get_env = lambda: self if given is not None else None

    def predict(self, seen: Any, deterministic: bool, action_masks: Any) -> tuple[int, None]:
        assert seen in self.envs[0].observation_space
        return int(action_masks.nonzero()[0][-1]), None


@pytest.mark.parametrize("form", [{"observation": "dict"}, {"encoding": "digits"}, {}])
def test_a_model_plays_by_what_it_observes(form: dict[str, Any]) -> None:
    boards = [Board.of("divisor-duel", n) for n in range(2, 201)]
    model = Model(DuelEnv("divisor-duel", start=(2, 200), **form))
    assert regret(model, boards) == regret(largest, boards)


@pytest.mark.parametrize("encoding", ["number", "digits"])
def test_a_policy_of_openspiel_is_weighed_by_its_probabilities(encoding: str) -> None:
    from open_spiel.python.policy import UniformRandomPolicy

    import numduel.adaptors.open_spiel  # noqa: F401

    game = pyspiel.load_game(f"python_divisor_duel(start=60,encoding={encoding})")
    boards = [Board.of("divisor-duel", n) for n in (60, 45, 30, 24)]
    found = regret(UniformRandomPolicy(game), boards).all
    # Odd divisors win: three of ten from 60, three of six from 30, one of six from 24. Digit by
    # digit, the tens are drawn first: of 60 the tens 0 to 3, of 30 and 24 the tens 0 and 1.
    expected = {"number": [7 / 10, 3 / 6, 5 / 6], "digits": [49 / 60, 1 / 2, 9 / 10]}[encoding]
    assert (found.asked, found.thrown) == (3, pytest.approx(sum(expected) / 3))
    with pytest.raises(errors.InvalidSetup, match="comes to"):
        regret(UniformRandomPolicy(game), [Board.of("divisor-duel", 59 * 2)])
