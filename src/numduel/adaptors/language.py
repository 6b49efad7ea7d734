"""Matches in words, for those who call a language model themselves.

    >>> from numduel import Board
    >>> from numduel.adaptors.language import View, prompt, read_answer
    >>> view = View.of(Board.parse("divisor-duel:12"))
    >>> "Legal moves: 2, 3, 4, 6." in prompt(view)
    True
    >>> read_answer("12 - 3 = 9, so I play [3].", view.board).move
    Move(place=0, amount=3)

`ask` is the whole loop: it asks, reads, and tells the model what was wrong.
"""

from numduel.players import View
from numduel.players.language import ask, prompt
from numduel.players.reading import Kind, Reading, read_answer

__all__ = ["Kind", "Reading", "View", "ask", "prompt", "read_answer"]
