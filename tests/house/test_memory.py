"""Memory does not grow with what strangers send: every memo in the package has a bound."""

from __future__ import annotations

import ast
import functools
import gc
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random

import pytest

import numduel
from numduel import Board, NumduelError, load, solve
from numduel.theory import find

ROOT = Path(numduel.__file__).parent
BOUNDED_BY = {
    "games._known": "the games there are, and their variants: errors are not kept",
    "games._find": "the games there are: errors are not kept",
    "games._class_in": "the files of the folder",
    "theory._of_game": "the games there are",
    "theory.digit_values.run": "a theorem: about 112,000 blocks are met, however many numbers",
    "theory.prime_values.by_definition": "five sizes",
    "wording._wording_of": "the games there are",
    "research.gpu_blocks._numbers_of": "two parities, twelve values",
    "research.low_values.low_values": "two constants",
    "research.grundy_blocks.places": "two pairs of constants",
    "web.pages.rendering.static": "the files that templates name",
}
"""What bounds each cache without a size of its own: never the text that somebody sends."""


def is_unbounded(decorator: ast.expr) -> bool:
    """Is it `@cache`, or `@lru_cache` without a size?"""
    if isinstance(decorator, ast.Call):
        sizes = [*decorator.args, *(word.value for word in decorator.keywords)]
        bounded = any(not isinstance(s, ast.Constant) or s.value is not None for s in sizes)
        return "lru_cache" in ast.unparse(decorator.func) and bool(sizes) and not bounded
    return ast.unparse(decorator) in ("cache", "functools.cache")


def test_every_cache_has_a_bound() -> None:
    found = set()
    for path in ROOT.rglob("*.py"):
        place = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and any(map(is_unbounded, node.decorator_list)):
                asked = node.args
                if asked.args or asked.posonlyargs or asked.kwonlyargs or asked.kwarg:
                    found.add(f"{place}.{node.name}")
    assert found == set(BOUNDED_BY)


def sizes() -> dict[str, int]:
    """How much is in each cache of the modules that are loaded."""
    return {
        f"{module}.{name}": value.cache_info().currsize
        for module in [name for name in sys.modules if name.startswith("numduel.")]
        for name, value in vars(sys.modules[module]).items()
        if isinstance(value, functools._lru_cache_wrapper)
    }


def nonsense(count: int) -> Iterator[str]:
    """Words that no game is called by, many of them of a key's form, some very long."""
    random = Random(1)
    for number in range(count):
        letters = "".join(random.choices("abcdefghijklmnop", k=random.choice([3, 30, 12_000])))
        yield (
            letters,
            f"{letters}-{number}",
            f"divisor-duel-{letters}",
            f"{letters}.{number}",
            f"Ü{letters}",
        )[number % 5]


ASKED: dict[str, Callable[[str], object]] = {
    "load": load,
    "variant": lambda word: load("divisor-duel", divisors=word),
    "name of a variant": lambda word: load("divisor-duel", **{word: "even"}),
    "board": lambda word: Board.parse(f"{word}:60"),
    "number": lambda word: Board.parse(f"divisor-duel:{word}"),
    "board's variant": lambda word: Board.parse(f"divisor-duel:60,{word}=even"),
    "move": lambda word: Board.parse("divisor-duel:60").parse_move(word),
}


@pytest.mark.parametrize("kind", ASKED)
def test_nonsense_leaves_nothing_in_memory(kind: str) -> None:
    def ask(count: int) -> None:
        for word in nonsense(count):
            with suppress(NumduelError):
                ASKED[kind](word)

    ask(20)
    known = sizes()
    modules = set(sys.modules)
    tracemalloc.start()
    try:
        ask(20)
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        ask(40)
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
        listed = sum(1 for _ in islice(theory.moves_to(10**12 + 68, 0), 8_000))
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert listed == 8_000
    assert kept < 6_000_000


def test_what_was_forgotten_is_found_out_again() -> None:
    """Far more is asked near one number than is kept: every answer is still right."""
    board = Board.parse(f"subtract-a-prime:{10**12 + 38}")
    for move in islice(solve(board).winning_moves, 8_000, 8_020):
        assert solve(board.play(move)).outcome == "loss"
