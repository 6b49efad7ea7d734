"""The tutorial of any own rule: find its pattern yourself."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from numduel.board import Board
from numduel.errors import NothingToStudy
from numduel.games import OwnRule
from numduel.study.draw import Draw
from numduel.study.lessons.step import Asks, Step
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

    def leaves(n: int) -> int:
        return next(n - amount for amount in game.moves(n) if n - amount in lost)

    draw, rule = Draw(game.key), " ".join(rule_in_short(Board.of(game, game.default_start)))
    guess, test = draw.between(_COLOURED + 1, _GUESSED), draw.between(_GUESSED + 1, _TESTED)
    first, move, match = small[0], draw.one_of(large), small[-1]

    def step(title: str, says: str, number: int, asks: Asks, hint: str, learnt: str) -> Step:
        told = {n for n in (number, *coloured) if asks is Asks.TRAPS or n == number}
        return Step(
            title, says, f"{game.key}:{number}", asks, hint, learnt,
            lost=tuple(sorted(told & lost)), won=tuple(sorted({number} - lost)),
        )  # fmt: skip

    return (
        step("The rule", f"{rule} The number is {first}.", first, Asks.MOVE,
             f"Leave {leaves(first)}.",
             f"Whoever must move from {leaves(first)} loses: it is a trap."),
        step("Colour the traps", f"Colour the traps from 1 to {_COLOURED} gold: the numbers from"
             " which whoever must move loses. Begin with 1 and go up.", _COLOURED, Asks.TRAPS,
             "A number is a trap if every move from it leaves a number that is not one.",
             f"{joined([str(n) for n in coloured], 'and')}. Do you see a pattern?"),
        step("Guess", f"How do the gold numbers continue after {_COLOURED}? Guess whether {guess}"
             " is one: then the player to move loses.", guess, Asks.WINNER,
             "How far is it from one gold number to the next? Does that repeat?",
             _verdict(guess, lost)),
        step("Test your guess", f"A guess that holds once may still be wrong. Say who wins from"
             f" {test} before you work it out.", test, Asks.WINNER,
             "Continue your pattern, step by step.", _verdict(test, lost)),
        step("Use it", f"The number is {move}. Leave a gold number.", move, Asks.MOVE,
             f"Leave {leaves(move)}.", "From every number that is not a trap, a move leaves one,"
             " or ends the match."),
        step("Play it", f"The match starts from {match}, and you begin. Leave gold each time.",
             match, Asks.MATCH, f"Leave {leaves(match)}.",
             "Leave gold each time. Whether your pattern goes on for ever needs a proof: the map"
             " says what is known."),
    )  # fmt: skip


def _has_choice(game: OwnRule, n: int) -> bool:
    least, most = _MOVES
    return least <= sum(1 for _ in islice(game.moves(n), most + 1)) <= most


def _verdict(n: int, lost: set[int]) -> str:
    return f"{n} is a trap." if n in lost else f"{n} is not a trap."
