"""Learning environments and the arena, against the peers' own small games in the same run."""

import random
import time
import warnings
from collections.abc import Callable, Iterator

import gymnasium
import numpy as np
import pettingzoo
import pyspiel
from open_spiel.python import games  # noqa: F401  registers python_tic_tac_toe

import numduel.adaptors.open_spiel  # noqa: F401
from bench.measure import SHORT, Result, interleaved, sized
from numduel import Board
from numduel.adaptors.gymnasium import DuelEnv
from numduel.adaptors.vector import VectorDuel
from numduel.arena import Plan
from numduel.arena import run as run_arena
from numduel.players import Limits

SECONDS = sized(1.0, 0.01)
BATCH = sized(1 << 14, 16)
LARGE = sized(10**6, 10**4)


def rate(playout: Callable[[], int]) -> Callable[[], float]:
    """Steps that one core makes in a second of its own time, whatever else the machine does."""

    def measure() -> float:
        steps, start = 0, time.process_time()
        while time.process_time() - start < SECONDS:
            steps += playout()
        return steps / (time.process_time() - start)

    return measure


def spiel(name: str) -> Callable[[], int]:
    """Twenty random matches through OpenSpiel."""
    game, choose = pyspiel.load_game(name), random.Random(1).choice

    def playout() -> int:
        steps = 0
        for _ in range(20):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(choose(state.legal_actions()))
                steps += 1
        return steps

    return playout


def tictactoe() -> Callable[[], int]:
    """Ten random matches of PettingZoo's tictactoe_v3, which needs the extra `bench`."""
    if SHORT:
        return gym("random")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = pettingzoo.make("aec", "classic/tictactoe-v3")
    choose = random.Random(1).choice

    def playout() -> int:
        steps = 0
        for _ in range(10):
            made.reset()
            for _ in made.agent_iter():
                seen, _, over, cut, _ = made.last()
                action = None if over or cut else choose(np.flatnonzero(seen["action_mask"]))
                steps += action is not None
                made.step(action)
        return steps

    return playout


def gym(opponent: str) -> Callable[[], int]:
    """Twenty random matches of Divisor Duel from 60 through Gymnasium."""
    made, choose = DuelEnv("divisor-duel", opponent=opponent), random.Random(1).choice

    def playout() -> int:
        steps = 0
        for _ in range(20):
            _, info = made.reset()
            over = False
            while not over:
                action = choose(np.flatnonzero(info["action_mask"]))
                _, _, over, _, info = made.step(action)
                steps += 1
        return steps

    return playout


def abreast(mode: str, count: int) -> Callable[[], int]:
    """Twenty steps of so many agents at Digit Subtraction Duel, each playing its smallest digit."""
    boards = gymnasium.make_vec(
        "numduel/digit-subtraction-duel-v0", count, mode, opponent="random", first="random"
    )
    told = boards.reset(seed=1)[1]["action_mask"]

    def playout() -> int:
        nonlocal told
        for _ in range(20):
            told = boards.step(told.argmax(axis=1))[-1]["action_mask"]
        return 20 * count

    return playout


def vector(key: str, start: int) -> Callable[[], int]:
    """Twenty steps of a batch of boards, by sampled legal moves."""
    boards = VectorDuel(key, start, BATCH)

    def playout() -> int:
        for _ in range(20):
            boards.step(boards.sample())
        return 20 * BATCH

    return playout


def arena(players: tuple[str, str], jobs: int) -> Callable[[], float]:
    """Matches a second of two players on Divisor Duel from 60."""
    plan = Plan(players, (Board.parse("divisor-duel:60"),), rounds=sized(2000, 5))

    def measure() -> float:
        start = time.perf_counter()
        return len(run_arena(plan, Limits(), jobs)) / (time.perf_counter() - start)

    return measure


def run() -> Iterator[Result]:
    """Ratios to the peers, and millions of steps and thousands of matches a second."""
    theirs, ours = interleaved(
        rate(spiel("python_tic_tac_toe")), rate(spiel("python_divisor_duel"))
    )
    print(f"OpenSpiel python_tic_tac_toe {theirs:,.0f} steps/s, our Divisor Duel {ours:,.0f}")
    yield Result("OpenSpiel Divisor Duel / python_tic_tac_toe", ours / theirs, 1, True)
    theirs, ours, perfect = interleaved(
        rate(tictactoe()), rate(gym("random")), rate(gym("perfect"))
    )
    print(f"PettingZoo tictactoe_v3 {theirs:,.0f} steps/s, our Gymnasium Divisor Duel {ours:,.0f}")
    print(f"against random, {perfect:,.0f} against perfect")
    yield Result("Gymnasium Divisor Duel / tictactoe_v3", min(ours, perfect) / theirs, 5, True)
    theirs, ours = interleaved(
        rate(abreast("sync", sized(256, 2))), rate(abreast("vector_entry_point", BATCH))
    )
    print(f"Gymnasium's SyncVectorEnv {theirs:,.0f} steps/s, our vector environment {ours:,.0f}")
    yield Result("Gymnasium vector environment / SyncVectorEnv", ours / theirs, 100, True)
    start = time.perf_counter()
    large = vector("divisor-duel", LARGE)
    yield Result("vectorised Divisor Duel from 10^6, set-up, s", time.perf_counter() - start, 2)
    digits, divisors, many = interleaved(
        rate(vector("digit-subtraction-duel", LARGE)), rate(vector("divisor-duel", 60)), rate(large)
    )
    name = "vectorised {}, million steps/s on one core"
    yield Result(name.format("Digit Subtraction Duel from 10^6"), digits / 1e6, 50, True)
    yield Result(name.format("Divisor Duel from 60"), divisors / 1e6, 20, True)
    yield Result(name.format("Divisor Duel from 10^6"), many / 1e6, 20, True)
    for players in (("perfect", "random"), ("random", "largest")):
        (matches,) = interleaved(arena(players, 1))
        name = f"arena of {players[0]} and {players[1]} from 60, one process, matches/s"
        yield Result(name, matches, 2000, True)
