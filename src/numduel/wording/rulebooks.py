"""The five games in the words of their rulebooks."""

from numduel.arithmetic import digits_of
from numduel.board import Board, Number
from numduel.games import Fault, Game
from numduel.match import DEFAULT_NAMES, Began, Ending, Moved, Over, TurnBegan
from numduel.wording.neutral import Rule, Wording
from numduel.wording.text import Subject, brief, listed_moves, shortened


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


_DIVISORS = {
    "all": ("a divisor", True, "prime or 1"),
    "even": ("an even divisor", False, "odd or 2"),
    "odd": ("an odd divisor", True, "an odd prime, a power of 2 or 1"),
    "prime": ("a prime divisor", False, "prime or 1"),
}  # what may be taken, whether 1 has to be ruled out, and what a number without a move is


class DivisorDuelWording(Wording):
    prize = ""
    no_choice = "An odd divisor always turns even into odd and odd into even, so no turn is free."
    traps = "The traps are the odd numbers, and 2, 8, 32, 128 and so on."

    def began(self, event: Began) -> list[str]:
        return [f"Game Start! Current Number (N): {event.setup.board.numbers[0].value}"]

    def turn(self, event: TurnBegan) -> list[str]:
        number, whose = event.board.numbers[0], self.who[event.player].whose
        moves = listed_moves(number, join=",")
        return ["", f"{whose} turn.", f"Proper divisors of {number.value}: {moves}"]

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
        kind, bars_one, _ = _DIVISORS[game.settings["divisors"]]
        return f"Play {kind} of {brief(n)} other than {'1 and ' * bars_one}{brief(n)}"

    def rule(self, game: Game) -> Rule:
        kind, bars_one, stuck = _DIVISORS[game.settings["divisors"]]
        does = f"Take away {kind} of the number, but not {'1 or ' * bars_one}the number itself."
        return Rule(does, stuck=f"the number is {stuck}")


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
        who, left = self.who[event.player], event.after.numbers[0].value
        divides = f"{who} {who.form('divide', 'divides')} N by {event.move.amount}."
        return ["", divides, f"New N is {left}."]

    def over(self, event: Over) -> list[str]:
        return [""] * (event.ending is Ending.RESIGNED) + super().over(event)

    def winner_line(self, winner: Subject) -> list[str]:
        return ["", *super().winner_line(winner)]

    def allowed(self, game: Game, n: int) -> str:
        return f"Play a prime factor of {brief(n)}"

    def rule(self, game: Game) -> Rule:
        return Rule("Divide the number by one of its prime factors.", goal=1)


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
        total, primes = f"Current Total: {number.value}", listed_moves(number)
        return ["", f"--- Turn {event.turn} ---", total, f"Available Primes: {primes}"]

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


class SubtractAPrimeWording(Wording):
    plain_end = 0
    starts = "Choose a whole number greater than 1"

    def began(self, event: Began) -> list[str]:
        return [f"Game Start! The starting number is {event.setup.board.numbers[0].value}."]

    def turn(self, event: TurnBegan) -> list[str]:
        whose, moves = self.who[event.player].whose, listed_moves(event.board.numbers[0])
        blank = [""] if event.turn > 1 else []
        return [*blank, f"{whose} turn.", f"Valid primes to subtract: {moves}"]

    def reminder(self, board: Board) -> list[str]:
        return [f"The number is {board.numbers[0].value}."]

    def prompt(self, event: TurnBegan) -> str:
        return "Enter the prime number to subtract: "

    def moved(self, event: Moved) -> list[str]:
        chooser = "You" if self.persons[event.player] else self.names[event.player]
        left = event.after.numbers[0].value
        return [f"{chooser} chose to subtract {event.move.amount}.", f"New number is: {left}"]

    def allowed(self, game: Game, n: int) -> str:
        return f"Play a prime up to {brief(n)}"

    def rule(self, game: Game) -> Rule:
        return Rule("Take away a prime.", stuck="0 or 1 is left")
