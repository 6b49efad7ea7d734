"""What somebody types into Explore, as a board: large numbers as mathematicians write them."""

from __future__ import annotations

import re

from numduel.arithmetic.numerals import read_expression
from numduel.board import Board
from numduel.errors import InvalidNumber

_SIGNS = r"0-9 _'^*\u2212\u00d7\u00b7\u00a0\u202f-"
_BARE = re.compile(rf"[0-9][,+{_SIGNS}]*", re.ASCII)
_NUMBER = re.compile(
    rf":\s*+([0-9](?:[{_SIGNS}]|[,+](?!\s*[a-z]))*+)\s*+(?=[,+]\s*[a-z]|~|$)", re.ASCII
)
"""The number of a game: up to a variant, another game, the ending or the end.

No part gives back what it took (`*+`): strangers' text is gone through once.
"""


def read_board(text: str, game: str) -> Board:
    """The board; a number alone is one of this game. Raises what cannot be read as a board."""
    lowered = text.strip().lower()
    if _BARE.fullmatch(lowered):
        return Board.parse(f"{game}:{read_expression(lowered)}")
    return Board.parse(_NUMBER.sub(_in_digits, lowered))


def _in_digits(found: re.Match[str]) -> str:
    try:
        return f":{read_expression(found[1])}"
    except InvalidNumber:
        return found[0]  # the sentence about the board says so
