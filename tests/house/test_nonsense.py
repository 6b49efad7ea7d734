"""Nothing raw: every public function answers nonsense of every type with a `NumduelError`."""

from __future__ import annotations

import dataclasses
import enum
import inspect
from collections.abc import Callable, Iterator
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
from numduel.theory import Basis

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
