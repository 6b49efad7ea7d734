"""Boards and maps as the templates show them: numbers, moves and their buttons, cells."""

from asyncio import gather
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest
from typing import NamedTuple

from numduel.analysis import Analysis
from numduel.board import Board, Move, Number
from numduel.drawing.square import in_a_cell
from numduel.errors import NumduelError
from numduel.match import Turn
from numduel.thinking.questions import position
from numduel.thinking.questions.looking_back import TURNS
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.rendering import encoded
from numduel.web.settings import Limits
from numduel.wording import brief, problem, wording_of
from numduel.wording.analysis import judgement
from numduel.wording.rules import titled
from numduel.wording.text import instruction, operation, tail

_LONG, _HUGE = 4, 10
"""Digits beyond which figures are smaller, and smaller still."""
MOST = 200
"""Moves of a page that get a button each, the smallest of each number first; others are typed."""
_QUICK = 10**9
"""The moves of numbers below this are listed here; others are asked for elsewhere."""
_GROUP, _PLAIN = 3, 4
_NOBODY = ("Player 1", "Player 2")


@dataclass(frozen=True, slots=True)
class ShownMove:
    """A move as a button says it: "−11 → 9", on a board of several numbers "2: −11 → 9"."""

    text: str
    place: int
    """Counted from 1; 0 on a board of one number."""
    sign: str
    amount: str
    left: str
    does: str
    """The same to be read out: "Subtract 11"."""
    tails: tuple[str, str]
    """The amount and what is left, as they fit on a button."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One number of a board: the game's title with what is special, the figures, its moves."""

    place: int
    title: str
    value: int
    moves: list[ShownMove] = field(default_factory=list)
    complete: bool = True
    """Are these all its moves? Else the smallest."""

    @property
    def text(self) -> str:
        return brief(self.value)

    @property
    def size(self) -> str:
        return size_of(self.text)

    @property
    def parts(self) -> list[str]:
        """All figures in groups of three, so that a long number can be read and wraps well."""
        text = str(self.value)
        if len(text) <= _PLAIN:
            return [text]
        head = len(text) % _GROUP
        rest = [text[at : at + _GROUP] for at in range(head, len(text), _GROUP)]
        return [text[:head], *rest] if head else rest


class Verdict(NamedTuple):
    """What a turn did, in words, and whether it threw a win away."""

    said: str
    mistake: bool


def verdicts(analysis: Analysis) -> dict[int, Verdict]:
    return {one.turn: Verdict(judgement(one).capitalize(), one.mistake) for one in analysis.moves}


def size_of(text: str, long: int = _LONG, huge: int = _HUGE) -> str:
    """A class for the size of these figures: "", " long" or " huge"."""
    return "" if len(text) <= long else " long" if len(text) <= huge else " huge"


def numbers(board: Board, start: Board | None = None) -> list[Shown]:
    """The board's numbers for `ui.board`, under the rules that they started with."""
    begun = (start or board).numbers
    return [
        Shown(place, titled(begun[place - 1].game), number.value)
        for place, number in enumerate(board.numbers, 1)
    ]


def shown_move(board: Board, move: Move) -> ShownMove:
    number = board.numbers[move.place]
    sign, figure = operation(number, move.amount)
    left = after(board, move).numbers[move.place].value
    return ShownMove(
        text=board.write_move(move),
        place=move.place + 1 if len(board.numbers) > 1 else 0,
        sign=sign,
        amount=brief(figure),
        left=brief(left),
        does=instruction(number, move.amount),
        tails=(tail(figure), tail(left)),
    )


def last_turns(start: Board, turns: Sequence[Turn]) -> list[tuple[int, Turn, ShownMove | None]]:
    """The last turns, each with its number and its move; the replay has the others."""
    earlier = max(0, len(turns) - TURNS)
    shown, before = [], turns[earlier - 1].board if earlier else start
    for number, turn in enumerate(turns[earlier:], earlier + 1):
        shown.append((number, turn, turn.move and shown_move(before, turn.move)))
        before = turn.board
    return shown


def after(board: Board, move: Move) -> Board:
    """The board after a move that is known to be legal: nothing is checked, so it is quick."""
    game, value = board.numbers[move.place]
    number = Number(*game.after(value, move.amount))
    before, behind = board.numbers[: move.place], board.numbers[move.place + 1 :]
    return Board((*before, number, *behind), board.misere)


