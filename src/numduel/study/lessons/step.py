"""One step of a tutorial, and the tables of steps."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

from numduel.arguments import checked
from numduel.arithmetic import read_number
from numduel.board import Board
from numduel.solver import solve
from numduel.wording.text import typed_move


class Asks(StrEnum):
    MOVE = "move"
    """A move that wins."""
    WINNER = "winner"
    """Who wins with best play: 1, who is to move, or 2."""
    TRAPS = "traps"
    """Which numbers, up to that of the position, are traps."""
    MATCH = "match"
    """To play the position to its end, and keep the win."""


@dataclass(frozen=True, slots=True)
class Step:
    """What is said, the position to solve, and what follows from it.

    `lost` and `won` are the numbers that the text calls so; the tests ask the
    solver whether it is right.
    """

    title: str
    says: str
    position: str
    asks: Asks
    hint: str
    learnt: str
    lost: tuple[int, ...] = ()
    won: tuple[int, ...] = ()

    @property
    def board(self) -> Board:
        return Board.parse(self.position)

    @property
    def winner(self) -> str:
        """Who wins with best play: "1", who is to move, or "2"."""
        return "1" if solve(self.board).outcome == "win" else "2"

    @property
    def numbers(self) -> range:
        """The numbers among which the traps are asked for."""
        game, most = self.board.numbers[0]
        return range(max(1, game.least), most + 1)


def read_lesson(name: str, words: Mapping[str, object] | None = None) -> tuple[Step, ...]:
    """The steps of the table with this name, with these words for those in braces; else none."""
    return tuple(_step(row, words or {}) for row in _table(name))


@lru_cache(maxsize=8)
def _table(name: str) -> list[dict[str, Any]]:
    table = Path(__file__).parent / f"{name}.toml"
    rows: list[dict[str, Any]] = []
    if table.is_file():
        rows = tomllib.loads(table.read_text(encoding="utf-8"))["steps"]
    return rows


def _step(row: dict[str, Any], words: Mapping[str, object]) -> Step:
    fields: dict[str, Any] = {
        name: value.format(**words) if isinstance(value, str) else tuple(value)
        for name, value in row.items()
    }
    return Step(**{**fields, "asks": Asks(fields["asks"])})


@checked
def refutation(after: Board) -> str | None:
    """What is wrong with the move that left this board; None for a move that wins."""
    verdict = solve(after)
    if verdict.outcome == "loss":
        return None
    reply = typed_move(after, next(iter(verdict.winning_moves)))
    alone = len(after.numbers) == 1
    leaves = f"That leaves {after.numbers[0].value}, and the reply" if alone else "The reply"
    return f"{leaves} {reply} wins. Try another move."


@checked
def read_traps(text: str) -> set[int]:
    """Numbers with blanks or commas between them. Raises what a number in it raises."""
    return {read_number(part) for part in re.split(r"[\s,]+", text) if part}


@checked
def miscoloured(step: Step, traps: Collection[int]) -> str | None:
    """What is wrong with these as the traps, at the smallest number; None if nothing is."""
    numbers, game = step.numbers, step.board.numbers[0].game
    if not set(traps) <= set(numbers):
        return f"Choose among the numbers from {numbers[0]} to {numbers[-1]}."
    for n in numbers:
        board = Board.of(game, n)
        verdict = solve(board)
        if (verdict.outcome == "loss") == (n in traps):
            continue
        again = f"Not quite. Look at {n} again:"
        if board.is_over:
            return f"{again} no move is left there."
        if n not in traps:
            return f"{again} every move from it leaves a number that is not a trap."
        move = next(iter(verdict.winning_moves))
        left = board.play(move).numbers[0].value
        return f"{again} the move {move.amount} leaves {left}, which is a trap."
    return None
