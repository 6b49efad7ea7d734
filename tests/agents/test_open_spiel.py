"""The OpenSpiel games pass OpenSpiel's own suites, and its search agrees with our verdicts."""

import importlib
import random
import sys
from collections.abc import Callable
from functools import partial
from itertools import product
from types import ModuleType

import pytest

from later import Later
from numduel import Board, errors, solve
from numduel.games import keys, load
from raised import raised

pyspiel = Later("pyspiel")
SOAK = pytest.mark.soak
MORE = [
    "python_divisor_duel(start=36,misere=True,divisors=even)",
    "python_prime_subtractor(start=29,opening=any)",
    "python_power_play(start=360,encoding=digits)",
    "python_subtract_a_prime(start=20011)",
    "python_subtract_a_prime(large_start=n3000000019)",
]


def name_of(key: str) -> str:
    return f"python_{key.replace('-', '_')}"


@pytest.fixture(autouse=True, scope="module")
def _registered() -> None:
    import numduel.adaptors.open_spiel  # noqa: F401


@pytest.mark.parametrize(
    "name", [MORE[0], *(pytest.param(n, marks=SOAK) for n in [*map(name_of, keys()), *MORE[1:]])]
)
def test_openspiels_own_suites(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from open_spiel.python.tests import games_sim_test  # with much of SciPy

    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=20, serialize=True, verbose=False)
    games_sim_test.GamesSimTest().sim_game(game)
    capsys.readouterr()


def test_strings_and_tensors_tell_positions_apart() -> None:
    game = pyspiel.load_game("python_subtract_a_prime")
    one, other = game.new_initial_state(), game.new_initial_state()
    for first, second in ((3, 5), (5, 3)):
        one.apply_action(first)
        other.apply_action(second)
    shown = "subtract-a-prime:12, player 0 to move"
    assert one.observation_string(0) == other.observation_string(1) == str(one) == shown
    assert one.observation_tensor(0) == other.observation_tensor(0)
    assert one.information_state_string(0) == "subtract-a-prime:20/3.5, player 0 to move"
    assert one.information_state_string(0) != other.information_state_string(0)
    assert one.information_state_tensor(0) != other.information_state_tensor(0)
    assert (sum(one.observation_tensor(0)), game.num_distinct_actions()) == (3, 21)
    raised(errors.IllegalMove, one.apply_action, 4)


@pytest.fixture
def value_iteration(monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, float]]:
    """OpenSpiel's solver, without the linear programs (they need cvxpy): only games with moves
    at the same time ask for them."""
    programs = "open_spiel.python.algorithms.lp_solver"
    monkeypatch.setitem(sys.modules, programs, ModuleType(programs))
    module = importlib.import_module("open_spiel.python.algorithms.value_iteration")
    return partial(module.value_iteration, depth_limit=-1, threshold=0.01, cyclic_game=True)


@pytest.mark.parametrize(
    "starts", [(2, 5, 6, 7, 12), pytest.param((*range(2, 13), 18, 24), marks=SOAK)]
)
@pytest.mark.parametrize("key", keys())
def test_value_iteration_agrees_with_our_verdicts(
    key: str, starts: tuple[int, ...], value_iteration: Callable[..., dict[str, float]]
) -> None:
    """OpenSpiel solves every position at once, by the strings of states alone."""
    settings = ({name: v} for name, values in load(key).variants.items() for v in values)
    forms = product((False, True), ("number", "digits"), [{}, *settings])
    for misere, encoding, variants in forms:
        solved = 0
        for start in starts:
            board = Board.of(load(key, **variants), start, misere)
            if board.is_over or not board.numbers[0].game.is_start(start):
                continue
            asked = {"start": start, "misere": misere, "encoding": encoding, **variants}
            solved += agree(value_iteration(pyspiel.load_game(name_of(key), asked)), board)
        assert solved > 3


def agree(values: dict[str, float], board: Board) -> int:
    """How many values there are, each of them the verdict's."""
    whole = {text: value for text, value in values.items() if "/" not in text}  # or half a move
    assert f"{board}, player 0 to move" in whole
    for text, value in whole.items():
        place, _, player = text.removesuffix(" to move").rpartition(", player ")
        wins = (solve(Board.parse(place)).outcome == "win") == (player == "0")
        assert value == (1 if wins else -1), (board, text)
    return len(whole)


SUMS = [
    "subtract-a-prime:9+divisor-duel:12",
    "divisor-duel:8+power-play:12+digit-subtraction-duel:3",
    "prime-subtractor:7+prime-subtractor:5,opening=any",
    "divisor-duel:12,divisors=even+divisor-duel:12,divisors=odd",
    "power-play:1+subtract-a-prime:8",
    "digit-subtraction-duel:21",
    "subtract-1-3-4:9",
]


@pytest.mark.parametrize("ending", ["", "~misere"])
def test_a_sum_is_solved_and_played(
    ending: str,
    value_iteration: Callable[..., dict[str, float]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    for text in SUMS:
        board = Board.parse(text + ending)
        game = pyspiel.load_game("python_board", {"board": str(board)})
        assert agree(value_iteration(game), board) > 5
        pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
        capsys.readouterr()
        state = game.new_initial_state()
        width = max(number.value for number in board.numbers) + 1
        while not state.is_terminal():
            moves = list(board.moves())
            assert state.legal_actions() == [width * place + amount for place, amount in moves]
            raised(errors.IllegalMove, state.apply_action, game.num_distinct_actions())
            state.apply_action(state.legal_actions()[-1])
            board = board.play(moves[-1])
            assert str(state).startswith(f"{board}, player ")
        assert board.is_over


def test_a_board_is_written_into_openspiels_texts_and_read_back() -> None:
    board = Board.parse("divisor-duel:12,divisors=even+prime-subtractor:7,opening=any~misere")
    game = pyspiel.load_game("python_board", {"board": str(board)})
    again = pyspiel.load_game(str(game))
    assert str(again.new_initial_state()) == f"{board}, player 0 to move"
    assert str(again) == str(game)
    for text, kind in (
        ("divisor-duel:7+power-play:1", errors.InvalidSetup),
        ("power-play:10001+divisor-duel:6", errors.InvalidSetup),
        ("nonsense:7", errors.UnknownGame),
    ):
        raised(kind, pyspiel.load_game, "python_board", {"board": text})


@pytest.mark.parametrize("name", [*map(name_of, keys()), *MORE[:3], "python_board"])
def test_no_two_positions_share_a_string_or_a_tensor(name: str) -> None:
    game = pyspiel.load_game(name)
    seen: dict[object, tuple[str, int]] = {}
    random.seed(2)
    for _ in range(20):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            position = state.position
            key = (str(position.board), position.spelled, state.to_move)
            tensor = state.observation_tensor(0)
            assert tensor == state.observation_tensor(1)
            for told in ("string", str(state)), ("seen", state.observation_string(0)), (*tensor,):
                assert seen.setdefault(told, key) == key
            assert state.information_state_string(0).endswith(f"player {state.to_move} to move")
            assert state.information_state_tensor(0)[state.to_move] == 1
    assert {key[2] for key in seen.values()} == {0, 1}
