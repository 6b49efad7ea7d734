"""Boards and maps as the templates show them: numbers, moves and their buttons, lines, cells."""

from asyncio import gather
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest
from typing import NamedTuple

from numduel.board import Board, Move, Number
from numduel.drawing.square import in_a_cell
from numduel.errors import NumduelError
from numduel.match import Turn
from numduel.rooms import Bounds
from numduel.thinking.questions import position
from numduel.thinking.questions.looking_back import TURNS
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.rendering import TEMPLATES, encoded
from numduel.wording import brief, wording_of
from numduel.wording.rules import titled
from numduel.wording.text import instruction, operation, tail

MOST = 200  # moves of a page with a button, the smallest of each number first; others are typed
_QUICK = 10**9  # the moves of numbers below this are listed here; others are asked for elsewhere
_NOBODY = ("Player 1", "Player 2")
WIDTH, LEFT, BASE = 600, 20, 58  # of a number line: width, place of the least number, height
_HIGHEST, _HOPS = 44, 40
_DIGIT, _MOST_DIGITS = 11, 6  # a figure's width under the line; longer numbers are not written


class ShownMove(NamedTuple):
    """A move as a button says it: "−11 → 9", on a board of several numbers "2: −11 → 9"."""

    text: str
    place: int  # counted from 1; 0 on a board of one number
    sign: str
    amount: str
    left: str
    does: str  # the same to be read out: "Subtract 11"
    tails: tuple[str, str]  # the amount and what is left, as they fit on a button


@dataclass(frozen=True, slots=True)
class Shown:
    """One number of a board: the game's title with what is special, the figures, its moves."""

    place: int
    title: str
    value: int
    moves: list[ShownMove] = field(default_factory=list)
    complete: bool = True  # are these all its moves, or the smallest?

    @property
    def text(self) -> str:
        return brief(self.value)


def size_of(text: str, long: int = 4, huge: int = 10) -> str:
    """A class for figures of more digits than these: "", " long" or " huge"."""
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


def figures(board: Board, between: str = "+") -> str:
    return between.join(brief(number.value) for number in board.numbers)


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


def is_playable(board: Board, bounds: Bounds) -> bool:
    """Does the board fit into a room? That it has a move is found out there."""
    most = 10**bounds.digits
    return len(board.numbers) <= bounds.numbers and all(n.value < most for n in board.numbers)


async def choices(board: Board, thinkers: Thinkers, start: Board | None = None) -> list[Shown]:
    """The numbers with their moves. Where finding them takes too long, there are none."""
    listed = await gather(*(_listed(number, thinkers) for number in board.numbers))
    counts = [len(amounts) for amounts, _ in listed]
    # The most buttons for each number, so that together they are not too many.
    most = next(n for n in range(MOST, 0, -1) if sum(min(n, count) for count in counts) <= MOST)
    found = numbers(board, start)
    for place, (amounts, known) in enumerate(listed):
        moves = [shown_move(board, Move(place, amount)) for amount in amounts[:most]]
        complete = known and len(amounts) <= most
        found[place] = replace(found[place], moves=moves, complete=complete)
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


class Cell(NamedTuple):
    """One number of a map, as `ui.hundred` draws it."""

    number: int
    kind: str = ""  # classes for its colours
    text: str = ""  # what stands there, if it is not the number
    small: str = ""  # what stands below, for eyes
    says: str = ""  # the same, and what the colours mean, for ears
    link: str = ""
    guess: str = ""  # what a tap on it sends
    met: tuple[str, str] = ("", "")  # what is below, for eyes and ears, while nothing is guessed


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
            cell = cell._replace(text=str(value), small=below, says=said)
        cells.append(cell)
    return cells


class Hop(NamedTuple):
    """A move from one place on the line to another. `mine` shows by colour and by shape."""

    turn: int
    start: int
    end: int
    top: int
    mine: bool


class NumberLine(NamedTuple):
    """The way of a number down to its least: each move is a hop."""

    here: int
    hops: list[Hop]
    labels: list[tuple[str, int]]  # numbers below it, and where they stand


def lines_of(
    start: Board, turns: Sequence[Turn] = (), mine: int = 0, first: int = 1
) -> list[NumberLine]:
    """A line for each number of the board; the hops of the seat `mine` stand out.

    `first` is the number of the first of the turns: of a later one, it shows only where it went.
    """
    skipped = max(len(turns) - _HOPS, int(first > 1))
    boards = [start, *(turn.board for turn in turns[max(0, skipped - 1) : skipped])]
    shown = list(enumerate(turns[skipped:], first + skipped))
    return [_line(boards, shown, mine, place) for place in range(len(start.numbers))]


def _line(boards: list[Board], turns: list[tuple[int, Turn]], mine: int, place: int) -> NumberLine:
    game, most = boards[0].numbers[place]
    span = WIDTH - 2 * LEFT

    def at(value: int) -> int:
        return LEFT + (value - game.least) * span // max(1, most - game.least)

    hops, values = [], [board.numbers[place].value for board in boards]
    for number, turn in turns:
        before, after = values[-1], turn.board.numbers[place].value
        if after == before:  # a pass, or a move elsewhere
            continue
        one, two = at(before), at(after)
        top = BASE - min(_HIGHEST, 10 + (one - two) // 3)
        hops.append(Hop(number, one, two, 2 * top - BASE, turn.player == mine))
        values.append(after)
    return NumberLine(at(values[-1]), hops, _labels(values, game.least, at))


def _labels(values: list[int], least: int, place_of: Callable[[int], int]) -> list[tuple[str, int]]:
    """The latest numbers first, then the start, then the least, as far as they have room."""
    found: list[tuple[str, int]] = []
    for value in [values[-1], values[0], *reversed(values[1:-1]), least]:
        text, place = str(value), place_of(value)
        reach = _DIGIT * len(text)
        if len(text) > _MOST_DIGITS:
            continue
        near = (abs(at - place) * 2 < reach + _DIGIT * (len(other) + 1) for other, at in found)
        if not any(near):
            found.append((text, place))
    return found


TEMPLATES.filters |= {"numbers": numbers, "lines": lines_of, "last_turns": last_turns}
TEMPLATES.filters |= {"allowed": what_is_allowed, "figures": figures}
TEMPLATES.filters |= {"size": size_of, "in_a_cell": in_a_cell}
