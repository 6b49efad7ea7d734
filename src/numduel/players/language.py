"""Matches in words for language models: what they are told, and how their answers are read."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from numduel.board import Board, Move
from numduel.errors import IllegalMove, InvalidNumber, NumduelError
from numduel.players.reading import Kind, Reading, read_answer
from numduel.players.view import Turn, View
from numduel.wording import problem
from numduel.wording.rules import choices, label
from numduel.wording.text import listed_moves

__all__ = ["Kind", "Reading", "View", "ask", "prompt", "read_answer"]

_RULES = (
    "You may think aloud before it: only the last brackets count. Without brackets, your last "
    "line has to be the move and nothing else."
)
"""The rules by which `reading.py` reads an answer, as a model is told them."""

_ALL_MOVES = "The moves so far:"
_TOLD = 20
"""Of a long match, this many moves are told: a prompt does not grow with every turn."""

_LISTED = 60
"""Up to this many legal moves are listed whole; of more, the first, the last, and how many."""


def prompt(view: View, legal: bool = True, history: bool = True) -> str:
    """The match in words, for the player to move.

    With `legal`, the legal moves are listed, in short where they are many. With
    `history`, the last moves are told. What was wrong with an answer given in
    this turn is always said.
    """
    return "\n".join(_lines(view, legal, history))


def ask(view: View, complete: Callable[[str], str], tries: int = 3, legal: bool = True) -> Move:
    """Ask for a legal move, telling each time what was wrong; the last error is raised.

    `complete` takes a prompt and gives the answer.
    """
    turn = Turn(view, max(1, tries))
    for seen in turn:
        turn.take(lambda view: read_move(complete(prompt(view, legal)), view.board), seen)
    if turn.move is None:
        raise turn.problems[-1]
    return turn.move


def read_move(text: str, board: Board) -> Move:
    """The legal move that an answer names. Raises what is wrong with it."""
    move, error = read_answer(text, board)[1:]
    if move is None or error is not None:
        raise error or InvalidNumber(text=text, problem="no number")
    return move


def complaint(error: NumduelError) -> str:
    """What a model is told of an answer that was no legal move."""
    said = problem(error)
    if not isinstance(error, (IllegalMove, InvalidNumber)):
        said += " Name one legal move."
    return f"Your answer was not accepted: {said}"


def _lines(view: View, legal: bool, history: bool) -> Iterator[str]:
    board = view.board
    several = len(board.numbers) > 1
    yield "You play a match of a number game against one opponent. You take turns."
    for game in dict.fromkeys(number.game for number in view.start.numbers):
        yield ""
        yield f"Rules of {game.title}:"
        yield game.description
        for name, value in game.settings.items():
            yield f"In this match: {label(name)}: {dict(choices(game, name))[value]}."
    yield ""
    if several:
        yield "There are several numbers. A turn plays one of them."
    if board.misere:
        yield "This match is misère, which reverses the goal: whoever cannot move wins."
    elif several:
        yield "Whoever cannot move on any of them loses."
    if history and view.moves:
        earlier = len(view.moves) - _TOLD
        yield f"The last {_TOLD} of {len(view.moves)} moves:" if earlier > 0 else _ALL_MOVES
        yield from deque(_history(view), _TOLD)
        yield ""
    for place, number in enumerate(board.numbers, 1):
        name = f"Number {place} ({number.game.title})" if several else "The number"
        yield f"{name} is now {number.value}."
        if legal:
            yield f"Legal moves: {listed_moves(number, few=_LISTED)}."
    for error in view.problems:
        yield complaint(error)
    yield "It is your turn."
    form = "[place:number]" if several else "[number]"
    yield f"Give your move in square brackets, as {form}. {_RULES}"


def _history(view: View) -> Iterator[str]:
    board = view.start
    for turn, move in enumerate(view.moves):
        yours = (len(view.moves) - turn) % 2 == 0
        who = "You" if yours else "The opponent"
        if move is None:
            yield f"- {who} lost the turn."
            continue
        written = board.write_move(move)
        board = board.play(move)
        yield f"- {who} played {written}, which left {board.numbers[move.place].value}."
