"""The tutorial of any own rule: find its pattern yourself."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import islice

from numduel.board import Board
from numduel.errors import NothingToStudy
from numduel.games import OwnRule
from numduel.study.draw import Draw
from numduel.study.lessons.step import Asks, Step, read_lesson
from numduel.theory import find
from numduel.wording.rule_in_short import rule_in_short
from numduel.wording.text import joined

_COLOURED, _GUESSED, _TESTED = 30, 60, 100
"""The traps are coloured up to the first number, guessed up to the next, tested up to the last."""
_MOVES = 2, 40
"""The fewest and the most legal moves of a number where a move is asked for."""


@lru_cache(maxsize=64)
def own_lesson(game: OwnRule) -> tuple[Step, ...]:
    """Six steps. Raises `NothingToStudy` for a rule with too few traps or choices to find any."""
    theory = find(game)
    lost = {n for n in range(_TESTED + 1) if theory.lost(n)}
    coloured = tuple(n for n in range(1, _COLOURED + 1) if n in lost)
    asked = [n for n in range(1, _GUESSED + 1) if n not in lost and _has_choice(game, n)]
    small = [n for n in asked if n <= _COLOURED]
    large = [n for n in asked if n > _COLOURED]
    if not (coloured[1:] and small and large):
        raise NothingToStudy(problem="no lesson", game=game.key)
    draw = Draw(game.key)
    guess, test = draw.between(_COLOURED + 1, _GUESSED), draw.between(_GUESSED + 1, _TESTED)
    words: dict[str, object] = {
        "key": game.key,
        "rule": " ".join(rule_in_short(Board.of(game, game.default_start))),
        "coloured": _COLOURED,
        "traps": joined([str(n) for n in coloured], "and"),
    }
    for name, n in (("guess", guess), ("test", test)):
        words |= {name: n, f"{name}_is": "a" if n in lost else "not a"}
    for name, n in (("first", small[0]), ("move", draw.one_of(large)), ("match", small[-1])):
        left = next(n - amount for amount in game.moves(n) if n - amount in lost)
        words |= {name: n, f"{name}_leaves": left}
    return tuple(_checked(step, lost, coloured) for step in read_lesson("own-rule", words))


def _checked(step: Step, lost: set[int], coloured: tuple[int, ...]) -> Step:
    """The step with the numbers that it calls traps or none."""
    number = step.board.numbers[0].value
    told = {number, *(coloured if step.asks is Asks.TRAPS else ())}
    return replace(step, lost=tuple(sorted(told & lost)), won=tuple({number} - lost))


def _has_choice(game: OwnRule, n: int) -> bool:
    least, most = _MOVES
    return least <= sum(1 for _ in islice(game.moves(n), most + 1)) <= most
