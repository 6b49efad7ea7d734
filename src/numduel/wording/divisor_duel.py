"""Divisor Duel in its rulebook's words."""

from numduel.games import Game
from numduel.match import Began, Ending, Moved, Over, TurnBegan
from numduel.wording.neutral import Rule, Wording
from numduel.wording.text import brief, listed_moves

_KINDS = {
    "all": "a divisor of {n} other than 1 and {n}",
    "even": "an even divisor of {n} other than {n}",
    "odd": "an odd divisor of {n} other than 1 and {n}",
    "prime": "a prime divisor of {n} other than {n}",
}

_RULES = {
    "all": ("a divisor", "but not 1 or the number itself", "prime or 1"),
    "even": ("an even divisor", "but not the number itself", "odd or 2"),
    "odd": ("an odd divisor", "but not 1 or the number itself", "an odd prime, a power of 2 or 1"),
    "prime": ("a prime divisor", "but not the number itself", "prime or 1"),
}


class DivisorDuelWording(Wording):
    prize = ""
    no_choice = "An odd divisor always turns even into odd and odd into even, so no turn is free."
    traps = "The traps are the odd numbers, and 2, 8, 32, 128 and so on."

    def began(self, event: Began) -> list[str]:
        return [f"Game Start! Current Number (N): {event.setup.board.numbers[0].value}"]

    def turn(self, event: TurnBegan) -> list[str]:
        number = event.board.numbers[0]
        return [
            "",
            f"{self.who[event.player].whose} turn.",
            f"Proper divisors of {number.value}: {listed_moves(number, join=',')}",
        ]

    def prompt(self, event: TurnBegan) -> str:
        return "Enter your chosen divisor: "

    def moved(self, event: Moved) -> list[str]:
        before, after = event.before.numbers[0].value, event.after.numbers[0].value
        return [f"Subtracting {event.move.amount} from {before}. New N is {after}."]

    def over(self, event: Over) -> list[str]:
        if event.ending is not Ending.NO_MOVE:
            return super().over(event)
        turn = self.turn(TurnBegan(event.turn, event.player, event.board))
        [winner] = self.winner_line(self.who[event.winner])
        return [*turn, f"No valid moves left. {winner}"]

    def allowed(self, game: Game, n: int) -> str:
        return f"Play {_KINDS[game.settings['divisors']].format(n=brief(n))}"

    def rule(self, game: Game) -> Rule:
        kind, but, stuck = _RULES[game.settings["divisors"]]
        return Rule(f"Take away {kind} of the number, {but}.", stuck=f"the number is {stuck}")
