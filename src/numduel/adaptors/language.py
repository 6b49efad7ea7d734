"""Matches in words, for those who call a language model themselves.

    >>> from numduel import Board
    >>> from numduel.adaptors.language import View, parse, prompt
    >>> view = View.of(Board.parse("divisor-duel:12"))
    >>> "Legal moves: 2, 3, 4, 6." in prompt(view)
    True
    >>> parse("I subtract 3.")
    3

`ask` is the whole loop: it asks, reads, and tells the model what was wrong.
"""

from numduel.players import View
from numduel.players.language import ask, parse, parse_move, prompt

__all__ = ["View", "ask", "parse", "parse_move", "prompt"]
