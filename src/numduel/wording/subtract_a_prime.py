"""Subtract a Prime in its rulebook's words."""

from numduel.board import Board
from numduel.games import Game
from numduel.match import Began, Moved, TurnBegan
from numduel.wording.neutral import Rule, Wording
from numduel.wording.text import brief, listed_moves


class SubtractAPrimeWording(Wording):
    plain_end = 0
    starts = "Choose a whole number greater than 1"

    def began(self, event: Began) -> list[str]:
        return [f"Game Start! The starting number is {event.setup.board.numbers[0].value}."]

    def turn(self, event: TurnBegan) -> list[str]:
        blank = [""] if event.turn > 1 else []
        moves = listed_moves(event.board.numbers[0])
        whose = self.who[event.player].whose
        return [*blank, f"{whose} turn.", f"Valid primes to subtract: {moves}"]

    def reminder(self, board: Board) -> list[str]:
        return [f"The number is {board.numbers[0].value}."]

    def prompt(self, event: TurnBegan) -> str:
        return "Enter the prime number to subtract: "

    def moved(self, event: Moved) -> list[str]:
        chooser = "You" if self.persons[event.player] else self.names[event.player]
        return [
            f"{chooser} chose to subtract {event.move.amount}.",
            f"New number is: {event.after.numbers[0].value}",
        ]

    def allowed(self, game: Game, n: int) -> str:
        return f"Play a prime up to {brief(n)}"

    def rule(self, game: Game) -> Rule:
        return Rule("Take away a prime.", stuck="0 or 1 is left")
