"""Nonsense of every type is answered with a `NumduelError`, and leaves nothing in memory."""

import dataclasses
import enum
import functools
import gc
import inspect
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from house.test_public import PUBLIC
from numduel import Board, Move, NumduelError, load, solve
from numduel.arena import Plan
from numduel.arena.exam import Setting
from numduel.board import Number
from numduel.drawing import Cell, Picture
from numduel.match import Began, Record, Setup
from numduel.players import Limits, View, make_computer
from numduel.study.lessons import lesson_of
from numduel.study.maps import make_map
from numduel.study.positions import draw_positions
from numduel.theory import Basis, find

NONSENSE: list[Any] = [
    None, True, -4, 2**70, 6.5, float("nan"), "60", "", "\ud800x", b"60", [], [None], ["foo"],
    (1, 2, 3), {}, {"a": 1}, {3}, object(), int, Board, Move(7, 7),
]  # fmt: skip
BOARD = Board.parse("divisor-duel:60")
SETUP = Setup(BOARD)
SENSE: dict[str, Any] = {
    "Board": BOARD, "Game": load("divisor-duel"), "Limits": Limits(), "Move": Move(0, 15),
    "Number": Number(load("divisor-duel"), 60), "Plan": Plan(("random", "largest"), (BOARD,)),
    "Player": make_computer("random", Random(1)), "Random": Random(1), "View": View.of(BOARD),
    "Record": Record(datetime.now(UTC), SETUP), "Setup": SETUP, "Event": Began(SETUP),
    "Map": make_map(load("divisor-duel"), 12), "Setting": Setting(),
    "Picture": Picture(9, 9, "a", "b"),
    "Position": next(iter(draw_positions("1"))), "Step": lesson_of(load("divisor-duel"))[0],
    "int": 12, "str": "divisor-duel", "list[Basis]": [Basis("search", "")], "list[str]": ["a"],
    "Sequence[Cell]": [Cell(1, True)], "Sequence[str]": ["random"], "bool": True,
}  # fmt: skip
"""Something sensible for what a parameter asks for, by its annotation."""


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions and classes; values that hold what they are given are none."""
    for name in PUBLIC:
        if name in ("adaptors.mcp", "adaptors.inspect"):  # seconds to import, for three functions
            continue
        module = import_module(f"numduel.{name}".rstrip("."))
        for each in module.__all__:
            found = getattr(module, each)
            if isinstance(found, type):
                if issubclass(found, BaseException | tuple | enum.Enum):
                    continue
                if dataclasses.is_dataclass(found) or getattr(found, "_is_protocol", False):
                    continue
            if each in ("Claim", "Method", "Game", "SpielGame", "SpielState"):  # types and bases
                continue
            if callable(found):
                yield f"{name}.{each}", found
    for each in ("fault", "is_legal", "play", "write_move", "parse_move", "having", "of", "parse"):
        yield f"Board.{each}", getattr(BOARD, each)
    yield "Verdict.first_moves", solve(BOARD).first_moves
    yield "Verdict.as_dict", solve(BOARD).as_dict


def calls(function: Callable[..., Any]) -> Iterator[dict[str, Any]]:
    """Each parameter in turn is nonsense among sense; then all are the same nonsense."""
    parameters = inspect.signature(function).parameters.values()
    named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    needed = {p.name: str(p.annotation) for p in named if p.default is p.empty}
    if not named:
        yield {}
    more = any(p.kind is p.VAR_KEYWORD for p in parameters)
    for value in NONSENSE:
        yield dict.fromkeys(needed, value)
        if more:  # variants
            yield {**dict.fromkeys(needed, "divisor-duel"), "divisors": value}
        for parameter in named:
            if callable(value) and "Callable" in str(parameter.annotation):
                continue  # a function's own errors are its own
            sense = {n: SENSE.get(told.split(" | ")[0]) for n, told in needed.items()}
            yield {**sense, parameter.name: value}


def test_nonsense(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    raw: dict[str, str] = {}
    for name, function in public():
        for arguments in calls(function):
            try:
                made = function(**arguments)
                if isinstance(made, Iterator):
                    list(islice(made, 2))
            except NumduelError as error:
                if not str(error).endswith((".", "?")):
                    raw.setdefault(name, f"{arguments}: {error}")
            except Exception as error:
                raw.setdefault(name, f"{arguments}: {type(error).__name__} {error}")
    assert not raw, "\n".join(f"{name}: {said}" for name, said in raw.items())


def sizes() -> dict[str, int]:
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
