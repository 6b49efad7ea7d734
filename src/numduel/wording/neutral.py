"""The neutral wording, for boards of several numbers, own rules, and games without one.

It is also the base of the rulebooks' wordings, which change what their samples
show differently. Lists of lines come back without line ends; "" is a blank line.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from numduel.arguments import checked
from numduel.board import Board, Number
from numduel.errors import TooLarge
from numduel.games import Game, OwnRule, class_named, own
from numduel.match import BadInput, Began, Ending, Event, Moved, Over, Passed, TurnBegan, Undone
from numduel.wording.errors import problem
from numduel.wording.text import FEW, Subject, brief, listed_moves, shown_move

EVENTS: Final[dict[type[Event], str]] = {
    Began: "began",
    TurnBegan: "turn",
    BadInput: "bad-input",
    Moved: "moved",
    Passed: "passed",
    Undone: "undone",
    Over: "over",
}


@checked
def summary(game: Game) -> str:
    """The game in one line."""
    return game.description.partition("\n")[0]


class Rule(NamedTuple):
    """A game's rule in pieces: what a turn does, in a sentence, and when no turn is left. The end
    is a number to reach, or why the player to move is stuck: part of a sentence.
    """

    does: str
    goal: int | None = None
    stuck: str = ""


class Wording:
    """Events as lines of text, for players with these names; `persons` tells who is human. `you` is
    the one player who reads them, where only one does, and `how` the other plays.

    The words for an event on one number are templates. {who} is the player, {who:play} with a verb,
    {whose} what is theirs, {chooser} as they are told of it; {n} the number, {amount} the move,
    {left} what it leaves; of a turn, {turn} counts it, and {moves} are the legal ones.
    """

    welcome: tuple[str, ...] = ()  # shown before anything is asked
    starts = "Choose a positive whole number"  # what a start may be: the beginning of a sentence
    start_question: str | None = None  # asked when no option gave the start; None: it is not asked
    first_question: str | None = None  # the same for who begins, with both names
    no_choice = ""  # why no choice matters, for a game where that can be so
    traps = ""  # which numbers are traps under the usual rules, where a sentence says it

    began_words: tuple[str, ...] = ("{title} starts. The number is {n}.",)
    turn_words: tuple[str, ...] = ("", "{whose} turn.", "Legal moves at {n}: {moves}")
    between = ", "  # the moves of a turn
    prompt_words = "Enter your move: "
    moved_words: tuple[str, ...] = ("{who:play} {amount}. The number is now {left}.",)
    allowed_words = "Play one of the legal moves"  # what a legal move is: it begins a sentence
    rule_words: Rule | None = None
    winner_words: tuple[str, ...] = ("{who:win} the game!",)
    plain_end: int | None = None  # what a last move leaves where only the winner needs saying

    @checked
    def __init__(
        self, names: tuple[str, str], persons: tuple[bool, bool] = (True, True),
        you: int | None = None, how: str = "",
    ) -> None:  # fmt: skip
        self.who = (Subject(names[0], you == 0), Subject(names[1], you == 1))
        self.names = (str(self.who[0]), str(self.who[1]))
        self.persons = persons
        self.how = how

    def lines(self, event: Event) -> list[str]:
        """What the method that is named like the event says."""
        says: Callable[[Event], list[str]] = getattr(self, EVENTS[type(event)].replace("-", "_"))
        return says(event)

    def fill(self, words: Iterable[str], player: int, number: Number, **more: object) -> list[str]:
        """The lines of these templates."""
        who, (game, n) = self.who[player], number
        chooser = "You" if self.persons[player] else self.names[player]
        known = {"who": who, "whose": who.whose, "chooser": chooser, "title": game.title, "n": n}
        return [line.format(**known, **more) for line in words]

    def began(self, event: Began) -> list[str]:
        board = event.setup.board
        if len(board.numbers) == 1:
            return self.fill(self.began_words, event.setup.first, board.numbers[0])
        wins = "wins" if board.misere else "loses"
        return [
            f"The match starts with {len(board.numbers)} numbers on the board.",
            f"A turn plays one of them. Whoever cannot move on any {wins}.",
        ]

    def met(self) -> list[str]:
        """Shown to one person against the computer, when the match begins."""
        how = f", who {self.how}" if self.how else ""
        pairs = (self.who, self.who[::-1])
        return [f"You play against {other}{how}." for other, me in pairs if me.is_you]

    def turn(self, event: TurnBegan) -> list[str]:
        """Shown to the player whose turn begins: the board and the legal moves."""
        if len(event.board.numbers) == 1:
            player, number = event.player, event.board.numbers[0]
            moves = self.listed(number)
            return self.fill(self.turn_words, player, number, turn=event.turn, moves=moves)
        whose = self.who[event.player].whose
        return ["", f"{whose} turn.", *_legal_moves(event.board, str, FEW, FEW)]

    def listed(self, number: Number) -> str:
        return listed_moves(number, self.between)

    def reminder(self, board: Board) -> list[str]:
        """What the lines of a turn do not say: shown where no move has just said it."""
        return []

    def prompt(self, event: TurnBegan) -> str:
        """The question for a move; the answer follows on its last line."""
        if len(event.board.numbers) == 1:
            return self.fill([self.prompt_words], event.player, event.board.numbers[0])[0]
        return f"Enter your move as place:amount, for example {_example(event.board)}: "

    def moved(self, event: Moved) -> list[str]:
        place, amount = event.move
        before, left = event.before.numbers[place], event.after.numbers[place].value
        if len(event.after.numbers) == 1:
            return self.fill(self.moved_words, event.player, before, amount=amount, left=left)
        return [f"{self.who[event.player]:play} {amount}. Number {place + 1} is now {left}."]

    def bad_input(self, event: BadInput) -> list[str]:
        advice = f" {self.allowed_on(event.board)}, or type ? for help."
        return [problem(event.error) + advice * self.persons[event.player]]

    def passed(self, event: Passed) -> list[str]:
        return ["", f"{self.who[event.player]:lose} the turn after {event.count} invalid inputs."]

    def undone(self, event: Undone) -> list[str]:
        turns = "turn is" if event.turns == 1 else f"{event.turns} turns are"
        return [f"The last {turns} taken back."]

    def over(self, event: Over) -> list[str]:
        who, number = self.who[event.player], event.board.numbers[0]
        winner = self.fill(self.winner_words, event.winner, number)
        if event.ending is Ending.RESIGNED:
            return [f"{who:resign}.", *winner]
        if event.ending is Ending.FORFEITED:
            return [f"{who:forfeit} the match.", *winner]
        if event.ending is Ending.OVERSHOT and event.move is not None:
            place, amount = event.move
            return [*self.overshot(event.player, event.board.numbers[place], amount), *winner]
        if event.turn > 1 and number.value == self.plain_end:
            return winner
        turn = self.turn(TurnBegan(event.turn, event.player, event.board))
        return [*turn, *self.stuck(who, winner)]

    def stuck(self, who: Subject, winner: list[str]) -> list[str]:
        return [f"{who} cannot make a valid move.", *winner]

    def overshot(self, player: int, number: Number, amount: int) -> list[str]:
        below = f"which takes {brief(number.value)} below zero"
        return [f"{self.who[player]:play} {brief(amount)}, {below}."]

    def allowed_on(self, board: Board) -> str:
        """What a legal move is here: the beginning of a sentence."""
        if len(board.numbers) == 1:
            return self.allowed(*board.numbers[0])
        return f"Play on one of the numbers, for example {_example(board)}"

    def allowed(self, game: Game, n: int) -> str:
        """The same for one number."""
        return self.allowed_words.format(n=brief(n))

    def rule(self, game: Game) -> Rule:
        return self.rule_words or Rule(summary(game))

    def moves(self, board: Board) -> list[str]:
        """A longer list of the legal moves, for whoever asks."""
        return _legal_moves(board, brief, 60, 30)


class OwnRuleWording(Wording):
    """The neutral words, with the rule itself and divisions shown as such."""

    began_words = ("{title}, from {n}.",)

    def rule(self, game: Game) -> Rule:
        assert isinstance(game, OwnRule)
        rule = game.rule
        return Rule(own.does(rule), own.goal(rule), own.stuck(rule))

    def allowed(self, game: Game, n: int) -> str:
        return f"You can play {listed_moves(Number(game, n))}"

    def moved(self, event: Moved) -> list[str]:
        number = event.before.numbers[event.move.place]
        if number.game.divides(number.value, event.move.amount) is None:
            return super().moved(event)
        shown, left = shown_move(event.before, event.move), event.after.numbers[0].value
        return self.fill(self.moved_words, event.player, number, amount=shown, left=left)


@checked
def wording_for(board: Board) -> type[Wording]:
    """The rulebook's wording for a board of one number, the neutral one for several."""
    return wording_of(board.numbers[0].game) if len(board.numbers) == 1 else Wording


@checked
def wording_of(game: Game) -> type[Wording]:
    """The wording of one game; the neutral one where it has none of its own."""
    return class_named(game.key, game.wording, Wording) if game.wording else Wording


def _legal_moves(board: Board, shown: Callable[[int], str], few: int, of_each: int) -> list[str]:
    """A line for each number; up to `few` moves of one alone, and `of_each` of several."""
    if len(board.numbers) == 1:
        number = board.numbers[0]
        return [f"Legal moves at {shown(number.value)}: {listed_moves(number, few=few)}"]
    return [
        f"{place}: {number.game.title} {shown(number.value)}. "
        f"Legal moves: {listed_moves(number, few=of_each)}"
        for place, number in enumerate(board.numbers, 1)
    ]


def _example(board: Board) -> str:
    try:
        return board.write_move(next(board.moves()))
    except (StopIteration, TooLarge):
        return "1:2"
