"""Prime Subtractor in its rulebook's words."""

from numduel.board import Number
from numduel.games import Fault, Game
from numduel.match import DEFAULT_NAMES, Began, Moved, Over, TurnBegan
from numduel.wording.neutral import Rule, Wording
from numduel.wording.text import brief, listed_moves


class PrimeSubtractorWording(Wording):
    """As the sample of the rulebook has it; its name lines only where names were given."""

    plain_end = 0

    def began(self, event: Began) -> list[str]:
        start = event.setup.board.numbers[0].value
        named = self.names != DEFAULT_NAMES
        names = [f"{seat}: {name}" for seat, name in zip(DEFAULT_NAMES, self.names, strict=True)]
        return ["=== Prime Subtractor ===", f"Starting Total: {start}", *(names if named else [])]

    def turn(self, event: TurnBegan) -> list[str]:
        number = event.board.numbers[0]
        return [
            "",
            f"--- Turn {event.turn} ---",
            f"Current Total: {number.value}",
            f"Available Primes: {listed_moves(number)}",
        ]

    def prompt(self, event: TurnBegan) -> str:
        return f"{self.who[event.player].whose} Turn. Choose a prime number to subtract: "

    def moved(self, event: Moved) -> list[str]:
        return self._chose(event.player, event.move.amount, event.after.numbers[0].value)

    def overshot(self, event: Over, number: Number) -> list[str]:
        amount = event.move.amount if event.move else 0
        chose = self._chose(event.player, amount, number.value - amount)
        who = self.who[event.player]
        return [*chose, f"{who} {who.form('drop', 'drops')} the total below zero."]

    def _chose(self, player: int, amount: int, left: int) -> list[str]:
        chooser = "You" if self.persons[player] else self.names[player]
        return [f"{chooser} chose {amount}.", f"New Total: {left}"]

    def allowed(self, game: Game, n: int) -> str:
        barred = game.fault(n, n) is Fault.STARTING_TOTAL
        return f"Play a prime {'below' if barred else 'up to'} {brief(n)}"

    def rule(self, game: Game) -> Rule:
        barred = game.settings["opening"] == "below"
        but = ", but not the whole number with the first move" if barred else ""
        return Rule(f"Take away a prime{but}.", stuck="0 or 1 is left")
