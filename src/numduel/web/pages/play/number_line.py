"""The way of a number down to 0: each move is a hop on a line."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from numduel.board import Board
from numduel.match import Turn

WIDTH, LEFT, BASE = 600, 20, 58
"""The picture's width, the place of the least number, the height of the line, in its own units."""

_HIGHEST = 44
_SHOWN = 40

_DIGIT, _MOST_DIGITS = 11, 6
"""The width of a figure under the line; longer numbers are not written there."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A move from one place on the line to another. `mine` shows by colour and by shape."""

    turn: int
    start: int
    end: int
    top: int
    mine: bool


@dataclass(frozen=True, slots=True)
class Label:
    at: int
    text: str


@dataclass(frozen=True, slots=True)
class NumberLine:
    here: int
    hops: list[Hop]
    labels: list[Label]


def lines_of(
    start: Board, turns: Sequence[Turn] = (), mine: int = 0, first: int = 1
) -> list[NumberLine]:
    """A line for each number of the board; the hops of the seat `mine` stand out.

    `first` is the number of the first of the turns: of a later one, it shows only where it went.
    """
    skipped = max(len(turns) - _SHOWN, int(first > 1))
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


def _labels(values: list[int], least: int, at: Callable[[int], int]) -> list[Label]:
    """The latest numbers first, then the start, then the least, as far as they have room."""
    found: list[Label] = []
    for value in [values[-1], values[0], *reversed(values[1:-1]), least]:
        text, place = str(value), at(value)
        reach = _DIGIT * len(text)
        if len(text) > _MOST_DIGITS:
            continue
        near = (abs(one.at - place) * 2 < reach + _DIGIT * (len(one.text) + 1) for one in found)
        if not any(near):
            found.append(Label(place, text))
    return found
