"""Hints, in a match and for a puzzle: a little more each time somebody asks."""

from itertools import islice

from numduel.board import Board, Move
from numduel.solver import Verdict, no_choice_matters, solve
from numduel.wording import wording_of
from numduel.wording.text import brief, said_move
from numduel.wording.why import no_choice_reasons

STEPS = 3
_SMALL = 10**9
"""The moves of numbers below this are listed at once."""


def hint(board: Board, step: int) -> str:
    """What to say the first, second and third time on the same turn. Raises `TooLarge`."""
    verdict = solve(board)
    if no_choice_matters(board):
        ends = "win" if verdict.outcome == "win" else "lose"
        return f"No choice matters here: you {ends} whatever anybody plays."
    if verdict.outcome == "loss":
        return _for_the_loser(board, step) + (_how_sure(verdict) if step == 1 else "")
    move = verdict.named_move
    if step == 1 or move is None:
        return f"You can win from here.{_how_sure(verdict)}"
    if step == 2:
        return f"Leave {_left(board, move)}."
    at_once = " That wins at once." if board.play(move).is_over else ""
    return f"Play {said_move(board, move)}.{at_once}"


def puzzle_hint(board: Board, step: int) -> str:
    """A hint for a puzzle under the usual rules: first the idea, then what to leave."""
    if no_choice_matters(board):
        return " ".join(no_choice_reasons(board))
    if step > 1:
        return hint(board, 2)
    move = solve(board).winning_move()
    if len(board.numbers) > 1:
        return f"Play on number {move.place + 1}."
    if traps := wording_of(board.numbers[0].game).traps:
        return f"{traps} Leave one."
    return f"Leave an {'odd' if board.play(move).numbers[0].value % 2 else 'even'} number."


def _for_the_loser(board: Board, step: int) -> str:
    if step == 1:
        return "You can't win from here against perfect play."
    small = all(number.value < _SMALL for number in board.numbers)
    if small and len(moves := list(islice(board.moves(), 2))) == 1:
        return f"There is only one move: play {said_move(board, moves[0])}."
    if step == 2:
        return "Every move lets the other player win. Hope for a mistake: leave what looks hard."
    return "No move wins here. Play any one you like."


def _left(board: Board, move: Move) -> str:
    left = brief(board.play(move).numbers[move.place].value)
    return left if len(board.numbers) == 1 else f"{left} on number {move.place + 1}"


def _how_sure(verdict: Verdict) -> str:
    return f" {verdict.holds}" if verdict.method == "conjecture" else ""
