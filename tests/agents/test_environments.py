"""The suites of Gymnasium and PettingZoo pass, and what learning libraries do at first contact."""

import pickle
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from agents.bots import bot
from later import Later
from numduel import Board, Move, errors, solve
from numduel.games import keys, load
from raised import raised

np, gymnasium, pettingzoo = Later("numpy"), Later("gymnasium"), Later("pettingzoo")
Duel = Later("numduel.adaptors.duel", "Duel")
DuelEnv = Later("numduel.adaptors.gymnasium", "DuelEnv")
env = Later("numduel.adaptors.pettingzoo", "env")
raw_env = Later("numduel.adaptors.pettingzoo", "raw_env")
check_env = Later("gymnasium.utils.env_checker", "check_env")
KINDS = [DuelEnv, raw_env]
REGISTERED = "numduel.adaptors.gymnasium:numduel"
OPPONENTS = ["perfect", "level:3", "random"]
OWN = ["subtract-1-3-4:21", "halve-or-subtract-1:20~misere", "divisor-duel:60,divisors=even"]
FORMS: list[dict[str, Any]] = [
    {"render_mode": "ansi"},
    {"misere": True, "first": "random"},
    {"encoding": "digits", "start": 120},
    {"observation": "array", "start": (20, 200), "render_mode": "rgb_array"},
    {"observation": "dict", "start": (20, 200), "first": "random"},
]
# PettingZoo's suites import its own environments in the way that it has deprecated, and warn
# that a dict is no array: why it is not the default.
pytestmark = [
    pytest.mark.filterwarnings("ignore:The old environment creation API"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent"),
]


@pytest.mark.parametrize("key", keys())
def test_the_libraries_own_suites(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    from pettingzoo.test import api_test, render_test, seed_test

    for number, form in enumerate(FORMS):
        opponent = OPPONENTS[number % 3]
        made = gymnasium.make(f"{REGISTERED}/{key}-v0", opponent=opponent, **form)
        check_env(made.unwrapped, skip_render_check="render_mode" not in form)
        made.close()
    for parameters in ({}, {"start": (20, 200), "observation": "dict"},
                       {"start": 360, "encoding": "digits", "illegal": "forfeit"}):  # fmt: skip
        api_test(env(key, **parameters), num_cycles=30)
        api_test(raw_env(key, **parameters), num_cycles=30)
    seed_test(lambda: env(key), num_cycles=30)
    render_test(lambda **mode: env(key, **mode))
    made = pettingzoo.make("aec", f"numduel/{key}-v0", misere=True)
    made.reset(seed=1)
    moves = list(load(key).moves(load(key).default_start))
    assert np.flatnonzero(made.last()[4]["action_mask"]).tolist() == moves
    capsys.readouterr()


@pytest.mark.parametrize("board", OWN)
def test_any_board_of_one_number_is_an_environment(board: str) -> None:
    single, pair = gymnasium.make(f"{REGISTERED}/board-v0", board=board), env(board=board)
    pair.reset(seed=1)
    for info in (single.reset(seed=1)[1], pair.infos["player_0"]):
        legal = [move.amount for move in Board.parse(board).moves()]
        assert np.flatnonzero(info["action_mask"]).tolist() == legal
    check_env(single.unwrapped, skip_render_check=True)


def play_out(made: Any, choose: Any, seed: int | None = None) -> float:
    _, info = made.reset(seed=seed)
    over, reward = False, 0.0
    while not over:
        assert np.array_equal(info["action_mask"], made.action_masks())
        _, reward, over, _, info = made.step(choose(np.flatnonzero(info["action_mask"])))
    return reward


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_matches_end_in_one_or_minus_one(opponent: str) -> None:
    for key in keys():
        made = DuelEnv(key, opponent=opponent, first="random")
        assert {play_out(made, Random(1).choice, seed) for seed in range(4)} <= {1.0, -1.0}
    for board in ("subtract-a-prime:20", "subtract-1-3-4:22"):
        made = DuelEnv(board=board, opponent=opponent, render_mode="ansi")

        def best(_: Any, made: Any = made) -> int:
            return next(iter(solve(Board.parse(made.render())).winning_moves)).amount

        assert play_out(made, best) == 1.0, "the verdict beats everybody"


def test_who_begins() -> None:
    made = DuelEnv("divisor-duel", start=60, opponent="perfect", first="opponent")
    assert {play_out(made, Random(2).choice) for _ in range(20)} == {-1.0}, "60 is won"
    made = DuelEnv("subtract-a-prime", start=7, opponent="perfect", first="opponent")
    _, info = made.reset(seed=1)  # the agent, where the opponent would win at once
    assert np.flatnonzero(info["action_mask"]).tolist() == [2, 3, 5, 7]
    assert made.step(np.int64(7))[1:3] == (1.0, True)
    with pytest.warns(UserWarning, match="The match is over"):
        _, reward, over, cut, info = made.step(7)
    assert (reward, over, cut, info["action_mask"].sum()) == (0.0, True, False, 0)


def test_any_function_or_program_is_an_opponent(tmp_path: Path) -> None:
    smallest = [lambda board: next(iter(board.moves())), lambda board: 3, bot(tmp_path, "good")]
    for opponent in smallest:
        made = DuelEnv("divisor-duel", start=60, opponent=opponent, render_mode="ansi")
        made.reset(seed=1)
        made.step(15)
        assert made.render() == f"divisor-duel:{45 - 3}"
        made.close()
    made = DuelEnv("divisor-duel", opponent=lambda board: Move(0, 7))
    made.reset()
    raised(errors.IllegalMove, made.step, 15)
    word = bot(tmp_path, "illegal")
    for first in ("agent", "opponent"):  # a program that plays nonsense forfeits
        made = DuelEnv("divisor-duel", start=60, opponent=word, first=first)
        _, info = made.reset(seed=1)
        assert info["action_mask"].any()
        assert first == "opponent" or made.step(15)[1:3] == (1.0, True)
        made.close()


def test_illegal_actions_by_policy() -> None:
    made = DuelEnv("divisor-duel", illegal="retry", retries=1)
    made.reset()
    _, reward, over, _, info = made.step(7)
    assert (reward, over, info["illegal"]) == (0.0, False, 1)
    assert made.step(-1)[1:3] == (-1.0, True)
    two = env("divisor-duel", retries=2)
    two.reset()
    for count in (1, 2):
        two.step(7)
        assert (two.agent_selection, two.infos["player_0"]["illegal"]) == ("player_0", count)
        assert two.rewards == {"player_0": 0, "player_1": 0}
    play(two, 15, 7, 7)
    assert two.infos["player_1"]["illegal"] == 2
    two.step(999)
    assert two.rewards == {"player_0": 1.0, "player_1": -1.0}
    for kind in KINDS:
        made = kind("divisor-duel", illegal="raise")
        made.reset()
        raised(errors.IllegalMove, made.step, 7)
    made = DuelEnv("divisor-duel", illegal="forfeit")
    made.reset()
    assert made.step(7)[1:3] == (-1.0, True)


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_parameter_is_refused_as_python_does(kind: Any) -> None:
    """Stable-Baselines3 and TorchRL try parameters, and look for this."""
    wrong = {"frameskip": "4"}, {"divsors": "even"}, {"board": "divisor-duel:60", "divisors": "odd"}
    said = "argument 'frameskip'", r"has the variants: divisors$", "argument 'divisors'"
    for parameters, words in zip(wrong, said, strict=True):
        raised(TypeError, kind, match=f"got an unexpected keyword .*{words}", **parameters)
    raised(errors.InvalidSetup, kind, "divisor-duel", divisors="green", match="variant")


@pytest.mark.parametrize("kind", KINDS)
def test_starts_are_drawn_from_all_that_can_start(kind: Any) -> None:
    made = pickle.loads(pickle.dumps(kind("divisor-duel", start=(20, 30), render_mode="ansi")))

    def number(**how: Any) -> int:
        made.reset(**how)
        return int(made.render().split(":")[1].split(",")[0])

    drawn = [number(seed=seed) for seed in range(100)]
    assert set(drawn) == {n for n in range(20, 31) if not load("divisor-duel").is_over(n)}
    assert drawn[:20] == [number(seed=seed) for seed in range(20)]
    assert number(options={"start": 12}) == 12
    assert number(options={"start": 30, "other": 1}) == 30
    for wrong in (31, 60, 23):
        raised(errors.InvalidSetup, number, options={"start": wrong})


REFUSED: list[tuple[type[Exception], list[dict[str, Any]]]] = [
    (errors.InvalidSetup, [{"start": start} for start in ((30, 20), (1, 2, 3), "20", (0, 5), 2.5)]),
    (errors.InvalidSetup, [{"first": "me"}, {"render_mode": "human"}, {"illegal": "no"},
                           {"observation": "picture"}, {"board": "subtract-1-3:9+halve:8"},
                           {"opponent": "person"}, {"opponent": "level:17"}, {"start": (2, 3)}]),
    (errors.InvalidRule, [{"board": "subtract-x:9"}]),
]  # fmt: skip


def test_what_cannot_be() -> None:
    for error, settings in REFUSED:
        for wrong in settings:
            raised(error, DuelEnv, **wrong)
    with pytest.raises(errors.PlayerFailed):
        DuelEnv(opponent="engine:no-such-program-here").reset()
    raised(errors.InvalidSetup, raw_env, "divisor-duel", render_mode="hologram")
    assert DuelEnv("divisor-duel", start=(20, 23)).action_space.n == 23  # 23 is prime


@pytest.mark.parametrize("key", keys())
def test_positions_with_different_moves_are_observed_differently(key: str) -> None:
    variants = [{}, *({n: v} for n, values in load(key).variants.items() for v in values)]
    for encoding, settings in product(("number", "digits"), variants):
        duel = Duel.of(key, (2, 30), encoding=encoding, **settings)
        starts = filter(duel.game.is_start, range(2, 31))
        boards = [Board.of(duel.game, start) for start in starts]
        places = [duel.fitting(board) for board in boards if not board.is_over]
        seen: dict[bytes, bytes] = {}
        for position in places:  # which grows, to all that is reached by the ends of what is legal
            sight = position.observe().tobytes()
            legal = position.mask().tobytes()
            assert seen.setdefault(sight, legal) == legal, (key, settings, position.board)
            ends = position.legal[:: len(position.legal) - 1 or 1]
            places += {position.after(action) for action in ends}.difference(places)
        assert len(seen) > 10


def test_the_mask_stands_beside_the_observation() -> None:
    made, two = (kind("divisor-duel", start=12, observation="dict") for kind in (DuelEnv, env))
    seen, info = made.reset(seed=1)
    two.reset()
    for mask in (seen["action_mask"], info["action_mask"], two.last()[0]["action_mask"]):
        assert np.flatnonzero(mask).tolist() == [2, 3, 4, 6]
    assert str(made.observation_space["observation"]) == "Box(0.0, 1.0, (20,), float32)"
    assert seen["observation"].dtype == np.float32
    assert two.observe("player_1")["action_mask"].sum() == 0


def test_the_picture_shows_the_number() -> None:
    made = DuelEnv("divisor-duel", start=111, opponent=lambda _: 2, render_mode="rgb_array")
    made.reset(seed=1)
    first = made.render()
    assert (first.dtype, first.shape[2]) == (np.uint8, 3)
    assert len({tuple(colour) for colour in first.reshape(-1, 3)}) == 2
    # Three times the same digit: the picture repeats, six dots of eight pixels further.
    assert np.array_equal(first[:, 16:64], first[:, 64:112])
    made.step(37)  # 74, and 72 after the reply
    then = made.render()
    assert then.shape == first.shape
    assert len({tuple(colour) for colour in then[:, : len(then[0]) // 3].reshape(-1, 3)}) == 1
    long = DuelEnv("digit-subtraction-duel", start=10**200, render_mode="rgb_array")
    long.reset()
    assert long.render().shape[1] < 2_000


def play(made: Any, *actions: int | None) -> None:
    for action in actions:
        made.step(action)


def test_a_match_of_two_agents_move_for_move() -> None:
    made = env("divisor-duel", render_mode="ansi")
    made.reset()
    play(made, 15, 15, 15)
    assert made.render() == "divisor-duel:15, player_1 to move"
    assert np.flatnonzero(made.last()[4]["action_mask"]).tolist() == [3, 5]
    assert made.infos["player_0"]["action_mask"].sum() == 0
    play(made, 5, 5)
    assert made.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(made.terminations.values())
    play(made, None, None)
    assert made.agents == []
    made = env("divisor-duel", start=4, misere=True)
    made.reset()
    made.step(2)
    assert made.rewards == {"player_0": -1.0, "player_1": 1.0}