def is_playable(board: Board, limits: Limits) -> bool:
    """Does the board fit into a room? That it has a move is found out there."""
    most = 10**limits.digits
    return len(board.numbers) <= limits.numbers and all(n.value < most for n in board.numbers)


async def choices(board: Board, thinkers: Thinkers, start: Board | None = None) -> list[Shown]:
    """The numbers with their moves. Where finding them takes too long, there are none."""
    listed = await gather(*(_listed(number, thinkers) for number in board.numbers))
    counts = [len(amounts) for amounts, _ in listed]
    # The most buttons for each number, so that together they are not too many.
    most = next(n for n in range(MOST, 0, -1) if sum(min(n, count) for count in counts) <= MOST)
    found = []
    for place, (plain, (amounts, known)) in enumerate(
        zip(numbers(board, start), listed, strict=True)
    ):
        complete = known and len(amounts) <= most
        moves = [shown_move(board, Move(place, amount)) for amount in amounts[:most]]
        found.append(replace(plain, moves=moves, complete=complete))
    return found


async def _listed(number: Number, thinkers: Thinkers) -> tuple[list[int], bool]:
    """The first moves, one more than get buttons; and whether the list is right as it is."""
    game, value = number
    if value < _QUICK:
        return list(islice(game.moves(value), MOST + 1)), True
    try:
        answer = await thinkers.ask(position.moves, board=str(number), most=MOST + 1)
    except NumduelError:
        return [], False
    return [int(move["amount"]) for move in answer["moves"]], answer["complete"]


def what_is_allowed(board: Board, found: list[Shown]) -> str:
    if len(found) == 1:
        [(game, value)] = board.numbers
        return f"{wording_of(game)(_NOBODY).allowed(game, value)}."
    example = next((choice.moves[0].text for choice in found if choice.moves), "1:2")
    return f"Play on one of the numbers: its place, a colon and the move, like {example}."


def check(board: Board, text: str) -> tuple[bool, str]:
    """Can the move be played? And a sentence about it. Found without listing moves."""
    try:
        move = board.parse_move(text)
        board.play(move)
    except NumduelError as error:
        return False, problem(error)
    shown = shown_move(board, move)
    where = f" on number {shown.place}" if shown.place else ""
    return True, f"{shown.does}{where}: {shown.left} is left."


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of a map, as `ui.hundred` draws it."""

    number: int
    kind: str = ""
    """Classes for its colours."""
    text: str = ""
    """What stands there, if it is not the number."""
    small: str = ""
    """What stands below, for eyes."""
    says: str = ""
    """The same, and what the colours mean, for ears."""
    link: str = ""
    guess: str = ""
    """What a tap on it sends."""
    met: tuple[str, str] = ("", "")
    """What stands below, for eyes and ears, while nothing is guessed."""

    @property
    def size(self) -> str:
        if self.number < 1_000 or self.text not in ("", str(self.number)):
            return ""
        return "four" if self.number < 10_000 else "five"

    @property
    def shown(self) -> str:
        return self.text or in_a_cell(self.number)


def cells_of(
    board: str,
    here: int | None,
    numbers: Sequence[int],
    lost: Collection[int],
    values: Sequence[int | None] | None = None,
    unknown: Collection[int] = (),
) -> list[Cell]:
    """The cells of a map of this board's one number, each with a link to its page of Explore."""
    head, _, tail = board.partition(f":{here}")
    cells = []
    for number, value in zip_longest(numbers, values or ()):
        marks = [
            ("lost", ", a trap", number in lost),
            ("unknown", ", not known", number in unknown),
            ("here", ", the number now", number == here),
        ]
        says = "".join(word for _, word, on in marks if on)
        link = f"/explore?board={encoded(head)}:{number}{encoded(tail)}"
        cell = Cell(number, " ".join(mark for mark, _, on in marks if on), says=says, link=link)
        if value is not None:
            below = in_a_cell(number)
            said = f" is the value of {below}{says}"
            cell = replace(cell, text=str(value), small=below, says=said)
        cells.append(cell)
    return cells
