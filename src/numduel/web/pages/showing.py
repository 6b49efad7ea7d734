"""Boards and moves as the templates show them."""

from __future__ import annotations

from dataclasses import dataclass

from numduel.board import Board, Move, Number
from numduel.wording import brief
from numduel.wording.variants import named

_LONG, _HUGE = 4, 10
"""Digits beyond which figures are smaller, and smaller still."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One number of a board: the game's title with what is special, and the figures."""

    title: str
    text: str
    size: str
    """A class for the size of the figures: "", " long" or " huge"."""


def numbers(board: Board) -> list[Shown]:
    """The board's numbers for `ui.board`."""
    return [
        Shown(_title(number), brief(number.value), _size(brief(number.value)))
        for number in board.numbers
    ]


def _title(number: Number) -> str:
    special = [
        named(name, value)
        for name, value in number.game.settings.items()
        if value != number.game.variants[name][0]
    ]
    return f"{number.game.title} ({', '.join(special)})" if special else number.game.title


def _size(text: str) -> str:
    if len(text) <= _LONG:
        return ""
    return " long" if len(text) <= _HUGE else " huge"


def after(board: Board, place: int, amount: int) -> Board:
    """The board after a move that is known to be legal: nothing is checked, so it is quick."""
    move = Move(place, amount)
    game, value = board.numbers[move.place]
    number = Number(*game.after(value, move.amount))
    numbers = (*board.numbers[:place], number, *board.numbers[place + 1 :])
    return Board(numbers, board.misere)
