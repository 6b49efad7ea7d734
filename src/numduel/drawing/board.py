"""Boards and verdicts as a notebook shows them."""

from contextlib import suppress
from html import escape
from itertools import islice

from numduel.board import Board
from numduel.drawing.svg import Picture
from numduel.errors import TooLarge
from numduel.solver import Verdict
from numduel.wording import brief
from numduel.wording.verdict import lines

_TILE, _HEIGHT, _GAP = 220, 120, 10
_SHOWN, _ACROSS = 8, 4


def draw_board(board: Board) -> Picture:
    """A tile for each number, with its game and what can be played; four in a row."""
    count = len(board.numbers)
    across, down = min(count, _ACROSS), -(-count // _ACROSS)
    ending = "The last to move loses." if board.misere else "The last to move wins."
    picture = Picture(
        across * (_TILE + _GAP) + _GAP, down * (_HEIGHT + _GAP) + _GAP + 24, str(board), ending
    )
    for place, (game, value) in enumerate(board.numbers):
        x = _GAP + place % _ACROSS * (_TILE + _GAP)
        y = _GAP + place // _ACROSS * (_HEIGHT + _GAP)
        middle = x + _TILE / 2
        moves = []
        with suppress(TooLarge):  # to factor
            moves = [brief(amount) for amount in islice(game.moves(value), _SHOWN + 1)]
        told = ", ".join(moves[:_SHOWN]) + ", ..." * (len(moves) > _SHOWN)
        told = told or "no move left" * game.is_over(value)
        number = brief(value)
        picture.add("rect", x=x, y=y, width=_TILE, height=_HEIGHT, rx=8, kind="line")
        picture.text(middle, y + 24, game.title, 14, "soft", "middle")
        picture.text(middle, y + 74, number, min(44, 320 / len(number)), "ink", "middle")
        picture.text(middle, y + 104, told, 13, "soft", "middle")
    picture.text(picture.width / 2, picture.height - 10, ending, 13, "soft", "middle")
    return picture


def show_verdict(verdict: Verdict) -> str:
    """The board, and the verdict in words below it."""
    said = "".join(f"<p>{escape(line)}</p>" for line in lines(verdict, 10))
    return f"{draw_board(verdict.board)}{said}"
