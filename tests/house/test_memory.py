"""Memory does not grow with what strangers send."""

from __future__ import annotations

import functools
import gc
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from random import Random

from numduel import Board, NumduelError, load, solve
from numduel.theory import find


def sizes() -> dict[str, int]:
    """How much is in each cache of the modules that are loaded."""
    return {
        f"{module}.{name}": value.cache_info().currsize
        for module in [name for name in sys.modules if name.startswith("numduel.")]
        for name, value in vars(sys.modules[module]).items()
        if isinstance(value, functools._lru_cache_wrapper)
    }


SHAPES = ("{}", "{}-{}", "divisor-duel-{}", "{}.{}", "Ü{}")


def nonsense(count: int) -> Iterator[str]:
    """Words that no game is called by, many of them of a key's form, some very long."""
    random = Random(1)
    for number in range(count):
        letters = "".join(random.choices("abcdefghijklmnop", k=random.choice([3, 30, 12_000])))
        yield SHAPES[number % len(SHAPES)].format(letters, number)


ASKED: dict[str, Callable[[str], object]] = {
    "load": load,
    "variant": lambda word: load("divisor-duel", divisors=word),
    "name of a variant": lambda word: load("divisor-duel", **{word: "even"}),
    "board": lambda word: Board.parse(f"{word}:60"),
    "number": lambda word: Board.parse(f"divisor-duel:{word}"),
    "board's variant": lambda word: Board.parse(f"divisor-duel:60,{word}=even"),
    "move": lambda word: Board.parse("divisor-duel:60").parse_move(word),
}


def test_nonsense_leaves_nothing_in_memory() -> None:
    def ask(count: int) -> None:
        for question in ASKED.values():
            for word in nonsense(count):
                with suppress(NumduelError):
                    question(word)

    ask(10)
    known = sizes()
    modules = set(sys.modules)
    tracemalloc.start()
    try:
        ask(10)
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        ask(20)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 50_000
    assert sizes() == known
    assert set(sys.modules) == modules


def test_memory_does_not_grow_with_the_moves_that_are_listed() -> None:
    theory = find(load("subtract-a-prime"))
    assert theory is not None
    list(islice(theory.moves_to(10**12 + 38, 0), 10))
    tracemalloc.start()
    try:
        listed = sum(1 for _ in islice(theory.moves_to(10**12 + 68, 0), 5_000))
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert listed == 5_000
    assert kept < 6_000_000


def test_what_was_forgotten_is_found_out_again() -> None:
    """Far more is asked near one number than is kept: every answer is still right."""
    board = Board.parse(f"subtract-a-prime:{10**12 + 38}")
    for move in islice(solve(board).winning_moves, 5_000, 5_010):
        assert solve(board.play(move)).outcome == "loss"
