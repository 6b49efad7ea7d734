"""Power Play in its rulebook's words."""

from numduel.games import Game
from numduel.match import Began, Ending, Moved, Over, TurnBegan
from numduel.wording.neutral import Rule, Wording
from numduel.wording.text import Subject, brief, listed_moves


class PowerPlayWording(Wording):
    plain_end = 1
    starts = "Choose a composite number, like 4, 8, 9 or 30"
    start_question = "\nEnter the starting number (greater than 1): "
    no_choice = "Every move takes away exactly one prime factor, so the number of moves is fixed."

    def welcome(self) -> list[str]:
        return ["Welcome to Power Play!"]

    def began(self, event: Began) -> list[str]:
        return ["", f"{self.names[event.setup.first]} will start first."]

    def turn(self, event: TurnBegan) -> list[str]:
        number = event.board.numbers[0]
        factors = listed_moves(number)
        return ["", "---", "", f"Current N is {number.value}.", f"Prime factors are: {factors}."]

    def prompt(self, event: TurnBegan) -> str:
        return self.who[event.player].told("choose a prime factor to divide N by: ")

    def moved(self, event: Moved) -> list[str]:
        who = self.who[event.player]
        return [
            "",
            f"{who} {who.form('divide', 'divides')} N by {event.move.amount}.",
            f"New N is {event.after.numbers[0].value}.",
        ]

    def over(self, event: Over) -> list[str]:
        return [""] * (event.ending is Ending.RESIGNED) + super().over(event)

    def winner_line(self, winner: Subject) -> list[str]:
        return ["", *super().winner_line(winner)]

    def allowed(self, game: Game, n: int) -> str:
        return f"Play a prime factor of {brief(n)}"

    def rule(self, game: Game) -> Rule:
        return Rule("Divide the number by one of its prime factors.", goal=1)
