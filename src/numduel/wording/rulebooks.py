"""The five games in the words of their rulebooks."""

from numduel.arithmetic import digits_of
from numduel.board import Board, Number
from numduel.games import Fault, Game
from numduel.match import DEFAULT_NAMES, Began, Ending, Over, TurnBegan
from numduel.wording.neutral import Rule, Wording
from numduel.wording.text import Subject, brief


class DigitSubtractionDuelWording(Wording):
    winner_words = ("{who:win}!",)
    plain_end = 0
    welcome = ("Welcome to Digit Subtraction Duel!",)
    start_question = "Enter the starting number N:\n>> "
    first_question = "Who will go first? (Enter {} or {})\n>> "
    traps = "The traps are the multiples of ten."
    began_words = ()
    turn_words = ("", "Current N: {n}", "Available digits to subtract: {moves}")
    moved_words = ("{who:subtract} {amount} from {n}. New N is {left}.",)
    allowed_words = "Play a digit of {n} other than 0"
    rule_words = Rule("Take away one of the number's digits, but not 0.", goal=0)

    def listed(self, number: Number) -> str:
        digits = dict.fromkeys(digits_of(number.value))
        return ", ".join(str(digit) for digit in digits if digit) or "None"

    def prompt(self, event: TurnBegan) -> str:
        return self.who[event.player].told("enter the digit to subtract:\n>> ")


_DIVISORS = {
    "all": ("a divisor", True, "prime or 1"),
    "even": ("an even divisor", False, "odd or 2"),
    "odd": ("an odd divisor", True, "an odd prime, a power of 2 or 1"),
    "prime": ("a prime divisor", False, "prime or 1"),
}  # what may be taken, whether 1 has to be ruled out, and what a number without a move is


class DivisorDuelWording(Wording):
    winner_words = ("{who:win}!",)
    no_choice = "An odd divisor always turns even into odd and odd into even, so no turn is free."
    traps = "The traps are the odd numbers, and 2, 8, 32, 128 and so on."
    began_words = ("Game Start! Current Number (N): {n}",)
    turn_words = ("", "{whose} turn.", "Proper divisors of {n}: {moves}")
    between = ","
    prompt_words = "Enter your chosen divisor: "
    moved_words = ("Subtracting {amount} from {n}. New N is {left}.",)

    def stuck(self, who: Subject, winner: list[str]) -> list[str]:
        return [f"No valid moves left. {winner[0]}"]

    def allowed(self, game: Game, n: int) -> str:
        kind, bars_one, _ = _DIVISORS[game.settings["divisors"]]
        return f"Play {kind} of {brief(n)} other than {'1 and ' * bars_one}{brief(n)}"

    def rule(self, game: Game) -> Rule:
        kind, bars_one, stuck = _DIVISORS[game.settings["divisors"]]
        does = f"Take away {kind} of the number, but not {'1 or ' * bars_one}the number itself."
        return Rule(does, stuck=f"the number is {stuck}")


class PowerPlayWording(Wording):
    winner_words = ("", "{who:win} the game!")
    plain_end = 1
    welcome = ("Welcome to Power Play!",)
    starts = "Choose a composite number, like 4, 8, 9 or 30"
    start_question = "\nEnter the starting number (greater than 1): "
    no_choice = "Every move takes away exactly one prime factor, so the number of moves is fixed."
    began_words = ("", "{who} will start first.")
    turn_words = ("", "---", "", "Current N is {n}.", "Prime factors are: {moves}.")
    moved_words = ("", "{who:divide} N by {amount}.", "New N is {left}.")
    allowed_words = "Play a prime factor of {n}"
    rule_words = Rule("Divide the number by one of its prime factors.", goal=1)

    def prompt(self, event: TurnBegan) -> str:
        return self.who[event.player].told("choose a prime factor to divide N by: ")

    def over(self, event: Over) -> list[str]:
        return [""] * (event.ending is Ending.RESIGNED) + super().over(event)


class PrimeSubtractorWording(Wording):
    """As the sample of the rulebook has it; its name lines only where names were given."""

    plain_end = 0
    began_words = ("=== Prime Subtractor ===", "Starting Total: {n}")
    turn_words = ("", "--- Turn {turn} ---", "Current Total: {n}", "Available Primes: {moves}")
    prompt_words = "{whose} Turn. Choose a prime number to subtract: "
    moved_words = ("{chooser} chose {amount}.", "New Total: {left}")

    def began(self, event: Began) -> list[str]:
        names = [f"{seat}: {name}" for seat, name in zip(DEFAULT_NAMES, self.names, strict=True)]
        return super().began(event) + (names if self.names != DEFAULT_NAMES else [])

    def overshot(self, player: int, number: Number, amount: int) -> list[str]:
        words = (*self.moved_words, "{who:drop} the total below zero.")
        return self.fill(words, player, number, amount=amount, left=number.value - amount)

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
    began_words = ("Game Start! The starting number is {n}.",)
    turn_words = ("", "{whose} turn.", "Valid primes to subtract: {moves}")
    prompt_words = "Enter the prime number to subtract: "
    moved_words = ("{chooser} chose to subtract {amount}.", "New number is: {left}")
    allowed_words = "Play a prime up to {n}"
    rule_words = Rule("Take away a prime.", stuck="0 or 1 is left")

    def turn(self, event: TurnBegan) -> list[str]:
        return super().turn(event)[event.turn == 1 :]  # no blank line before the first

    def reminder(self, board: Board) -> list[str]:
        return [f"The number is {board.numbers[0].value}."]
