"""Boards and moves as the templates show them."""

from __future__ import annotations

from dataclasses import dataclass

from numduel.board import Board, Move, Number
from numduel.web.settings import Limits
from numduel.wording import brief
from numduel.wording.rules import titled
from numduel.wording.text import instruction, operation, tail

_LONG, _HUGE = 4, 10
"""Digits beyond which figures are smaller, and smaller still."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One number of a board: the game's title with what is special, and the figures."""

    title: str
    text: str
    size: str
    """A class for the size of the figures: "", " long" or " huge"."""


def numbers(board: Board, start: Board | None = None) -> list[Shown]:
    """The board's numbers for `ui.board`, under the rules that they started with."""
    return [
        Shown(titled(begun.game), brief(number.value), _size(brief(number.value)))
        for number, begun in zip(board.numbers, (start or board).numbers, strict=True)
    ]


def _size(text: str) -> str:
    if len(text) <= _LONG:
        return ""
    return " long" if len(text) <= _HUGE else " huge"


@dataclass(frozen=True, slots=True)
class ShownMove:
    """A move as a button says it: "−11 → 9", on a board of several numbers "2: −11 → 9"."""

    text: str
    """The move as it is sent."""
    place: int
    """Counted from 1; 0 on a board of one number."""
    sign: str
    amount: str
    left: str
    does: str
    """The same to be read out: "Subtract 11"."""
    tails: tuple[str, str]
    """The amount and what is left, as they fit on a button."""


def moves_of(board: Board, moves: list[Move]) -> list[ShownMove]:
    """Legal moves of a board for `ui.move`."""
    return [_shown_move(board, move) for move in moves]


def _shown_move(board: Board, move: Move) -> ShownMove:
    number = board.numbers[move.place]
    sign, figure = operation(number, move.amount)
    left = after(board, move.place, move.amount).numbers[move.place].value
    return ShownMove(
        text=board.write_move(move),
        place=move.place + 1 if len(board.numbers) > 1 else 0,
        sign=sign,
        amount=brief(figure),
        left=brief(left),
        does=instruction(number, move.amount),
        tails=(tail(figure), tail(left)),
    )


def is_playable(board: Board, limits: Limits) -> bool:
    """Does the board fit into a room? That it has a move is found out there."""
    most = 10**limits.digits
    return len(board.numbers) <= limits.numbers and all(n.value < most for n in board.numbers)


def after(board: Board, place: int, amount: int) -> Board:
    """The board after a move that is known to be legal: nothing is checked, so it is quick."""
    move = Move(place, amount)
    game, value = board.numbers[move.place]
    number = Number(*game.after(value, move.amount))
    numbers = (*board.numbers[:place], number, *board.numbers[place + 1 :])
    return Board(numbers, board.misere)
