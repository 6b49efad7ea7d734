"""Matches in words for language models: what they are told, and how their answers are read."""

from collections import deque
from collections.abc import Callable, Iterator

from numduel.arguments import checked
from numduel.board import Board, Move
from numduel.errors import IllegalMove, InvalidNumber, NumduelError
from numduel.players.reading import Kind, Reading, read_answer, read_text
from numduel.players.view import Turn, View
from numduel.wording import problem, summary
from numduel.wording.rules import choices, label, paragraphs
from numduel.wording.text import listed_moves

__all__ = ["Kind", "Reading", "View", "ask", "prompt", "read_answer", "read_text"]

WHAT_COUNTS = (
    "The last line that names an answer counts: Answer, Final answer, Move or Winning move, then a "
    'colon or "is", then only one '
)
"""What a number, or none, follows in the rule of `reading.py`; docs/measure.md says the same."""
_TOLD = 20
"""Of a long match, this many moves are told: a prompt does not grow with every turn."""
_LISTED = 60
"""Up to this many legal moves are listed whole; of more, the first, the last, and how many."""


@checked
def prompt(view: View, legal: bool = False, history: bool = True) -> str:
    """The match in words; `legal` lists the legal moves, in short if many, `history` the last ones.

    What was wrong with an answer given in this turn is always said.
    """
    lines = [*rules_lines(view.start), *_lines(view, legal, history)]
    return "\n".join([*lines, how_to_answer(view.board)])


def how_to_answer(board: Board, none: bool = False) -> str:
    """The rule by which `reading.py` reads an answer, as a model is told it."""
    several = len(board.numbers) > 1
    form, or_none = "place:number" if several else "number", " or none" if none else ""
    told = f"You may think aloud. Then end with a line of its own: Answer: {form}, the number that "
    told += "you take away or divide by" + (", or Answer: none if no move wins" if none else "")
    told += ". For example, 2:15 plays 15 on the second number" if several else ""
    brackets = f"[{form}]" + (" or [none]" if none else "")
    return f"{told}. {WHAT_COUNTS}{form}{or_none}. Without such a line, the last {brackets} counts."


@checked
def ask(view: View, complete: Callable[[str], str], tries: int = 3, legal: bool = False) -> Move:
    """Ask `complete` for a legal move, telling what was wrong; the last error is raised."""
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
    said = problem(error)
    if not isinstance(error, (IllegalMove, InvalidNumber)):
        said += " Name one legal move."
    return f"Your answer was not accepted: {said}"


def rules_lines(board: Board) -> Iterator[str]:
    """The rules, without their examples: each shows a move, and some are good ones."""
    yield "You play a match of a number game against one opponent. You take turns."
    for game in dict.fromkeys(number.game for number in board.numbers):
        yield ""
        yield f"Rules of {game.title}:"
        yield summary(game)
        yield from paragraphs(game)[0]
        for name, value in game.settings.items():
            yield f"In this match: {label(name)}: {dict(choices(game, name))[value]}."
    yield ""
    yield "No number ever falls below 0."
    several = len(board.numbers) > 1
    if several:
        yield "There are several numbers. A turn plays one of them."
    if board.misere:
        yield "This match is misère, which reverses the goal: whoever cannot move wins."
    elif several:
        yield "Whoever cannot move on any of them loses."


def _lines(view: View, legal: bool, history: bool) -> Iterator[str]:
    board = view.board
    if history and view.moves:
        count = len(view.moves)
        yield f"The last {_TOLD} of {count} moves:" if count > _TOLD else "The moves so far:"
        yield from deque(_history(view), _TOLD)
        yield ""
    for number, said in zip(board.numbers, stands(board, " now"), strict=True):
        yield said
        if legal:
            yield f"Legal moves: {listed_moves(number, few=_LISTED)}."
    for error in view.problems:
        yield complaint(error)
    yield "It is your turn."


def stands(board: Board, now: str = "") -> list[str]:
    if len(board.numbers) == 1:
        return [f"The number is{now} {board.numbers[0].value}."]
    numbers = enumerate(board.numbers, 1)
    return [f"Number {place} ({game.title}) is{now} {n}." for place, (game, n) in numbers]


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
