"""Positions with their answers, against positions of Nim that OpenSpiel's own search solves."""

import time
from collections.abc import Callable, Iterator
from itertools import count, islice
from random import Random

import pyspiel
from open_spiel.python.algorithms import minimax

from bench.measure import Result, interleaved, sized
from numduel.study.positions import SKILLS, draw_positions

EACH = sized(20, 1)
"""Positions of each skill in a round."""


def rate(make: Callable[[], int]) -> Callable[[], float]:
    """Positions that one core makes in a second of its own time."""

    def measure() -> float:
        start = time.process_time()
        made = make()
        return made / (time.process_time() - start)

    return measure


def ours() -> Callable[[], int]:
    """Positions of all skills, each round from another seed."""
    seeds = count()

    def make() -> int:
        drawn = draw_positions(f"bench {next(seeds)}")
        return sum(1 for _ in islice(drawn, EACH * len(SKILLS)))

    return make


def nim() -> Callable[[], int]:
    """Three piles of up to 4, and a best move by OpenSpiel's alpha-beta search."""
    random = Random(1)

    def make() -> int:
        for _ in range(EACH):
            piles = ";".join(str(random.randint(1, 4)) for _ in range(3))
            game = pyspiel.load_game(f"nim(pile_sizes={piles},is_misere=false)")
            minimax.alpha_beta_search(game)
        return EACH

    return make


def run() -> Iterator[Result]:
    """The ratio to the peer, and thousands of positions a minute."""
    theirs, made = interleaved(rate(nim()), rate(ours()))
    print(f"positions: {made:,.0f} a second; Nim by OpenSpiel's search {theirs:,.0f}")
    yield Result(
        "positions of all skills / Nim positions solved by OpenSpiel", made / theirs, 1, True
    )
    yield Result("positions of all skills, thousands a minute on one core", made * 0.06, 5, True)
