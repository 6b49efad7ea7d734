"""The vector environment plays as the single one does, many at a time."""

from random import Random
from typing import Any

import pytest

from later import Later
from numduel import Board, errors
from numduel.games import keys
from numduel.players import make_computer
from raised import raised

np, gymnasium = Later("numpy"), Later("gymnasium")
VectorDuel = Later("numduel.adaptors.vector", "VectorDuel")
REGISTERED = "numduel.adaptors.gymnasium:numduel"
MATCHES = 40


def both(**form: Any) -> tuple[Any, Any]:
    """Ours, and Gymnasium's of our single environments."""
    name = f"{REGISTERED}/{form.pop('key', 'board')}-v0"
    ours = gymnasium.make_vec(name, num_envs=MATCHES, **form)
    sync = gymnasium.make_vec(name, num_envs=MATCHES, vectorization_mode="sync", **form)
    return ours, sync


def same(ours: Any, theirs: Any) -> None:
    assert type(ours) is type(theirs)
    if isinstance(ours, dict):
        assert ours.keys() == theirs.keys()
        for name, value in ours.items():
            same(value, theirs[name])
    else:
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        assert np.array_equal(ours, theirs)


FORMS: list[dict[str, Any]] = [
    *({"key": key, "opponent": "largest"} for key in keys()),
    {"key": "prime-subtractor", "start": (11, 40), "opponent": "largest", "opening": "any"},
    {"key": "prime-subtractor", "start": (11, 40), "opponent": "largest", "first": "opponent"},
    {"key": "divisor-duel", "misere": True, "opponent": "largest", "observation": "dict"},
    {"key": "digit-subtraction-duel", "start": 87, "opponent": "perfect", "first": "opponent"},
    {"board": "subtract-1-3-4:20~misere", "opponent": "largest", "retries": 1},
    {"key": "subtract-a-prime", "opponent": "largest", "illegal": "forfeit"},
    {"key": "subtract-a-prime", "start": 7, "opponent": "largest", "first": "opponent"},
]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_trajectories_are_those_of_the_single_environment(form: dict[str, Any]) -> None:
    """Where the opponent leaves nothing to chance, step for step, illegal actions with it."""
    ours, sync = both(**form)
    for name in ("observation_space", "action_space", "single_observation_space"):
        assert getattr(ours, name) == getattr(sync, name)
    assert ours.metadata["autoreset_mode"] == sync.metadata["autoreset_mode"]
    start = {} if not isinstance(form.get("start"), tuple) else {"options": {"start": 31}}
    seen, infos = ours.reset(seed=1, **start)
    expected, told = sync.reset(seed=1, **start)
    random, ended = np.random.default_rng(1), 0
    for _ in range(60):
        same(seen, expected)
        same(infos, told)
        masks = infos["action_mask"]
        wild = random.integers(masks.shape[1], size=MATCHES)
        legal = [random.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks]
        actions = np.where(random.random(MATCHES) < 0.1, wild, legal)
        if start and ours._over.any():  # a new start is drawn, by each in its own way
            break
        seen, *ours_told, infos = ours.step(actions)
        expected, *theirs, told = sync.step(actions)
        for one, other in zip(ours_told, theirs, strict=True):
            same(one, other)
        ended += int(ours_told[1].sum())
    assert ended >= 10
    assert isinstance(ours, gymnasium.vector.VectorEnv)


@pytest.mark.parametrize("opponent", ["random", "perfect", "level:1", "level:4"])
@pytest.mark.parametrize("misere", [False, True])
def test_opponents_answer_as_they_do_elsewhere(opponent: str, misere: bool) -> None:
    """Every answer is as likely as that of the player itself, at each number."""
    ours = gymnasium.make_vec(
        f"{REGISTERED}/divisor-duel-v0", num_envs=4_000, start=24, misere=misere, opponent=opponent
    )
    player = make_computer(opponent, Random(1))
    for amount in (2, 3, 8, 12):
        ours.reset(seed=amount)
        ours.step(np.full(4_000, amount))
        left = ours._table.numbers(ours._rows)
        board = Board.of("divisor-duel", 24 - amount, misere)
        counts = dict.fromkeys([board.play(move).numbers[0].value for move in board.moves()], 0)
        for _ in range(4_000):
            counts[board.play(player.choose(board)).numbers[0].value] += 1
        for number, count in counts.items():
            assert abs(int((left == number).sum()) - count) < 200, (amount, number)


def test_starts_are_drawn_and_seeds_repeat() -> None:
    form = {"key": "divisor-duel", "start": (20, 30), "opponent": "random", "first": "random"}
    ours, _ = both(**form)
    ours.reset(seed=1)
    first = ours._table.numbers(ours._rows).tolist()
    ours.reset(seed=2)
    assert ours._table.numbers(ours._rows).tolist() != first
    ours.reset(seed=1)
    assert ours._table.numbers(ours._rows).tolist() == first
    assert {20, 30} & {*first}
    assert {*first} - {*range(20, 31)}, "some were begun by the opponent"
    raised(errors.InvalidSetup, ours.reset, options={"start": 32}, match="too large")


def test_a_users_script_runs(capsys: pytest.CaptureFixture[str]) -> None:
    from house.user_script import main

    assert main().all.thrown == 0
    assert "no game called" in capsys.readouterr().out


def test_what_cannot_be() -> None:
    for wrong in (
        {"opponent": "beginner"}, {"opponent": "engine:./bot"}, {"opponent": len}, {"num_envs": 0},
        {"first": "me"}, {"start": 20_000}, {"encoding": "digits"}, {"start": (30, 20)},
    ):  # fmt: skip
        with pytest.raises(errors.InvalidSetup):
            gymnasium.make_vec(f"{REGISTERED}/divisor-duel-v0", **{"num_envs": 2, **wrong})
    ours = gymnasium.make_vec(f"{REGISTERED}/divisor-duel-v0", num_envs=2, illegal="raise")
    ours.reset(seed=1)
    raised(errors.IllegalMove, ours.step, [15, 7])
    raised(errors.InvalidSetup, ours.step, [15])
    assert ours._table.numbers(ours._rows).tolist() == [60, 60]


def test_masks_are_not_larger_than_what_there_is() -> None:
    boards = VectorDuel("power-play", start=10_000, boards=30_000)
    raised(errors.InvalidSetup, boards.legal_masks, match="legal_moves")
    small = VectorDuel("divisor-duel", boards=3, seed=2)
    small.step([2, 3, 15])
    begins, moves = small.legal_moves()
    for place, mask in enumerate(small.legal_masks()):
        assert moves[begins[place] : begins[place + 1]].tolist() == np.flatnonzero(mask).tolist()
    assert len(boards.legal_moves()[1]) == 30_000 * len([*Board.of("power-play", 10_000).moves()])
