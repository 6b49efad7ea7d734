"""Own rules in plain words."""

from __future__ import annotations

from numduel.board import Number
from numduel.games import Game, OwnRule
from numduel.games.own import sentences
from numduel.match import Began, Moved
from numduel.wording.neutral import Rule, Wording
from numduel.wording.text import listed_moves, shown_move


class OwnRuleWording(Wording):
    """The neutral words, with the rule itself and divisions shown as such."""

    def rule(self, game: Game) -> Rule:
        assert isinstance(game, OwnRule)
        rule = game.rule
        return Rule(sentences.does(rule), sentences.goal(rule), sentences.stuck(rule))

    def began(self, event: Began) -> list[str]:
        [(game, n)] = event.setup.board.numbers
        return [f"{game.title}, from {n}."]

    def allowed(self, game: Game, n: int) -> str:
        return f"You can play {listed_moves(Number(game, n))}"

    def moved(self, event: Moved) -> list[str]:
        number = event.before.numbers[event.move.place]
        if number.game.divides(number.value, event.move.amount) is None:
            return super().moved(event)
        who, left = self.who[event.player], event.after.numbers[event.move.place].value
        plays = who.form("play", "plays")
        return [f"{who} {plays} {shown_move(event.before, event.move)}. The number is now {left}."]
