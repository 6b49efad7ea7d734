"""Digit Subtraction Duel in its rulebook's words."""

from numduel.arithmetic import digits_of
from numduel.games import Game
from numduel.match import Began, Moved, TurnBegan
from numduel.wording.neutral import Rule, Wording
from numduel.wording.text import brief, shortened


class DigitSubtractionDuelWording(Wording):
    prize = ""
    plain_end = 0
    start_question = "Enter the starting number N:\n>> "
    traps = "The traps are the multiples of ten."

    @property
    def first_question(self) -> str:
        return f"Who will go first? (Enter {self.names[0]} or {self.names[1]})\n>> "

    def welcome(self) -> list[str]:
        return ["Welcome to Digit Subtraction Duel!"]

    def began(self, event: Began) -> list[str]:
        return []

    def turn(self, event: TurnBegan) -> list[str]:
        n = event.board.numbers[0].value
        digits = [digit for digit in dict.fromkeys(digits_of(n)) if digit]
        available = shortened(digits, None, ", ")
        return ["", f"Current N: {n}", f"Available digits to subtract: {available}"]

    def prompt(self, event: TurnBegan) -> str:
        return self.who[event.player].told("enter the digit to subtract:\n>> ")

    def moved(self, event: Moved) -> list[str]:
        before, after = event.before.numbers[0].value, event.after.numbers[0].value
        who = self.who[event.player]
        does = f"{who} {who.form('subtract', 'subtracts')} {event.move.amount}"
        return [f"{does} from {before}. New N is {after}."]

    def allowed(self, game: Game, n: int) -> str:
        return f"Play a digit of {brief(n)} other than 0"

    def rule(self, game: Game) -> Rule:
        return Rule("Take away one of the number's digits, but not 0.", goal=0)
