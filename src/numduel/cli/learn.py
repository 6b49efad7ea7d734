"""`numduel learn`: a tutorial, played at the prompt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import click

from numduel.board import Board
from numduel.cli.console import EndOfInput, Left, Refused, Taken, Words, note
from numduel.cli.layout import say
from numduel.cli.parameters import GAME, usage
from numduel.cli.screen import ask_about, check_winner, played
from numduel.errors import NumduelError
from numduel.games import Game
from numduel.players import make_computer
from numduel.program import typed
from numduel.study.lessons import Asks, Step, lesson_of, miscoloured, read_traps, refutation
from numduel.wording import problem
from numduel.wording.text import listed_moves

HELP = "Type your answer, or: moves, hint, rules, skip to the next step, quit."
WHO = "Who wins with best play, 1 (to move) or 2: "
MOVE = "Your move: "
TRAPS = "The traps, separated by commas: "


class _Skipped(Exception):
    """The person wants to go on to the next step."""


@click.command("learn")
@click.argument("game", type=GAME)
def command(game: Game) -> None:
    """Learn GAME: six short steps from the rules to the winning idea.

    Each step has a position to solve. Type hint for a hint, quit to leave.
    """
    with usage():
        steps = lesson_of(game)
    say(f"{game.title} in {len(steps)} steps", bold=True)
    try:
        for number, step in enumerate(steps, 1):
            say(f"\nStep {number} of {len(steps)}: {step.title}", bold=True)
            _take(step)
    except (Left, EndOfInput):
        return
    say(f"\nSee the pattern: {typed(f'map {game.key}')}")
    say(f"Done. Now play the computer: {typed(f'play {game.key} --p2 perfect')}")


def _take(step: Step) -> None:
    say(step.says)
    board = step.board
    try:
        if step.asks is Asks.MATCH:
            _play(step)
        elif step.asks is Asks.TRAPS:
            _ask(step, board, TRAPS, partial(_check_traps, step))
        else:
            _show(board)
            if step.asks is Asks.MOVE:
                _ask(step, board, MOVE, partial(_winning, board))
            else:
                _ask(step, board, WHO, partial(_check_winner, step))
    except _Skipped:
        return
    if step.asks is not Asks.MATCH:
        say("Right!", fg="green", bold=True)
    say(step.learnt, fg="green")


def _ask(step: Step, board: Board, prompt: str, accept: Callable[[str], Taken]) -> Taken:
    """Ask until the answer is right. Raises `_Skipped`, or `Left`."""
    words: Words = {"skip": _skip, "hint": partial(note, step.hint)}
    return ask_about(board, prompt, accept, words, HELP)


def _check_winner(step: Step, answer: str) -> None:
    check_winner(answer)
    if answer != step.winner:
        raise Refused("Not quite. Try again, or type hint.")


def _check_traps(step: Step, answer: str) -> None:
    try:
        said = miscoloured(step, read_traps(answer))
    except NumduelError as error:
        said = f"{problem(error)} Separate the numbers with commas."
    if said is not None:
        raise Refused(said)


def _play(step: Step) -> None:
    board, computer = step.board, make_computer("perfect", Random(1))
    while True:
        _show(board)
        after = _ask(step, board, MOVE, partial(_winning, board))
        if after.is_over:
            say("You win!", fg="green", bold=True)
            return
        reply = computer.choose(after)
        board = after.play(reply)
        left, now = after.numbers[0].value, board.numbers[0].value
        say(f"You leave {left}. The computer plays {after.write_move(reply)} and leaves {now}.")


def _show(board: Board) -> None:
    number = board.numbers[0]
    say(f"The number is {number.value}. Legal moves: {listed_moves(number)}")


def _skip() -> None:
    raise _Skipped


def _winning(board: Board, answer: str) -> Board:
    """The board after a move that wins; others are refused, and why."""
    after = played(board, answer, ", or type hint")
    said = refutation(after)
    if said is not None:
        raise Refused(said)
    return after
