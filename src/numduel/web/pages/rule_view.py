"""The whole rule of a board, for every page that shows one, with a worked example."""

from __future__ import annotations

from dataclasses import dataclass

from numduel.board import Board
from numduel.wording.rule_in_short import rule_in_short
from numduel.wording.rules import paragraphs


@dataclass(frozen=True, slots=True)
class RuleView:
    """One or two sentences, and examples that hold under this rule."""

    says: list[str]
    examples: list[str]
    misere: bool


def rule_of(board: Board) -> RuleView:
    """The rule of the board. Examples are of games played as usual."""
    games = {number.game for number in board.numbers}
    usual = not board.misere and all(
        game.settings == {name: values[0] for name, values in game.variants.items()}
        for game in games
    )
    examples = paragraphs(next(iter(games)))[1] if usual and len(games) == 1 else []
    return RuleView(rule_in_short(board), examples, board.misere)
