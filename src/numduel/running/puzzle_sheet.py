"""A sheet of puzzles: drawn from a seed, put in words, and laid out to print."""

from __future__ import annotations

from itertools import islice

from numduel.drawing.sheet import SheetPuzzle, draw_sheet
from numduel.games import load
from numduel.solver import solve
from numduel.study.puzzles import SEVERAL, Puzzle, puzzles_in_turn
from numduel.wording.rule_in_short import rules_in_short
from numduel.wording.rules import titled
from numduel.wording.text import counted
from numduel.wording.why import why_in_short

COUNT = 12
"""How many puzzles, with their rules, fill one page."""

MOST = 48
"""The most puzzles on a sheet."""

_MOVE = "It is your turn. Exactly one move wins: write it on the line."
_SEVERAL = "On several numbers, write 2:5 to play 5 on number 2."
_WINNER = "To say who wins, write 1 for the player to move or 2 for the other."


def make_sheet(seed: str, kind: str | None, rating: int | None, count: int, again: str) -> str:
    """The sheet of the seed as a page, the easy puzzles first; fewer if no more are found.

    `again` is what makes the same sheet: a command or an address.
    Raises `NothingToStudy` for a game that makes no puzzles.
    """
    found = list(islice(puzzles_in_turn(seed, kind, rating), count))
    found.sort(key=lambda puzzle: puzzle.rating)
    about = "Number duels" if kind is None else _title(kind)
    asks = {puzzle.asks for puzzle in found}
    says = [_MOVE] * ("move" in asks)
    says += [_SEVERAL] * any(puzzle.game == SEVERAL for puzzle in found)
    says += [_WINNER] * ("winner" in asks)
    return draw_sheet(
        f"{about}: {counted(len(found), 'puzzle')}",
        " ".join(says),
        rules_in_short([puzzle.board for puzzle in found]),
        [_printed(puzzle) for puzzle in found],
        f"Sheet {seed}",
        again,
    )


def _title(kind: str) -> str:
    return "Several numbers" if kind == SEVERAL else load(kind).title


def _printed(puzzle: Puzzle) -> SheetPuzzle:
    return SheetPuzzle(
        [(titled(game), str(value)) for game, value in puzzle.board.numbers],
        "Winning move:" if puzzle.asks == "move" else "Who wins, 1 or 2?",
        puzzle.solution,
        why_in_short(solve(puzzle.board)),
    )
