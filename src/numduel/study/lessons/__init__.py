"""Tutorials: six short steps for each game, each with a position to solve.

A game's tutorial is the table here with the name of its key, if there is one, or what the game
names. That of an own rule is made from the rule.
"""

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from numduel.arguments import checked
from numduel.arithmetic import read_number
from numduel.board import Board
from numduel.errors import InvalidGame, NothingToStudy, NumduelError, Unanswerable
from numduel.games import Game, OwnRule, load_named
from numduel.solver import solve
from numduel.study import Draw
from numduel.theory import find
from numduel.wording import problem, quoted, wording_for
from numduel.wording.rules import rule_in_short
from numduel.wording.text import joined, said_move

__all__ = ["Asks", "Step", "lesson_of", "miscoloured", "read_traps", "refutation"]

_COLOURED, _GUESSED, _TESTED = 30, 60, 100
"""The traps are coloured up to the first number, guessed up to the next, tested up to the last."""
_MOST = 40  # where a move is asked for, there are at least two, and at most so many


class Asks(StrEnum):
    MOVE = "move"  # a move that wins
    WINNER = "winner"  # who wins with best play: 1, who is to move, or 2
    TRAPS = "traps"  # which numbers, up to that of the position, are traps
    MATCH = "match"  # to play the position to its end, and keep the win


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


def read_lesson(name: str, words: Mapping[str, object]) -> tuple[Step, ...]:
    """The steps of the table with this name, with these words for those in braces; else none."""
    steps = []
    for row in _table(name):
        fields: dict[str, Any] = {
            name: value.format(**words) if isinstance(value, str) else tuple(value)
            for name, value in row.items()
        }
        steps.append(Step(**{**fields, "asks": Asks(fields["asks"])}))
    return tuple(steps)


@lru_cache(maxsize=8)
def _table(name: str) -> list[dict[str, Any]]:
    table = Path(__file__).with_name(f"{name}.toml")
    text = table.read_text(encoding="utf-8") if table.is_file() else "steps = []"
    return list(tomllib.loads(text)["steps"])


@checked
def lesson_of(game: Game) -> tuple[Step, ...]:
    """The steps of a game's tutorial. Raises `NothingToStudy` where there is none."""
    if isinstance(game, OwnRule):
        return own_lesson(game)
    steps: object = read_lesson(game.key, {})
    if not steps:
        if not game.lesson:
            raise NothingToStudy(problem="no lesson", game=game.key)
        steps = load_named(game.key, game.lesson)
    if isinstance(steps, tuple) and all(isinstance(step, Step) for step in steps):
        return steps
    raise InvalidGame(key=game.key, problem="its lesson is not a tuple of steps")


@lru_cache(maxsize=64)
def own_lesson(game: OwnRule) -> tuple[Step, ...]:
    """Six steps. Raises `NothingToStudy` for a rule with too few traps or choices to find any."""
    theory = find(game)
    lost = {n for n in range(_TESTED + 1) if theory.lost(n)}
    coloured = tuple(n for n in range(1, _COLOURED + 1) if n in lost)
    won = [n for n in range(1, _GUESSED + 1) if n not in lost]
    asked = [n for n in won if len(list(islice(game.moves(n), _MOST + 1))) in range(2, _MOST + 1)]
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
    steps = []
    for step in read_lesson("own-rule", words):
        number = step.board.numbers[0].value
        called = {number, *(coloured if step.asks is Asks.TRAPS else ())} & lost
        steps.append(replace(step, lost=tuple(sorted(called)), won=tuple({number} - lost)))
    return tuple(steps)


@checked
def refutation(after: Board) -> str | None:
    """What is wrong with the move that left this board; None for a move that wins."""
    verdict = solve(after)
    if verdict.outcome == "loss":
        return None
    reply = verdict.named_move or verdict.winning_move()
    leaves = f"That leaves {after.numbers[0].value}. " if len(after.numbers) == 1 else ""
    wins = "wins at once" if after.play(reply).is_over else "can win"
    return f"{leaves}The other player then plays {said_move(after, reply)} and {wins}."


def after_move(board: Board, text: str, also: str = "") -> Board:
    """The board after the move. `Unanswerable` says what is allowed, and `also` what."""
    try:
        return board.play(board.parse_move(text))
    except NumduelError as error:
        allowed = wording_for(board)(("", "")).allowed_on(board)
        message = f"{problem(error)} {allowed}{also}."
        raise Unanswerable(kind=error.word, message=message) from error


def check_winner(text: str) -> str:
    """The player who is said to win. Raises `Unanswerable` for what names neither."""
    if text.strip() not in ("1", "2"):
        message = f"{quoted(text)} is not an answer. Enter 1 or 2."
        raise Unanswerable(kind="UnreadableText", message=message)
    return text.strip()


def wrong_traps(step: Step, text: str) -> str | None:
    """What `miscoloured` says of the text. Raises `Unanswerable` for what is no list of numbers."""
    try:
        return miscoloured(step, read_traps(text))
    except NumduelError as error:
        message = f"{problem(error)} Separate the numbers with commas."
        raise Unanswerable(kind=error.word, message=message) from error


def reply(step: Step, board: Board, text: str, also: str = "") -> tuple[Board, str | None]:
    """The board after an answer to a step, and what is wrong with it; None if nothing is. Raises
    `Unanswerable`. `also` is what else may be done.
    """
    if step.asks is Asks.TRAPS:
        return board, wrong_traps(step, text)
    if step.asks is Asks.WINNER:
        right = check_winner(text) == step.winner
        return board, None if right else f"Not quite. Try again{also}."
    after = after_move(board, text, also)
    return after, refutation(after)


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
        move = verdict.winning_move()
        left = board.play(move).numbers[0].value
        return f"{again} the move {move.amount} leaves {left}, which is a trap."
    return None
